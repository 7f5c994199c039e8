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

    /// A picture that the outbox confirmed.
    struct Picture: Hashable, Sendable {
        let id: AlertID
        let sha256: String
    }

    /// What a journal says.
    struct Content: Sendable {
        var rows: [Row] = []
        var pictures: [Picture] = []
        /// Alerts and pictures that the outbox refused.
        var refused = 0
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

    /// Notes that the picture of the alert `id` is in the outbox.
    func stored(picture sha256: String, of id: AlertID) throws { try write("P \(id) \(sha256)\n") }

    /// Notes that the outbox did not take an alert or a picture.
    func refused() throws { try write("F\n") }

    private func write(_ line: String) throws {
        let bytes = Array(line.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw UserError(.ioError, "the journal cannot be written")
        }
    }

    /// What the journal at `path` says; nothing when there is none.
    static func read(path: String) -> Content {
        var content = Content()
        for line in ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n") {
            let words = line.split(separator: " ")
            switch (words.first, words.count) {
            case ("F", 1): content.refused += 1
            case ("P", 3):
                if let id = AlertID(String(words[1])) { content.pictures.append(Picture(id: id, sha256: String(words[2]))) }
            case ("S", 5):
                guard let id = AlertID(String(words[1])), let revision = Int(words[2]), let seq = Int64(words[3]) else { continue }
                content.rows.append(Row(id: id, revision: revision, seq: seq, digest: String(words[4])))
            default: continue
            }
        }
        return content
    }

    /// What stands for an alert's content.
    static func digest(_ alert: Alert) -> String {
        let bytes = (try? WireCodec.encode(alert)) ?? Data()
        return SHA256.hexadecimal(SHA256.digest(of: bytes).prefix(12))
    }
}
