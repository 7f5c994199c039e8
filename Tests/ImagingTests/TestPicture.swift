import Foundation
import Imaging

/// Pictures made of numbers, so that every sample is known.
enum TestPicture {
    /// A picture of `width` × `height` whose blue, green, red at x, y are what `colour` says; made as a PPM and decoded.
    static func make(width: Int, height: Int, _ colour: (_ x: Int, _ y: Int) -> (blue: UInt8, green: UInt8, red: UInt8)) throws
        -> Frame
    {
        var ppm = Data("P6 \(width) \(height) 255\n".utf8)
        for y in 0..<height {
            for x in 0..<width {
                let c = colour(x, y)
                ppm.append(contentsOf: [c.red, c.green, c.blue])
            }
        }
        return try Frame.decode(ppm)
    }

    /// One colour all over.
    static func plain(width: Int, height: Int, grey: UInt8) throws -> Frame {
        try make(width: width, height: height) { _, _ in (grey, grey, grey) }
    }
}

/// A picture's samples as a plain value, because expectations cannot look into what is not copyable.
struct Samples: Equatable {
    let width: Int
    let height: Int
    let channels: Int
    private let values: [UInt8]

    init(_ frame: borrowing Frame) {
        (width, height, channels) = (frame.width, frame.height, frame.channels)
        var values: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { for c in 0..<channels { values.append(frame.sample(x: x, y: y, channel: c) ?? 0) } }
        }
        self.values = values
    }

    /// Blue, green, red (or grey alone) at x, y.
    func at(_ x: Int, _ y: Int) -> [UInt8] { Array(values[(y * width + x) * channels..<(y * width + x + 1) * channels]) }
}
