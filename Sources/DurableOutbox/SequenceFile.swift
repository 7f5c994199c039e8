import FleetModel
import Glibc

/// A small file beside the outbox that knows how far sequence numbers have been given out, so that none is given twice even when the
/// database is lost or has lost its end.
///
/// Three records, each in a disk sector of its own: two bounds, written in turns and synced once a block of numbers, and the last number,
/// written after every commit and not synced (it survives the program's death, not a power cut, for which SQLite's own sync answers). A
/// record is its number twice; it counts only when both are equal. Not Sendable: it belongs to one actor.
final class SequenceFile {
    /// Numbers that one bound covers.
    static let block: Int64 = 1000
    private static let sector = 512
    private static let width = 20

    /// No number above this one has been given out; nil when that is not known.
    private(set) var upperBound: Int64?
    /// The last number that was given out, as far as is known.
    private(set) var last: Int64?
    /// Whether there was a last number that cannot be read any more: then any number up to the bound may have been given out.
    let isLastSpoilt: Bool
    private let path: String
    private let descriptor: Int32
    private var nextSlot = 0

    /// Opens or makes `path`; records that hold nonsense count as none. Throws when the file cannot be used at all.
    init(path: String) throws(OutboxFailure) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw .diskTrouble("\(path): \(String(cString: strerror(errno)))") }
        let bounds = [Self.record(descriptor, 0), Self.record(descriptor, 1)]
        upperBound = bounds.compactMap { $0 }.max()
        // The slot with the lower number is written next.
        nextSlot = (bounds[0] ?? -1) <= (bounds[1] ?? -1) ? 0 : 1
        let lastRecord = Self.record(descriptor, 2)
        last = lastRecord
        // Zeros are what a power cut leaves of a record that was never synced.
        isLastSpoilt = lastRecord == nil && Self.bytes(descriptor, 2).contains { $0 != 0 }
    }

    deinit { close(descriptor) }

    /// Makes sure that a bound on disk covers `seq` before it is given out.
    func cover(_ seq: Int64) throws(OutboxFailure) {
        guard seq > upperBound ?? -1 else { return }
        let bound = seq + Self.block
        guard write(bound, slot: nextSlot), fdatasync(descriptor) == 0 else {
            throw .diskTrouble("\(path): \(String(cString: strerror(errno)))")
        }
        nextSlot = 1 - nextSlot
        upperBound = bound
    }

    /// Notes that everything up to `seq` has been given out. A failure costs nothing as long as the database is sound.
    func note(_ seq: Int64) {
        guard seq > last ?? -1, write(seq, slot: 2) else { return }
        last = seq
    }

    /// The number to go on from when the database is gone: the last one, or the end of the block; without either the time in seconds,
    /// which no count of alerts reaches, but at least that of this program's making, because a clock may stand at 1970.
    func continuation(now: Timestamp) -> Int64 {
        upperBound ?? last ?? max(Int64(now.secondsSinceEpoch), Int64(SoftwareVersion.earliestTime.secondsSinceEpoch))
    }

    private func write(_ number: Int64, slot: Int) -> Bool {
        let digits = String(number)
        let text = String(repeating: "0", count: max(0, Self.width - digits.count)) + digits
        let line = Array("\(text) \(text)\n".utf8)
        return pwrite(descriptor, line, line.count, off_t(slot * Self.sector)) == line.count
    }

    /// What stands in a record's place; shorter where the file ends.
    private static func bytes(_ descriptor: Int32, _ slot: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 2 * width + 2)
        let count = pread(descriptor, &bytes, bytes.count, off_t(slot * sector))
        return Array(bytes.prefix(max(0, count)))
    }

    private static func record(_ descriptor: Int32, _ slot: Int) -> Int64? {
        let bytes = bytes(descriptor, slot)
        guard bytes.count == 2 * width + 2 else { return nil }
        let first = bytes[0..<width]
        guard first.elementsEqual(bytes[width + 1..<2 * width + 1]), bytes[width] == 32, bytes[2 * width + 1] == 10 else {
            return nil
        }
        guard let number = Int64(String(decoding: first, as: UTF8.self)), SequenceNumber.range.contains(number) else { return nil }
        return number
    }
}
