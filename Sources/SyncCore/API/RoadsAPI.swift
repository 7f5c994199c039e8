import HTTPServer

/// `GET /api/v1/roads/{z}/{x}/{y}`: the roads of the configured map file, for the fleet view's map.
struct RoadsAPI: Sendable {
    /// How long a browser may draw a square without asking again, in seconds: maps change seldom.
    private static let keptS = 86_400

    let tiles: RoadTiles?

    func addRoutes(to router: inout HTTPRouter) {
        router.add("GET", "/api/v1/roads/{z}/{x}/{y}", query: []) { _, parameters in
            await answer {
                guard let tiles else { return .problem(404, "this server has no map file: set view.map in its configuration") }
                let numbers = ["z", "x", "y"].compactMap { parameters[$0].flatMap { Int($0) } }
                guard numbers.count == 3, let tile = try await tiles.tile(zoom: numbers[0], x: numbers[1], y: numbers[2]) else {
                    throw BadQuery(detail: "zoom is 0 to 18, column and row are below 2 to the power of it")
                }
                var response = HTTPResponse.json(tile)
                response.headers = [("Content-Type", "application/json"), ("Cache-Control", "private, max-age=\(Self.keptS)")]
                return response
            }
        }
    }
}
