import FleetRuntime
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@testable import SyncCore

@Suite("The files that decide who may ask")
struct AccessFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func http(_ settings: String) throws -> SyncHTTPConfiguration {
        let text = "store: {path: x.db}\nmqtt: {url: 'mqtt://localhost'}\nhttp: {\(settings)}"
        return try SyncConfiguration(document: ConfigurationDocument(text: Array(text.utf8), file: folder.path("sync.yaml"))).http
    }

    private func write(_ text: String, _ name: String, mode: Int = 0o644) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path(name))
    }

    @Test(
        "an address that others can reach wants tokens, and TLS or a proxy that is named",
        arguments: [
            ("bind: '127.0.0.1:8080'", true), ("bind: '[::1]:8080'", true), ("bind: '0.0.0.0:8080'", false),
            ("bind: '10.1.2.3:8080', tokenFile: t", false), ("bind: '10.1.2.3:8080', certFile: c, keyFile: k", false),
            ("bind: '10.1.2.3:8080', tokenFile: t, certFile: c, keyFile: k", true),
            ("bind: '10.1.2.3:8080', tokenFile: t, certFile: c", false),
            ("bind: '[::]:8080', tokenFile: t, behindProxy: true, trustedProxies: [10.1.2.4]", true),
            ("bind: '[::]:8080', tokenFile: t, behindProxy: true", false),
            ("bind: '[::]:8080', behindProxy: true, trustedProxies: [10.1.2.4]", false),
        ])
    func binds(settings: String, isAllowed: Bool) {
        if isAllowed {
            #expect(throws: Never.self) { try http(settings) }
        } else {
            let error = #expect(throws: UserError.self) { try http(settings) }
            #expect(error?.code == .configuration)
        }
    }

    @Test("a token in the clear, a file that others can change, a missing one: one line that says what to do")
    func tokenFiles() throws {
        let http = try http("tokenFile: tokens")
        #expect(throws: UserError.self) { try AccessFiles(http) }
        #expect((#expect(throws: UserError.self) { try AccessFiles(http) })?.message.contains("fleet-sync token add") == true)
        try write("5ca1ab1e5ca1ab1e\n", "tokens")
        #expect((#expect(throws: UserError.self) { try AccessFiles(http) })?.message.contains("fleet-sync token add") == true)
        let line = "desk " + SHA256.hexadecimal(SHA256.digest(of: Data("s3cret".utf8)))
        try write(line, "tokens", mode: 0o666)
        #expect((#expect(throws: UserError.self) { try AccessFiles(http) })?.message.contains("chmod go-w") == true)
        try write(line, "tokens")
        #expect(try AccessFiles(http).tokens == APIFixture.tokens("s3cret"))
    }

    @Test("a key that everybody can read, or of another certificate, is refused by name")
    func keys() throws {
        let authority = try TestAuthority()
        let (api, other) = (try authority.server("api"), try authority.server("other"))
        let good = try http("certFile: '\(api.certFile)', keyFile: '\(api.keyFile)'")
        #expect(try AccessFiles(good).certificate?.commonName == "api")
        let mixed = try http("certFile: '\(api.certFile)', keyFile: '\(other.keyFile)'")
        #expect(throws: UserError(.configuration, "\(other.keyFile): is not the key of the certificate in \(api.certFile)")) {
            try AccessFiles(mixed)
        }
        let swapped = try http("certFile: '\(api.keyFile)', keyFile: '\(api.keyFile)'")
        #expect(throws: UserError(.configuration, "\(api.keyFile): is not the key of the certificate in \(api.keyFile)")) {
            try AccessFiles(swapped)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: api.keyFile)
        #expect(throws: UserError(.configuration, "\(api.keyFile): everybody can read it; chmod o= \(api.keyFile)")) {
            try AccessFiles(good)
        }
    }

    @Test("token add shows the token once and keeps its digest; list names it; remove takes it back")
    func commands() async throws {
        try write("store: {path: x.db}\nmqtt: {url: 'mqtt://localhost'}\nhttp: {tokenFile: tokens}\n", "sync.yaml")
        func run(_ words: String...) async -> ExitCode? {
            ExitCode(rawValue: await SyncProgram.program.run(["token"] + words + ["--config", folder.path("sync.yaml")]))
        }
        #expect(await run("list") == .noInput)
        #expect(await run("add", "desk", "--save", folder.path("token")) == .ok)
        #expect(await run("add", "desk", "--save", folder.path("token2")) == .usage)
        #expect(!FileManager.default.fileExists(atPath: folder.path("token2")))
        #expect(await run("add", "no name") == .usage)
        #expect(await run("add", "script", "--save", folder.path("token")) == .ioError)
        #expect(await run("list") == .ok)
        // As written, the file passes the check of secrets: nobody else can read it.
        let token = try SecretFile.read(folder.path("token"))
        let kept = try String(contentsOfFile: folder.path("tokens"), encoding: .utf8)
        #expect(kept.contains(SHA256.hexadecimal(SHA256.digest(of: Data(token.utf8)))) && !kept.contains(token))
        let policy = AccessPolicy(hosts: [], tokens: try AccessFiles(http("tokenFile: tokens")).tokens)
        let request = HTTPRequest(method: "GET", path: "/", headers: ["authorization": "Bearer " + token])
        #expect(policy.judge(request, client: "a").principal?.name != nil)
        #expect(await run("remove", "desk") == .ok)
        #expect(await run("remove", "desk") == .noInput)
        #expect(try AccessFiles(http("tokenFile: tokens")).tokens?.entries.isEmpty == true)
    }
}
