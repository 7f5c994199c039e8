import FleetRuntime

/// The section `view`: what the fleet view shows behind its vehicles.
public struct SyncViewConfiguration: Sendable {
    /// Pattern of the map's tiles with `{z}`, `{x}` and `{y}`: a URL, or a path of this server's own host. Nil for no tiles.
    public var tiles: String?
    /// Whom the tiles are by, as their licence wants it said.
    public var tileAttribution: String

    /// A map file of `fleet-cli map import` whose roads are drawn where there are no tiles; nil for none.
    public var mapFile: String?

    /// No tiles: works without any other host.
    public init() { (tiles, tileAttribution) = (nil, "") }

    init(_ section: ConfigurationSection) throws {
        mapFile = try section.path("map")
        tiles = try section.string("tiles")
        tileAttribution = try section.string("tileAttribution", maximumLength: 200) ?? ""
        guard let tiles else { return }
        guard ["{z}", "{x}", "{y}"].allSatisfy({ tiles.contains($0) }), Self.origin(of: tiles) != nil || tiles.hasPrefix("/") else {
            throw section.error("tiles", "must be like https://tile.example.org/{z}/{x}/{y}.png, or a path of this host")
        }
    }

    /// Scheme, host and port from which tiles come, in the characters that a policy may hold; nil for this server's own.
    var tileOrigin: String? { tiles.flatMap(Self.origin) }

    private static func origin(of url: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
        let host = url.dropFirst(scheme.count).prefix { $0 != "/" }
        let isPlain = host.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0 | 32) || [45, 46, 58].contains($0) }
        return !host.isEmpty && isPlain ? scheme + host : nil
    }
}
