import FleetModel
import FleetRuntime
import Foundation

/// What a vehicle knows to be in its outbox, written after the outbox said so: a line a row, appended with one write(2), which a kill
/// leaves whole or leaves out.
struct Journal {
    /// A row that the outbox confirmed.
    struct Row: Hashable, Sendable {
        let id: AlertID
        let revision: Int
        let seq: Int64
        /// Digest of the alert as it was numbered.
        let digest: String
    }

    private let descriptor: Int32

    /// Opens or makes the file.
    init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw UserError(.ioError, "\(path): cannot be made") }
    }

    /// Notes that `alert`, with its number, is in the outbox.
    func stored(_ alert: Alert) throws {
        try write("S \(alert.id) \(alert.revision) \(alert.seq) \(Self.digest(alert))\n")
    }

    /// Notes that the outbox did not take an alert.
    func refused() throws { try write("F\n") }

    private func write(_ line: String) throws {
        let bytes = Array(line.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw UserError(.ioError, "the journal cannot be written")
        }
    }

    /// The rows of a journal, and how many alerts the outbox refused.
    static func read(path: String) -> (rows: [Row], refused: Int) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return ([], 0) }
        var refused = 0
        let rows = text.split(separator: "\n").compactMap { line -> Row? in
            let words = line.split(separator: " ")
            if words == ["F"] { refused += 1 }
            guard words.count == 5, words[0] == "S", let id = AlertID(String(words[1])), let revision = Int(words[2]),
                let seq = Int64(words[3])
            else { return nil }
            return Row(id: id, revision: revision, seq: seq, digest: String(words[4]))
        }
        return (rows, refused)
    }

    /// What stands for an alert's content.
    static func digest(_ alert: Alert) -> String {
        let bytes = (try? WireCodec.encode(alert)) ?? Data()
        return SHA256.hexadecimal(SHA256.digest(of: bytes).prefix(12))
    }
}
