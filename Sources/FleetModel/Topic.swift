/// The MQTT topics of the contract: `fleet/v1/{fleet}/{vehicle}/...`.
public enum Topic: Hashable, Sendable {
    case alert(VehicleIdentity)
    case snapshot(VehicleIdentity, alertID: String)
    case heartbeat(VehicleIdentity)
    case status(VehicleIdentity)
    case receipt(VehicleIdentity)

    /// The topic's name on the broker.
    public var name: String {
        switch self {
        case .alert(let who): "fleet/v1/\(who)/alert"
        case .snapshot(let who, let id): "fleet/v1/\(who)/snapshot/\(id)"
        case .heartbeat(let who): "fleet/v1/\(who)/heartbeat"
        case .status(let who): "fleet/v1/\(who)/status"
        case .receipt(let who): "fleet/v1/\(who)/receipt"
        }
    }

    /// The vehicle that the topic belongs to.
    public var vehicle: VehicleIdentity {
        switch self {
        case .alert(let who), .snapshot(let who, _), .heartbeat(let who), .status(let who), .receipt(let who): who
        }
    }

    /// Reads a topic's name; nil for anything that the contract does not know.
    public init?(name: String) {
        // By bytes: this is done for every message that a fleet sends.
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 6, omittingEmptySubsequences: false)
        guard parts.count >= 5, parts[0].elementsEqual("fleet".utf8), parts[1].elementsEqual("v1".utf8),
            let who = VehicleIdentity(fleet: String(Substring(parts[2])), vehicle: String(Substring(parts[3])))
        else { return nil }
        let last = String(Substring(parts[parts.count - 1]))
        switch parts.count {
        case 5:
            switch last {
            case "alert": self = .alert(who)
            case "heartbeat": self = .heartbeat(who)
            case "status": self = .status(who)
            case "receipt": self = .receipt(who)
            default: return nil
            }
        case 6 where parts[4].elementsEqual("snapshot".utf8) && VehicleIdentity.isValid(last):
            self = .snapshot(who, alertID: last)
        default: return nil
        }
    }

    /// What every instance of the sync service shares with the others: `$share/fleet-sync-{key}/...`.
    ///
    /// A broker gives each message to one member of the group, and mosquitto lets every user join any group whose name it knows: what it
    /// then may not read is lost. So `key`, 1 to 64 of `[0-9a-f]`, has to be known to the instances only.
    public static func sharedFilters(key: String) -> [String] {
        ["alert", "heartbeat", "snapshot/+"].map { "$share/fleet-sync-\(key)/fleet/v1/+/+/\($0)" }
    }
    /// The retained status of every vehicle: a plain subscription, because retained messages do not come with shared ones.
    public static let statusFilter = "fleet/v1/+/+/status"
}
