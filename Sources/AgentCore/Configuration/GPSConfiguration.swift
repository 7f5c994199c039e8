import FleetRuntime

/// The section `gps`: where gpsd listens.
public struct GPSConfiguration: Sendable {
    /// Host name or address.
    public var host: String
    /// TCP port.
    public var port: Int

    init(_ section: ConfigurationSection) throws {
        host = try section.string("host", maximumLength: 255) ?? "127.0.0.1"
        port = try section.integer("port", in: 1...65_535) ?? 2947
    }
}
