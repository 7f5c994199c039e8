import FleetRuntime

/// The section `outbox`: where alerts wait for their receipt.
public struct OutboxConfiguration: Sendable {
    /// The SQLite file.
    public var path: String
    /// Bound on what waits, in bytes.
    public var maximumBytes: Int64
    /// Age in s at which what waits is dropped, unless it is critical.
    public var maximumAgeS: Double

    init(_ section: ConfigurationSection) throws {
        path = try section.path("path") ?? "/var/lib/fleet-agent/outbox.db"
        maximumBytes = try section.byteCount("maximumBytes", in: 1_048_576...1_099_511_627_776) ?? 256 << 20
        maximumAgeS = try section.duration("maximumAge", in: 3600...315_360_000) ?? 30 * 86_400
    }
}
