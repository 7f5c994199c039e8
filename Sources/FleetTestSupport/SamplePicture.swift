import Foundation

/// The frame of a JPEG with nothing to be seen in it: enough for whoever looks at markers and size.
public enum SamplePicture {
    /// Different for every `number`.
    public static func jpeg(_ number: Int, width: Int = 640, height: Int = 480) -> Data {
        func two(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
        var bytes: [UInt8] = [0xFF, 0xD8]
        let comment = Array("picture \(number)".utf8)
        bytes += [0xFF, 0xFE] + two(comment.count + 2) + comment
        bytes += [0xFF, 0xC0] + two(11) + [8] + two(height) + two(width) + [1, 1, 0x11, 0]
        bytes += [0xFF, 0xDA] + two(8) + [1, 1, 0, 0, 63, 0] + [UInt8](repeating: 0x55, count: 200)
        return Data(bytes + [0xFF, 0xD9])
    }
}
