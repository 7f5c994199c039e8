import Foundation

/// The smallest AVI of JPEG pictures: header with the frame count, then the pictures; no index.
enum MotionJPEGFile {
    static func bytes(frames: [Data], width: Int, height: Int, framesPerSecond: Int) -> Data {
        func number(_ value: Int) -> Data { withUnsafeBytes(of: UInt32(value).littleEndian) { Data($0) } }
        func short(_ value: Int) -> Data { withUnsafeBytes(of: UInt16(value).littleEndian) { Data($0) } }
        func chunk(_ name: String, _ content: Data) -> Data {
            Data(name.utf8) + number(content.count) + content + Data(count: content.count % 2)
        }
        func list(_ type: String, _ content: Data) -> Data { chunk("LIST", Data(type.utf8) + content) }
        var main = Data()
        for value in [1_000_000 / framesPerSecond, 0, 0, 0, frames.count, 0, 1, 0, width, height, 0, 0, 0, 0] {
            main += number(value)
        }
        var stream = Data("vidsMJPG".utf8)
        for value in [0, 0, 0, 1, framesPerSecond, 0, frames.count, 0, 0, 0] { stream += number(value) }
        for value in [0, 0, width, height] { stream += short(value) }
        var format = number(40) + number(width) + number(height) + short(1) + short(24) + Data("MJPG".utf8)
        for value in [width * height * 3, 0, 0, 0, 0] { format += number(value) }
        let header = list("hdrl", chunk("avih", main) + list("strl", chunk("strh", stream) + chunk("strf", format)))
        let movie = list("movi", frames.reduce(into: Data()) { $0 += chunk("00dc", $1) })
        return chunk("RIFF", Data("AVI ".utf8) + header + movie)
    }
}
