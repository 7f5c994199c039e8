import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@testable import SyncCore

@Suite("The API's description")
struct OpenAPITests {
    @Test("names every route with its parameters and roles, and nothing else")
    func complete() async throws {
        let fixture = try APIFixture()
        let document = try APIFixture.json(await fixture.get("/api/v1/openapi.json"))
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        let described = paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } }
        let routes = fixture.api.routes.filter { route in
            route.pattern.hasPrefix("/api/") || ["/healthz", "/readyz", "/metrics"].contains(route.pattern)
        }
        #expect(described.sorted() == routes.map { "\($0.method) \($0.pattern)" }.sorted())
        for route in routes {
            let operation = try #require(paths[route.pattern]?[route.method.lowercased()] as? [String: Any])
            let parameters = (operation["parameters"] as? [[String: Any]] ?? []).filter { $0["in"] as? String == "query" }
            #expect(Set(parameters.compactMap { $0["name"] as? String }) == route.query, "\(route.method) \(route.pattern)")
            let words = operation["description"] as? String
            switch route.access {
            case .everybody: #expect((operation["security"] as? [Any])?.isEmpty == true, "\(route.pattern)")
            case .somebody: #expect(words == "Wants the role viewer.", "\(route.pattern)")
            case .role(let role): #expect(words == "Wants the role \(role).", "\(route.pattern)")
            }
        }
    }
}
