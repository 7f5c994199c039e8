import FleetRuntime
import FleetTestSupport
import Foundation
import Synchronization
import Testing

@testable import HTTPClient

@Suite("The HTTP client")
struct HTTPClientTests {
    @Test(
        "Addresses are http or https, a host, perhaps a port and a path",
        arguments: [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("https://fleet.example.org/", "https://fleet.example.org"),
            ("HTTP://Fleet.example.org:80/api/", "http://Fleet.example.org:80/api"), ("http://[::1]:8080", "http://[::1]:8080"),
        ])
    func addresses(text: String, expected: String) throws {
        #expect(try ServerAddress(text).description.lowercased() == expected.lowercased())
    }

    @Test(
        "Everything else is refused",
        arguments: [
            "", "fleet.example.org", "ftp://h", "file:///etc/passwd", "http://", "http://u@h", "http://u:p@h", "http://h?x=1",
            "http://h#f", "http://h:99999",
            "http://h h", "javascript:alert(1)",
        ])
    func badAddresses(text: String) { #expect(throws: HTTPClientError.self) { try ServerAddress(text) } }

    @Test("Only addresses of this computer are loopback")
    func loopback() throws {
        for text in ["http://127.0.0.1", "http://127.8.8.8:1", "http://localhost:80", "http://[::1]"] {
            #expect(try ServerAddress(text).isLoopback)
        }
        for text in ["http://127.0.0.1.example.org", "http://10.0.0.1", "https://example.org"] {
            #expect(try !ServerAddress(text).isLoopback)
        }
        #expect(try ServerAddress("https://h").isEncrypted)
    }

    @Test("Query values are percent-encoded as RFC 3986 wants it")
    func escaping() { #expect(HTTPClient.escaped("a b&c=d/ä+%~.-_") == "a%20b%26c%3Dd%2F%C3%A4%2B%25~.-_") }

    @Test("A request carries its query, the token and what is accepted, and the body comes back")
    func get() async throws {
        let server = try TinyServer { _ in [TinyServer.answer(200, "{\"ok\":true}")] }
        var settings = HTTPClient.Settings()
        settings.token = "s3cret"
        let client = HTTPClient(server: try ServerAddress(server.url + "/base"), settings: settings)
        let body = try await client.get("/x", query: [("a", "b c")])
        #expect(String(decoding: body, as: UTF8.self) == "{\"ok\":true}")
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("GET /base/x?a=b%20c HTTP/1.1\r\n"))
        #expect(request.contains("\r\nAuthorization: Bearer s3cret\r\n"))
        #expect(request.contains("\r\nAccept: application/json\r\n"))
    }

    private func failure(_ answer: String, limit: Int = 1000) async throws -> HTTPClientError? {
        let server = try TinyServer { _ in [answer] }
        let client = HTTPClient(server: try ServerAddress(server.url))
        do {
            _ = try await client.get("/", limit: limit)
            return nil
        } catch { return error }
    }

    @Test("Refusals say status and reason, redirects are not followed, long and broken answers are errors")
    func failures() async throws {
        let problem = TinyServer.answer(401, "{\"title\":\"Unauthorized\",\"detail\":\"send the token\"}")
        #expect(try await failure(problem) == .refused(status: 401, detail: "send the token"))
        #expect(try await failure(TinyServer.answer(500, "<html>")) == .refused(status: 500, detail: nil))
        let redirect = "HTTP/1.1 302 Found\r\nLocation: http://elsewhere.example/\r\nContent-Length: 0\r\n\r\n"
        #expect(try await failure(redirect) == .redirected(to: "http://elsewhere.example/"))
        #expect(try await failure(TinyServer.answer(200, String(repeating: "x", count: 1001))) == .tooLarge(bytes: 1000))
        #expect(try await failure(TinyServer.answer(200, String(repeating: "x", count: 1000))) == nil)
        guard case .broken = try await failure("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort") else {
            Issue.record("half an answer was taken for a whole one")
            return
        }
        guard case .broken = try await failure("nonsense\r\n\r\n") else {
            Issue.record("nonsense was taken for HTTP")
            return
        }
    }

    @Test("A port that nobody listens on, and a server that never answers, are told apart")
    func silence() async throws {
        let closed = HTTPClient(server: try ServerAddress("http://127.0.0.1:1"))
        do {
            _ = try await closed.get("/")
            Issue.record("answered")
        } catch {
            guard case .unreachable = error else {
                Issue.record("\(error)")
                return
            }
        }
        let server = try TinyServer { _ in [] }
        var settings = HTTPClient.Settings()
        settings.timeoutS = 0.3
        let client = HTTPClient(server: try ServerAddress(server.url), settings: settings)
        await #expect(throws: HTTPClientError.timedOut) { try await client.get("/") }
    }

    @Test("Events arrive whole, the last id is sent, and the end of the stream is an error", .timeLimit(.minutes(1)))
    func events() async throws {
        let server = try TinyServer { _ in
            [
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n: \n\nid: 5\nevent: alert\nda",
                "ta: one\n\n",
                "id: 6\ndata: two\n\n",
            ]
        }
        let client = HTTPClient(server: try ServerAddress(server.url))
        var events: [ReceivedEvent] = []
        do {
            for try await event in client.events("/stream", lastEventID: "4") { events.append(event) }
            Issue.record("ended without an error")
        } catch let error as HTTPClientError { #expect(error == .broken("the server closed the stream")) }
        #expect(
            events == [ReceivedEvent(id: "5", event: "alert", data: "one"), ReceivedEvent(id: "6", event: "message", data: "two")])
        #expect(server.requests.first?.contains("\r\nLast-Event-ID: 4\r\n") == true)
    }
}

@Suite("Event streams")
struct EventStreamParserTests {
    private func events(_ pieces: [String]) -> [ReceivedEvent] {
        var parser = EventStreamParser()
        return pieces.flatMap { piece in Array(piece.utf8).withUnsafeBytes { parser.events(in: $0) } }
    }

    @Test("Lines may end in CR, LF or both, and pieces may be cut anywhere")
    func lineEnds() {
        let expected = [ReceivedEvent(id: "1", event: "a", data: "x\ny"), ReceivedEvent(id: "1", event: "message", data: "")]
        for end in ["\n", "\r", "\r\n"] {
            let text = ["id: 1", "event:a", "data: x", "data:y", "", ": comment", "data", "", "event: lost", "", "data: half"]
                .joined(separator: end)
            #expect(events([text]) == expected)
            #expect(events(text.map(String.init)) == expected)
            #expect(events(text.utf8.map { String(decoding: [$0], as: UTF8.self) }) == expected)
        }
    }

    @Test("A byte order mark, unknown fields and ids with a zero are passed over")
    func oddities() {
        #expect(
            events(["\u{FEFF}data: x\nretry: 10\nfoo: bar\nid: a\u{0}b\n\n"]) == [
                ReceivedEvent(id: nil, event: "message", data: "x")
            ])
        #expect(events(["data:  two blanks\n\n"]).first?.data == " two blanks")
    }

    @Test("A line and an event without end are given up")
    func limits() {
        var parser = EventStreamParser()
        _ = [UInt8](repeating: 120, count: EventStreamParser.limit + 1).withUnsafeBytes { parser.events(in: $0) }
        #expect(parser.isOverLimit)
        parser = EventStreamParser()
        let line = Array(("data: " + String(repeating: "x", count: 100_000) + "\n").utf8)
        for _ in 0..<11 { _ = line.withUnsafeBytes { parser.events(in: $0) } }
        #expect(parser.isOverLimit)
    }
}
