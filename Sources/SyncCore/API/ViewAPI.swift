import HTTPServer

/// `GET /api/v1/view`: what the fleet view's pages have to know of this server.
struct ViewAPI: Sendable {
    private struct Settings: Encodable {
        /// Pattern of the map's tiles; null without.
        let tiles: String?
        /// Whom they are by.
        let attribution: String
        /// Whether the library that draws maps is here.
        let leaflet: Bool

        func encode(to encoder: any Encoder) throws {
            var c = encoder.container(keyedBy: CodingKeys.self)
            try c.encode(tiles, forKey: .tiles)
            try c.encode(attribution, forKey: .attribution)
            try c.encode(leaflet, forKey: .leaflet)
        }

        private enum CodingKeys: String, CodingKey { case tiles, attribution, leaflet }
    }

    let view: SyncViewConfiguration
    let hasLeaflet: Bool

    func addRoutes(to router: inout HTTPRouter) {
        router.add("GET", "/api/v1/view", query: []) { _, _ in
            .json(Settings(tiles: view.tiles, attribution: view.tileAttribution, leaflet: hasLeaflet))
        }
    }
}
