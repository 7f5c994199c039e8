import FleetModel
import FleetRuntime
import Foundation

/// A grey JPEG of 1280 × 720 without an encoder (ITU-T T.81): every block is one bit for "no change of the mean" and one for "no detail".
package struct SnapshotPicture {
    static let width = 1280
    static let height = 720
    /// What a photograph of that size takes as a snapshot, in bytes; a comment fills the picture up to it.
    private static let sizes = 20_000.0...60_000.0

    package let jpeg: Data

    /// A picture of its own: the comment differs.
    package init(using random: inout SeededGenerator) {
        let size = Int(random.uniform(Self.sizes)) - Self.head.count - Self.scan.count - 4
        var comment = Data(capacity: size)
        while comment.count < size { withUnsafeBytes(of: random.next()) { comment.append(contentsOf: $0) } }
        jpeg = Self.head + [0xFF, 0xFE] + Self.bigEndian(comment.count + 2) + comment + Self.scan
    }

    /// What an alert says of the picture.
    package var reference: SnapshotReference {
        SnapshotReference(
            sha256: SHA256.hexadecimal(SHA256.digest(of: jpeg)), width: Self.width, height: Self.height, sessionTimeS: nil,
            box: Box(x: 0.4, y: 0.5, width: 0.12, height: 0.16))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] }

    private static let head: Data = {
        var bytes: [UInt8] = [0xFF, 0xD8]
        // JFIF 1.1, no density, no thumbnail.
        bytes += [0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
        bytes += [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        // Baseline, 8 bits, one component without subsampling.
        bytes += [0xFF, 0xC0, 0, 11, 8] + bigEndian(height) + bigEndian(width) + [1, 1, 0x11, 0]
        // One symbol, 0, with the code "0", for DC and AC alike.
        for table: UInt8 in [0x00, 0x10] { bytes += [0xFF, 0xC4, 0, 20, table, 1] + [UInt8](repeating: 0, count: 15) + [0] }
        return Data(bytes)
    }()

    private static let scan: Data = {
        let blocks = (width / 8) * (height / 8)
        return Data([0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]) + Data(count: blocks * 2 / 8) + Data([0xFF, 0xD9])
    }()
}
