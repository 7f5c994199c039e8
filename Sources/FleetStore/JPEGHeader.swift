import FoundationEssentials

/// What the beginning of a JPEG file says (ITU-T T.81, annex B): enough to know that it is one, and how large its picture.
public struct JPEGHeader: Hashable, Sendable {
    /// Width of the picture in pixels.
    public var width: Int
    /// Height of the picture in pixels.
    public var height: Int

    /// Sides that a picture may have.
    static let sides = 1...16_384

    /// Why bytes are no JPEG that is taken.
    public struct Malformed: Error, Hashable, Sendable {
        /// One line.
        public var reason: String
    }

    /// Reads the markers up to the frame's.
    public init(_ data: Data) throws(Malformed) {
        let bytes = [UInt8](data)
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { throw Malformed(reason: "the snapshot is no JPEG") }
        guard bytes.suffix(2) == [0xFF, 0xD9] else { throw Malformed(reason: "the snapshot is cut off") }
        func number(_ at: Int) -> Int? { at + 1 < bytes.count ? Int(bytes[at]) << 8 | Int(bytes[at + 1]) : nil }
        var at = 2
        while at + 3 < bytes.count, bytes[at] == 0xFF {
            let marker = bytes[at + 1]
            // Fill bytes before a marker.
            if marker == 0xFF {
                at += 1
                continue
            }
            guard let length = number(at + 2), length >= 2 else { break }
            // Start of frame of any kind, but the tables whose numbers lie among them.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                guard length >= 8, let height = number(at + 5), let width = number(at + 7) else { break }
                guard Self.sides.contains(width), Self.sides.contains(height) else {
                    throw Malformed(reason: "the snapshot is \(width) x \(height) pixels")
                }
                (self.width, self.height) = (width, height)
                return
            }
            // The picture's data begins before its size was told.
            if marker == 0xDA { break }
            at += 2 + length
        }
        throw Malformed(reason: "the snapshot's JPEG header is damaged")
    }
}
