import FleetRuntime

/// The section `outbox`: where alerts wait for their receipt.
public struct OutboxConfiguration: Sendable {
    /// The SQLite file.
    public var path: String
    /// Bound on what waits, in bytes.
    public var maximumBytes: Int64

    init(_ section: ConfigurationSection) throws {
        path = try section.path("path") ?? "/var/lib/fleet-agent/outbox.db"
        maximumBytes = try section.byteCount("maximumBytes", in: 1_048_576...1_099_511_627_776) ?? 256 << 20
    }
}
