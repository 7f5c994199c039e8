import FleetModel
import Foundation

/// When a video was made, as its container says: the creation time in the `mvhd` box of an MP4 or QuickTime file (ISO/IEC 14496-12, 8.2.2).
///
/// Cameras disagree on whether that is the beginning or the end, UTC or local time; who uses it has to check it against something else.
enum VideoDate {
    /// Seconds from 1904-01-01, where these files count from, to 1970-01-01.
    private static let epochOffsetS: Int64 = 2_082_844_800

    /// Nil when the file is no such container, or does not say.
    static func created(path: String) -> Timestamp? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let end = try? file.seekToEnd(), let movie = box("moov", in: file, from: 0, to: end),
            let header = box("mvhd", in: file, from: movie.lowerBound, to: movie.upperBound)
        else { return nil }
        guard let bytes = read(file, at: header.lowerBound, 12), let version = bytes.first else { return nil }
        let seconds = version == 1 ? number(bytes[4..<12]) : number(bytes[4..<8])
        guard seconds > epochOffsetS, seconds < epochOffsetS * 4 else { return nil }
        return Timestamp(millisecondsSinceEpoch: (seconds - epochOffsetS) * 1000)
    }

    /// The content of the first box of that kind between two places.
    private static func box(_ kind: String, in file: FileHandle, from: UInt64, to: UInt64) -> Range<UInt64>? {
        var at = from
        // A file of many boxes is none that a camera wrote.
        for _ in 0..<10_000 {
            guard at + 8 <= to, let head = read(file, at: at, 16) ?? read(file, at: at, 8), head.count >= 8 else { return nil }
            var size = UInt64(number(head[0..<4]))
            var headBytes: UInt64 = 8
            if size == 1, head.count == 16 {
                size = UInt64(bitPattern: number(head[8..<16]))
                headBytes = 16
            } else if size == 0 {
                size = to - at
            }
            guard size >= headBytes, size <= to - at else { return nil }
            if String(decoding: head[4..<8], as: UTF8.self) == kind { return (at + headBytes)..<(at + size) }
            at += size
        }
        return nil
    }

    private static func read(_ file: FileHandle, at offset: UInt64, _ count: Int) -> [UInt8]? {
        guard (try? file.seek(toOffset: offset)) != nil, let data = try? file.read(upToCount: count), data.count == count else {
            return nil
        }
        return [UInt8](data)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }
}
