import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import HTTPClient
import Testing

@testable import HTTPServer

@Suite("How answers are coded")
struct ContentCodingTests {
    private let text = String(repeating: "{\"id\":\"0197a3c2\"},", count: 200)

    private func apply(_ response: HTTPResponse, method: String = "GET", _ headers: [String: String] = [:]) -> HTTPResponse {
        ContentCoding.apply(response, to: HTTPRequest(method: method, path: "/", headers: headers))
    }

    private func header(_ name: String, _ response: HTTPResponse) -> String? { response.headers.first { $0.name == name }?.value }

    @Test("an answer has a mark of its content, and is not sent again to a client that shows it")
    func marks() throws {
        let response = HTTPResponse.json(["a": 1])
        let mark = try #require(header("ETag", apply(response)))
        #expect(mark.hasPrefix("W/\""))
        #expect(header("ETag", apply(.json(["a": 1]))) == mark)
        #expect(header("ETag", apply(.json(["a": 2]))) != mark)
        for shown in [mark, "\"x\", \(mark)", String(mark.dropFirst(2)), "*"] {
            let again = apply(response, ["if-none-match": shown])
            #expect(again.status == 304, "\(shown)")
            if case .data(let body) = again.body { #expect(body.isEmpty) }
            #expect(header("ETag", again) == mark)
        }
        #expect(apply(response, ["if-none-match": "W/\"other\""]).status == 200)
        // Errors, and what is not to be kept, have none.
        #expect(header("ETag", apply(.problem(404, "nothing"))) == nil)
        #expect(apply(response, method: "POST", ["if-none-match": mark]).status == 200)
    }

    @Test(
        "gzip is used when it is asked for",
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("deflate, gzip;q=0.5", true), ("gzip;q=0", false), ("*", true),
            ("br, *;q=0", false), ("GZIP", true), ("identity", false), ("gzip;q=nonsense", true),
        ] as [(String?, Bool)])
    func gzipHeader(header value: String?, isUsed: Bool) {
        let answer = apply(.data(Data(text.utf8), type: "application/json"), value.map { ["accept-encoding": $0] } ?? [:])
        #expect((header("Content-Encoding", answer) == "gzip") == isUsed)
        #expect(header("Vary", answer) == "Accept-Encoding")
        if case .data(let body) = answer.body { #expect((body.count < text.utf8.count / 4) == isUsed) }
    }

    @Test("what is short or compressed already stays as it is")
    func untouched() {
        for response in [
            HTTPResponse.data(Data("short".utf8), type: "text/plain"), .data(Data(text.utf8), type: "image/jpeg"),
        ] { #expect(header("Content-Encoding", apply(response, ["accept-encoding": "gzip"])) == nil) }
    }

    @Test("the client of this project asks for it and gets what was meant, over a socket; a foreign unpacker agrees")
    func roundTrip() async throws {
        let server = HTTPServer(settings: HTTPServer.Settings()) { [text] _ in .data(Data(text.utf8), type: "application/json") }
        let port = try server.start()
        let client = HTTPClient(server: try ServerAddress("http://127.0.0.1:\(port)"))
        #expect(try await client.get("/") == Data(text.utf8))
        let raw = try await RawConnection.exchange(port, ["GET / HTTP/1.1", "Accept-Encoding: gzip"])
        #expect(raw.headers["content-encoding"] == "gzip")
        await server.stop()
        let folder = try TemporaryFolder()
        try #require(ContentCoding.gzip(Data(text.utf8))).write(to: folder.url.appending(path: "x.gz"))
        #expect(try await ExternalProgram.run("gunzip", [folder.path("x.gz")]).status == 0)
        #expect(try Data(contentsOf: folder.url.appending(path: "x")) == Data(text.utf8))
    }
}
