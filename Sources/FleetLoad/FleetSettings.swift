import FleetModel
import FleetRuntime
import MQTTClient

/// What `fleet-sim fleet` is asked for.
struct FleetSettings: Sendable {
    var vehicles = 100
    /// Alert messages a second over the whole fleet.
    var rate = 10.0
    var durationS = 60.0
    var broker = "mqtt://127.0.0.1:1883"
    var fleet = "sim"
    /// Connections that carry the vehicles' messages; one more takes the receipts.
    var connections = 4
    /// Seconds between a vehicle's heartbeats; 0 for none.
    var heartbeatS = 10.0
    /// Share of episodes with a picture.
    var snapshots = 0.2
    var faults = FaultMix()
    var seed: UInt64 = 1
    /// Seconds without a receipt after which a message is sent again.
    var resendS = 30.0
    /// Seconds to wait for the last receipts.
    var drainS = 35.0
    var username: String?
    var passwordFile: String?
    var caFile: String?
    var isJSON = false

    static let options: [OptionSpec] = [
        .value("--broker", "URL", "mqtt://HOST[:PORT] or mqtts:// (default mqtt://127.0.0.1:1883)"),
        .value("--vehicles", "N", "vehicles, 1 to 100000 (default 100)"),
        .value("--rate", "R", "alert messages a second over the whole fleet, 0 to 20000 (default 10)"),
        .value("--duration", "S", "seconds, 1 to 86400 (default 60)"),
        .value("--heartbeat", "S", "seconds between a vehicle's heartbeats, 0 for none (default 10)"),
        .value("--snapshots", "SHARE", "share of alerts with a picture, 0 to 1 (default 0.2)"),
        .value("--connections", "N", "connections that carry the vehicles, 1 to 1000 (default 4)"),
        .value("--faults", "LIST", "e.g. duplicate=0.01,reorder=0.05,drop=0.01,malformed=0.1"),
        .value("--seed", "N", "routes, episodes and faults (default 1)"),
        .value("--fleet", "NAME", "fleet name (default sim)"),
        .value("--resend", "S", "first resend without a receipt, 1 to 600 (default 30)"),
        .value("--drain", "S", "longest wait for the last receipts, 0 to 3600 (default 35)"),
        .value("--username", "NAME", "user name at the broker; it must be allowed to publish for every vehicle"),
        .value("--password-file", "FILE", "its first line is the password"),
        .value("--ca", "FILE", "certificate authority of the broker, PEM"),
        .flag("--json", "one line of JSON instead of the table"),
    ]

    init() {}

    /// The settings of a command line; throws `UserError` of the kind `usage`.
    init(_ arguments: ParsedArguments) throws {
        vehicles = try arguments.integer("--vehicles", in: 1...100_000) ?? vehicles
        rate = try arguments.number("--rate", in: 0...20_000) ?? rate
        durationS = try arguments.number("--duration", in: 1...86_400) ?? durationS
        broker = arguments.value("--broker") ?? broker
        fleet = arguments.value("--fleet") ?? fleet
        guard VehicleIdentity.isValid(fleet) else {
            throw UserError(.usage, "--fleet \(fleet): must be 1 to 64 letters, digits, _ and -")
        }
        connections = min(try arguments.integer("--connections", in: 1...1000) ?? connections, vehicles)
        heartbeatS = try arguments.number("--heartbeat", in: 0...3600) ?? heartbeatS
        snapshots = try arguments.number("--snapshots", in: 0...1) ?? snapshots
        faults = try arguments.value("--faults").map(FaultMix.init) ?? faults
        seed = UInt64(try arguments.integer("--seed", in: 0...Int.max) ?? 1)
        resendS = try arguments.number("--resend", in: 1...600) ?? resendS
        drainS = try arguments.number("--drain", in: 0...3600) ?? drainS
        username = arguments.value("--username")
        passwordFile = arguments.value("--password-file")
        caFile = arguments.value("--ca")
        isJSON = arguments.has("--json")
        _ = try connection("check")
    }

    /// How connection `name` is made. Throws `UserError` for a wrong URL or an unreadable password file.
    func connection(_ name: String, subscribing filters: [String] = []) throws -> MQTTSettings {
        var settings = try MQTTSettings(
            url: broker, clientID: "sim-\(fleet)-\(name)", username: username, passwordFile: passwordFile,
            tls: .init(caFile: caFile))
        settings.subscriptions = filters.map { ($0, .atMostOnce) }
        return settings
    }
}
