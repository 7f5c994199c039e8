import FleetRuntime

/// The section `snapshots`: the pictures that go out with alerts.
public struct SnapshotConfiguration: Sendable {
    /// Whether alerts get a picture.
    public var isEnabled: Bool
    /// Whether faces and number plates are made unrecognisable in it.
    public var blurs: Bool

    init(_ section: ConfigurationSection) throws {
        isEnabled = try section.bool("enabled") ?? true
        blurs = try section.bool("blur") ?? true
    }
}
