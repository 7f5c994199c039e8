import FleetModel
import FoundationEssentials

/// Writes a receipt message, byte for byte as `WireCodec` writes a `ReceiptMessage`: one is written for every vehicle in every batch, and a
/// general encoder takes longer for it than the store takes for the alert.
struct ReceiptWriter: Sendable {
    private var bytes = Array(#"{"receipts":["#.utf8)
    /// How many receipts it holds.
    private(set) var count = 0
    private var snapshots: [AlertID] = []

    mutating func add(id: AlertID, revision: Int, result: Receipt.Result, reason: String? = nil) {
        if count > 0 { bytes.append(UInt8(ascii: ",")) }
        count += 1
        bytes.append(contentsOf: #"{"id":""#.utf8)
        bytes.append(contentsOf: id.description.utf8)
        bytes.append(contentsOf: #"","reason":"#.utf8)
        if let reason, let text = try? WireCodec.encode(reason) {
            bytes.append(contentsOf: text)
        } else {
            bytes.append(contentsOf: "null".utf8)
        }
        bytes.append(contentsOf: #","result":""#.utf8)
        bytes.append(contentsOf: result.rawValue.utf8)
        bytes.append(contentsOf: #"","revision":"#.utf8)
        bytes.append(contentsOf: String(revision).utf8)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Notes that the picture of the alert `id` is stored.
    mutating func add(snapshot id: AlertID) { snapshots.append(id) }

    /// The message.
    var payload: Data {
        let names = snapshots.map { "\"\($0)\"" }.joined(separator: ",")
        return Data(bytes + Array("],\"snapshots\":[\(names)]}".utf8))
    }
}
