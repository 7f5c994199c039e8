import FleetRuntime

/// The section `preview`: the page that shows on this machine what the agent sees. Off unless enabled; listens on loopback only.
public struct PreviewConfiguration: Sendable {
    /// Port on 127.0.0.1; nil when there is no page. 0 takes a free one.
    public var port: Int?
    /// Further names under which the page may be asked for, for those who reach it through a tunnel.
    public var hosts: [String]
    /// Pictures per second that a viewer gets at most.
    public var framesPerSecond: Double

    init(_ section: ConfigurationSection) throws {
        let isEnabled = try section.bool("enabled") ?? false
        let chosen = try section.integer("port", in: 0...65_535) ?? 8090
        port = isEnabled ? chosen : nil
        hosts = try section.strings("hosts") ?? []
        framesPerSecond = try section.number("fps", in: 1...30) ?? 10
    }
}
