import HTTPServer
import RoadMap

/// `GET /api/v1/view`: what the fleet view's pages have to know of this server.
struct ViewAPI: Sendable {
    private struct Settings: Encodable {
        /// Pattern of the map's tiles; null without.
        let tiles: String?
        /// Whom they are by.
        let attribution: String
        /// Whether `/api/v1/roads` has a map.
        let roads: Bool
        /// Whether the library that draws maps is here.
        let leaflet: Bool

        func encode(to encoder: any Encoder) throws {
            var c = encoder.container(keyedBy: CodingKeys.self)
            try c.encode(tiles, forKey: .tiles)
            try c.encode(attribution, forKey: .attribution)
            try c.encode(roads, forKey: .roads)
            try c.encode(leaflet, forKey: .leaflet)
        }

        private enum CodingKeys: String, CodingKey { case tiles, attribution, roads, leaflet }
    }

    let view: SyncViewConfiguration
    let hasLeaflet: Bool
    let hasRoads: Bool

    /// Tiles hide the roads, so that only one of the two is named.
    private var attribution: String { view.tiles == nil && hasRoads ? MapFile.attribution : view.tileAttribution }

    func addRoutes(to router: inout HTTPRouter) {
        router.add("GET", "/api/v1/view", query: []) { _, _ in
            .json(Settings(tiles: view.tiles, attribution: attribution, roads: hasRoads, leaflet: hasLeaflet))
        }
    }
}
