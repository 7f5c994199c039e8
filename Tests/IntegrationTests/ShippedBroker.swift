import FleetTestSupport
import Foundation

/// A broker with the configuration that is shipped: its lines, but for where files lie and who listens.
enum ShippedBroker {
    private static let configuration = TestAuthority.checkout + "config/"

    /// The lines of a file of `config/` without comments and without those that begin with a word of `but`.
    private static func lines(_ name: String, but words: [String]) throws -> [String] {
        try String(contentsOfFile: configuration + name, encoding: .utf8).split(separator: "\n").map(String.init).filter { line in
            !(["#", "listener", "password_file", "acl_file"] + words).contains { line.hasPrefix($0) }
        }
    }

    private static func start(_ lines: [String], _ folder: TemporaryFolder) async throws -> MosquittoBroker {
        try await MosquittoBroker(
            settings: lines + ["persistence_location \(folder.path(""))/", "acl_file \(configuration)mosquitto.acl"], folder: folder
        )
    }

    /// Without TLS and passwords: whatever name a client gives itself is believed.
    static func believing() async throws -> MosquittoBroker {
        try await start(lines("mosquitto.conf", but: ["allow_anonymous"]), TemporaryFolder())
    }

    /// The vehicles' listener with certificates of `authority`, read from the broker's own folder.
    static func secure(_ authority: TestAuthority, server name: String = "broker", hosts: [String] = ["localhost", "127.0.0.1"])
        async throws
        -> MosquittoBroker
    {
        try await secure(authority, showing: authority.server(name, hosts: hosts))
    }

    /// The same with a certificate that is there already.
    static func secure(_ authority: TestAuthority, showing server: (certFile: String, keyFile: String)) async throws
        -> MosquittoBroker
    {
        let folder = try TemporaryFolder()
        for (from, to) in [
            (server.certFile, "server.pem"), (server.keyFile, "server.key"), (authority.path("ca.pem"), "ca.pem"),
            (authority.path("crl.pem"), "crl.pem"),
        ] {
            try FileManager.default.copyItem(atPath: from, toPath: folder.path(to))
        }
        let tls = try lines("mosquitto-tls.conf", but: []).map {
            $0.replacing("/etc/mosquitto/fleet-tls", with: folder.url.path(percentEncoded: false).trimmingSuffix("/"))
        }
        return try await start(lines("mosquitto.conf", but: []) + tls, folder)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}

extension MosquittoBroker {
    /// `mqtts://localhost:port`.
    var secureURL: String { "mqtts://localhost:\(port)" }
}
