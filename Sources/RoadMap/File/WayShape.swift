import FoundationEssentials

/// The line of a way as it stands in a map file: zigzag varints, the first place in full, the others as steps; 3 to 4 bytes a place.
enum WayShape {
    /// Longest line that is read; OpenStreetMap's own bound is 2,000 nodes.
    static let maximumPoints = 65_536

    static func encode(_ points: [MapPoint]) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(points.count * 4 + 8)
        var previous = MapPoint(x: 0, y: 0)
        for point in points {
            append(Int64(point.x) - Int64(previous.x), to: &bytes)
            append(Int64(point.y) - Int64(previous.y), to: &bytes)
            previous = point
        }
        return Data(bytes)
    }

    /// Nil when the bytes are no line of at least two places on the Earth.
    static func decode(_ data: Data) -> [MapPoint]? {
        var points: [MapPoint] = []
        var (x, y): (Int64, Int64) = (0, 0)
        let isSound = data.withUnsafeBytes { bytes in
            var at = 0
            while at < bytes.count {
                guard let dx = number(bytes, &at), let dy = number(bytes, &at), points.count < maximumPoints else { return false }
                (x, y) = (x &+ dx, y &+ dy)
                guard abs(x) <= 1_800_000_000, abs(y) <= 900_000_000 else { return false }
                points.append(MapPoint(x: Int32(x), y: Int32(y)))
            }
            return true
        }
        return isSound && points.count >= 2 ? points : nil
    }

    private static func append(_ value: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Int64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 42, by: 7) {
            guard at < bytes.count else { return nil }
            let byte = bytes[at]
            at += 1
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1) }
        }
        return nil
    }
}
