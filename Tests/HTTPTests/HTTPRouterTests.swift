import HTTPServer
import Testing

@Suite("Routes")
struct HTTPRouterTests {
    private func router() -> HTTPRouter {
        var router = HTTPRouter()
        router.addOpen("GET", "/open", query: []) { _, _ in HTTPResponse(status: 204) }
        router.add("GET", "/things", query: ["a", "b"]) { _, _ in HTTPResponse(status: 204) }
        router.add("POST", "/things/{id}", least: .reviewer) { _, parameters in
            HTTPResponse(status: 200, headers: [("Id", parameters["id"] ?? "")])
        }
        router.add("DELETE", "/things/{id}", least: .admin) { _, _ in HTTPResponse(status: 204) }
        return router
    }

    private func ask(_ method: String, _ path: String, _ query: [(name: String, value: String)] = [], as role: Role? = nil) async
        -> HTTPResponse
    {
        var request = HTTPRequest(method: method, path: path, query: query)
        request.principal = role.map { Principal(name: "ann", role: $0) }
        return await router().respond(to: request)
    }

    @Test(
        "a role may what the lesser ones may, and no more",
        arguments: [
            ("POST", nil, 403), ("POST", .viewer, 403), ("POST", .reviewer, 200), ("POST", .admin, 200), ("DELETE", .reviewer, 403),
            ("DELETE", .admin, 204),
        ] as [(String, Role?, Int)])
    func roles(method: String, role: Role?, status: Int) async {
        #expect(await ask(method, "/things/7", as: role).status == status)
    }

    @Test("parameters that nobody knows, or that stand twice, are refused")
    func parameters() async {
        #expect(await ask("GET", "/things", [("a", "1"), ("b", "2")]).status == 204)
        #expect(await ask("GET", "/things", [("c", "1")]).status == 400)
        #expect(await ask("GET", "/things", [("a", "1"), ("a", "2")]).status == 400)
        #expect(await ask("POST", "/things/7", [("any", "1")], as: .admin).status == 200)
    }

    @Test(
        "empty segments are segments: nothing but the path itself is its route",
        arguments: ["/things/", "//things", "/things//", "/open/", "//open", "/things/7/"])
    func segments(path: String) async { #expect(await ask("GET", path, as: .admin).status == 404) }

    @Test("what is open is open by its method alone")
    func open() {
        #expect(router().isOpen(HTTPRequest(method: "GET", path: "/open")))
        #expect(router().isOpen(HTTPRequest(method: "HEAD", path: "/open")))
        #expect(!router().isOpen(HTTPRequest(method: "POST", path: "/open")))
        #expect(!router().isOpen(HTTPRequest(method: "GET", path: "/things")))
        #expect(!router().isOpen(HTTPRequest(method: "GET", path: "/nothing")))
    }
}
