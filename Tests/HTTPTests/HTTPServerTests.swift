import FleetRuntime
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@Suite("The HTTP server")
struct HTTPServerTests {
    /// Runs `body` against a server on a free port.
    private func withServer(
        bodyLimit: Int = 64 * 1024, _ routes: (inout HTTPRouter) -> Void, whileRunning body: (Int) async throws -> Void
    ) async throws {
        var settings = HTTPServer.Settings()
        settings.bodyLimit = bodyLimit
        var router = HTTPRouter()
        routes(&router)
        let server = HTTPServer(settings: settings) { [router] in await router.respond(to: $0) }
        let port = try server.start()
        do { try await body(port) } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func text(_ text: String) -> HTTPResponse { .data(Data(text.utf8), type: "text/plain") }

    @Test("finds the route by method and path, with the open segments as parameters")
    func routes() async throws {
        try await withServer { router in
            router.add("GET", "/things/{id}/part") { request, parameters in
                text("\(parameters["id"] ?? "")|\(request.queryValue("q") ?? "")")
            }
            router.add("POST", "/things") { request, _ in text("\(request.body.count)") }
        } whileRunning: { port in
            #expect(port > 0)
            let found = try await RawConnection.exchange(port, ["GET /things/a%20b/part?q=x%26y HTTP/1.1"])
            #expect(found.status == 200)
            #expect(found.body == "a b|x&y")
            #expect(try await RawConnection.exchange(port, ["POST /things HTTP/1.1"], body: "hello").body == "5")
            let missing = try await RawConnection.exchange(port, ["GET /nothing HTTP/1.1"])
            #expect(missing.status == 404)
            #expect(missing.headers["content-type"] == "application/problem+json")
            let wrong = try await RawConnection.exchange(port, ["DELETE /things HTTP/1.1"])
            #expect(wrong.status == 405)
            #expect(wrong.headers["allow"] == "POST")
        }
    }

    @Test("answers HEAD as GET, without the body")
    func head() async throws {
        try await withServer {
            $0.add("GET", "/") { _, _ in text("hello") }
        } whileRunning: { port in
            let answer = try await RawConnection.exchange(port, ["HEAD / HTTP/1.1"])
            #expect(answer.status == 200)
            #expect(answer.headers["content-length"] == "5")
            #expect(answer.body.isEmpty)
        }
    }

    @Test("refuses a body beyond the limit and headers beyond its memory")
    func limits() async throws {
        try await withServer(bodyLimit: 1000) {
            $0.add("POST", "/") { request, _ in text("\(request.body.count)") }
        } whileRunning: { port in
            let fits = try await RawConnection.exchange(port, ["POST / HTTP/1.1"], body: String(repeating: "x", count: 1000))
            #expect(fits.body == "1000")
            let large = try await RawConnection.exchange(port, ["POST / HTTP/1.1"], body: String(repeating: "x", count: 1001))
            #expect(large.status == 413)
            let head = try await RawConnection.exchange(
                port, ["GET / HTTP/1.1", "X-Long: " + String(repeating: "x", count: 200_000)])
            #expect((400...499).contains(head.status) || head.status == 0)
        }
    }

    @Test(
        "refuses what two readers could understand differently, and more headers or parameters than anybody needs",
        arguments: [
            (400, ["GET / HTTP/1.1", "Host: localhost", "Host: evil.example"]),
            (400, ["GET / HTTP/1.1", "Authorization: Bearer a", "Authorization: Bearer b"]),
            (400, ["POST / HTTP/1.1", "Transfer-Encoding: chunked"]),
            (431, ["GET / HTTP/1.1"] + (0..<101).map { "X-\($0): 1" }),
            (400, ["GET /?" + (0..<101).map { "a\($0)=1" }.joined(separator: "&") + " HTTP/1.1"]),
        ])
    func ambiguity(status: Int, head: [String]) async throws {
        try await withServer {
            $0.add("GET", "/") { _, _ in text("here") }
            $0.add("POST", "/") { _, _ in text("here") }
        } whileRunning: { port in
            let body = head[0].hasPrefix("POST") ? "0\r\n\r\n" : ""
            let answer = try await RawConnection.exchange(port, head, body: body)
            #expect(answer.status == status)
            let next = try await RawConnection.exchange(port, ["GET / HTTP/1.1"])
            #expect(next.body == "here")
        }
    }

    @Test(
        "survives nonsense and goes on serving",
        arguments: [
            "\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "GET /%00%ff%zz?%00=%ff&=&& HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        ])
    func nonsense(request: String) async throws {
        try await withServer {
            $0.add("GET", "/") { _, _ in text("here") }
        } whileRunning: { port in
            do {
                let connection = try RawConnection(port: port)
                connection.send(request)
            }
            #expect(try await RawConnection.exchange(port, ["GET / HTTP/1.1"]).body == "here")
        }
    }

    @Test("a handler that waits holds up nobody else")
    func slowHandler() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        try await withServer {
            $0.add("GET", "/slow") { _, _ in
                for await _ in gate { break }
                return text("late")
            }
            $0.add("GET", "/quick") { _, _ in text("now") }
        } whileRunning: { port in
            async let slow = RawConnection.exchange(port, ["GET /slow HTTP/1.1"])
            let quick = try await RawConnection.exchange(port, ["GET /quick HTTP/1.1"])
            #expect(quick.body == "now")
            open.yield()
            let late = try await slow
            #expect(late.body == "late")
        }
    }

    /// libmicrohttpd ends the process when it is stopped while a connection sleeps; one try in a hundred comes to that.
    @Test("a server stops, time and again, while requests wait for a handler that does not answer")
    func stopWhileWaiting() async throws {
        for _ in 0..<150 {
            let begun = AsyncStream.makeStream(of: Void.self)
            let server = HTTPServer(settings: HTTPServer.Settings()) { _ in
                begun.continuation.yield()
                try? await Task.sleep(for: .seconds(60))
                return .data(Data(), type: "text/plain")
            }
            let port = try server.start()
            let clients = try (0..<60).map { _ in try RawConnection(port: port) }
            for client in clients { client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") }
            var waiting = begun.stream.makeAsyncIterator()
            for _ in clients { await waiting.next() }
            await server.stop()
            #expect(throws: (any Error).self) { try RawConnection(port: port) }
        }
    }

    @Test("a port that is taken is told in one line")
    func takenPort() throws {
        let other = SilentListener()
        var settings = HTTPServer.Settings()
        settings.port = other.port
        let server = HTTPServer(settings: settings) { _ in .problem(404, "") }
        #expect(
            throws: UserError(.unavailable, "cannot listen on 127.0.0.1 port \(other.port): another program listens there")
        ) { try server.start() }
    }

    @Test("an address that is a name is refused")
    func nameAsAddress() throws {
        var settings = HTTPServer.Settings()
        settings.address = "localhost"
        let server = HTTPServer(settings: settings) { _ in .problem(404, "") }
        #expect(throws: UserError.self) { try server.start() }
    }
}
