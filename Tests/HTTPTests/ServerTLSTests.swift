import FleetRuntime
import FleetTestSupport
import Foundation
import HTTPClient
import HTTPServer
import Testing

@Suite("The HTTP server with TLS")
struct ServerTLSTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    private func tls(_ files: (certFile: String, keyFile: String)) throws -> HTTPServer.TLS {
        HTTPServer.TLS(
            certificate: try String(contentsOfFile: files.certFile, encoding: .utf8),
            key: try String(contentsOfFile: files.keyFile, encoding: .utf8))
    }

    private func server(_ name: String = "api") throws -> HTTPServer {
        var settings = HTTPServer.Settings()
        settings.tls = try tls(authority.server(name))
        return HTTPServer(settings: settings) { request in
            if request.path == "/events" {
                return .events { sink in
                    _ = await sink.send(ServerSentEvent(data: "begin"))
                    let (nothing, keep) = AsyncStream.makeStream(of: Void.self)
                    for await _ in nothing {}
                    withExtendedLifetime(keep) {}
                }
            }
            return .data(Data("secure \(request.isSecure)".utf8), type: "text/plain")
        }
    }

    private func get(_ address: String, ca: String) async throws -> String {
        var settings = HTTPClient.Settings()
        settings.caFile = ca
        let client = HTTPClient(server: try ServerAddress(address), settings: settings)
        return String(decoding: try await client.get("/"), as: UTF8.self)
    }

    @Test("is trusted under its names by those who have its authority, and by nobody else")
    func trust() async throws {
        let server = try server()
        let port = try server.start()
        let ca = authority.path("ca.pem")
        #expect(try await get("https://localhost:\(port)", ca: ca) == "secure true")
        #expect(try await get("https://127.0.0.1:\(port)", ca: ca) == "secure true")
        // 127.0.0.2 reaches nothing here; ::1 neither. A name that the certificate lacks needs a server with another certificate.
        let other = try TestAuthority()
        await #expect(throws: HTTPClientError.self) { try await get("https://localhost:\(port)", ca: other.path("ca.pem")) }
        await #expect(throws: HTTPClientError.self) { try await get("http://localhost:\(port)", ca: ca) }
        await server.stop()
    }

    @Test("a certificate for another name, or a vehicle's, is not taken for the server's")
    func wrongCertificates() async throws {
        let vehicle = try authority.client("vehicle", "demo/truck-1")
        let wrong = [
            try authority.server("elsewhere", hosts: ["fleet.example.org"]),
            (certFile: try #require(vehicle.certFile), keyFile: try #require(vehicle.keyFile)),
        ]
        for files in wrong {
            var settings = HTTPServer.Settings()
            settings.tls = try tls(files)
            let server = HTTPServer(settings: settings) { _ in .problem(404, "") }
            let port = try server.start()
            await #expect(throws: HTTPClientError.self) {
                try await get("https://localhost:\(port)", ca: authority.path("ca.pem"))
            }
            await server.stop()
        }
    }

    @Test(
        "speaks TLS 1.2 and 1.3 with forward secrecy and authenticated ciphers, and nothing older",
        arguments: [
            (["-tls1_3"], true), (["-tls1_2"], true), (["-tls1_2", "-cipher", "ECDHE-ECDSA-CHACHA20-POLY1305"], true),
            (["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], false), (["-tls1", "-cipher", "ALL:@SECLEVEL=0"], false),
            (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0"], false),
            (["-tls1_2", "-cipher", "ECDHE-ECDSA-AES256-SHA384:@SECLEVEL=0"], false),
        ])
    func versions(options: [String], isAccepted: Bool) async throws {
        let server = try server()
        let port = try server.start()
        let run = try await ExternalProgram.run(
            "openssl",
            ["s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", authority.path("ca.pem"), "-verify_return_error"] + options)
        #expect((run.status == 0) == isAccepted, "\(run.output)")
        #expect(run.output.contains("Verify return code: 0 (ok)") == isAccepted || !isAccepted)
        await server.stop()
    }

    @Test("changes its certificate while it is asked: nobody is refused, open streams end, the new one is shown")
    func change() async throws {
        let server = try server()
        let port = try server.start()
        let ca = authority.path("ca.pem")
        let events = HTTPClient(
            server: try ServerAddress("https://localhost:\(port)"),
            settings: {
                var settings = HTTPClient.Settings()
                settings.caFile = ca
                return settings
            }())
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let stream = Task {
            do { for try await _ in events.events("/events", lastEventID: nil) { open.yield() } } catch { return true }
            return true
        }
        for await _ in opened { break }
        let before = try await serial(port)
        try authority.run(["renew", "server", "api"])
        let renewed = try tls((authority.path("servers/api/server.pem"), authority.path("servers/api/server.key")))
        async let answers = withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await get("https://localhost:\(port)", ca: ca) } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        try await server.change(to: renewed)
        #expect(try await answers == Array(repeating: "secure true", count: 20))
        #expect(await stream.value)
        #expect(try await serial(port) != before)
        await server.stop()
    }

    private func serial(_ port: Int) async throws -> String {
        let run = try await ExternalProgram.run("openssl", ["s_client", "-connect", "127.0.0.1:\(port)"])
        return try await ExternalProgram.run("openssl", ["x509", "-noout", "-serial"], input: run.output).output
    }

    @Test("a certificate that cannot be used changes nothing")
    func badChange() async throws {
        let server = try server()
        let port = try server.start()
        let before = try await serial(port)
        await #expect(throws: UserError.self) { try await server.change(to: HTTPServer.TLS(certificate: "no", key: "no")) }
        #expect(try await serial(port) == before)
        #expect(try await get("https://localhost:\(port)", ca: authority.path("ca.pem")) == "secure true")
        await server.stop()
        var settings = HTTPServer.Settings()
        settings.tls = HTTPServer.TLS(certificate: "no", key: "no")
        let other = HTTPServer(settings: settings) { _ in .problem(404, "") }
        #expect(throws: UserError(.configuration, "the server's certificate or key cannot be used")) { try other.start() }
    }
}
