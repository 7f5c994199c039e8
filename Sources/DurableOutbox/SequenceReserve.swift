import FleetModel
import FleetRuntime
import Foundation

/// A small file beside the outbox that says up to which number sequence numbers may have been given out, so that none is given twice
/// when the database is lost. Written once a block, not once an alert.
struct SequenceReserve {
    /// Numbers that one write covers.
    static let block: Int64 = 1000

    private let path: String
    /// No number above this one has been given out; nil when nothing was ever written.
    private(set) var upperBound: Int64?

    /// Reads `path`; a file that is not there or holds nonsense counts as none.
    init(path: String) {
        self.path = path
        let text = (try? FilePieces.contents(of: path, limit: 64)).map { String(decoding: $0, as: UTF8.self) }
        upperBound = text.flatMap { Int64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Makes sure that the file covers `seq` before it is given out. A failure to write is the disk's, and reported as such.
    mutating func cover(_ seq: Int64) throws(OutboxFailure) {
        guard seq > upperBound ?? -1 else { return }
        let bound = seq + Self.block
        do { try Data("\(bound)\n".utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw .diskTrouble("\(path): cannot be written")
        }
        upperBound = bound
    }

    /// The number to go on from when the database is gone: the end of the block; without a file the time in seconds, which no count
    /// of alerts reaches.
    func continuation(now: Timestamp) -> Int64 { upperBound ?? max(0, Int64(now.secondsSinceEpoch)) }
}
