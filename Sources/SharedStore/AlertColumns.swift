import FleetModel
import FleetStore
import FoundationEssentials
import PostgreSQL

/// The columns of a key, one array each, as `unnest` takes them.
struct AlertColumns {
    let values: [PostgreSQLValue]

    init(_ alerts: [Alert]) {
        values = [
            .texts(alerts.map(\.identity.fleet)), .texts(alerts.map(\.identity.vehicle)), .uuids(alerts.map(\.id.bytes)),
            .integers(alerts.map { Int64($0.revision) }),
        ]
    }
}

extension AlertID {
    /// The 16 bytes of the UUID.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var high: UInt8?
        for character in description.utf8 where character != UInt8(ascii: "-") {
            let digit = character <= UInt8(ascii: "9") ? character - UInt8(ascii: "0") : character - UInt8(ascii: "a") + 10
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}

extension String {
    /// The text as the server takes it: no zero character, at most 512 characters.
    var storable: String { String(prefix(512)).replacing("\0", with: "?") }
}

extension IncomingItem {
    /// The item's bytes as a row of the quarantine; nil for what has none.
    func asQuarantined(because reason: String) -> IncomingItem? {
        switch self {
        case .alert(let alert, let payload, let at):
            .quarantine(topic: Topic.alert(alert.identity).name, payload: payload, reason: reason, receivedAt: at)
        case .gap(let gap, let payload, let at):
            .quarantine(topic: Topic.alert(gap.identity).name, payload: payload, reason: reason, receivedAt: at)
        case .heartbeat(let heartbeat, let payload, let at):
            .quarantine(topic: Topic.heartbeat(heartbeat.identity).name, payload: payload, reason: reason, receivedAt: at)
        case .status, .statusCleared, .quarantine: nil
        }
    }
}
