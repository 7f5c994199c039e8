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
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 5, parts[0] == "fleet", parts[1] == "v1",
            let who = VehicleIdentity(fleet: parts[2], vehicle: parts[3])
        else { return nil }
        switch (parts[4], parts.count) {
        case ("alert", 5): self = .alert(who)
        case ("heartbeat", 5): self = .heartbeat(who)
        case ("status", 5): self = .status(who)
        case ("receipt", 5): self = .receipt(who)
        case ("snapshot", 6) where VehicleIdentity.isValid(parts[5]): self = .snapshot(who, alertID: parts[5])
        default: return nil
        }
    }

    /// What every instance of the sync service shares with the others (`$share/fleet-sync/...`), and what each one reads alone.
    public static let sharedFilters = [
        "$share/fleet-sync/fleet/v1/+/+/alert", "$share/fleet-sync/fleet/v1/+/+/heartbeat",
        "$share/fleet-sync/fleet/v1/+/+/snapshot/+",
    ]
    /// The retained status of every vehicle: a plain subscription, because retained messages do not come with shared ones.
    public static let statusFilter = "fleet/v1/+/+/status"
}
