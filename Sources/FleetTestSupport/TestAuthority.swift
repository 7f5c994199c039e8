import Foundation
import MQTTClient

/// A certificate authority of a test's own, by `scripts/make-certs`, as a fleet has one.
public final class TestAuthority: Sendable {
    /// Why the script failed.
    public struct Failure: Error, CustomStringConvertible {
        /// Its output.
        public let description: String
    }

    /// The checkout.
    public static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path()
    private let folder: TemporaryFolder

    /// A new authority.
    public init() throws {
        folder = try TemporaryFolder()
        try run(["init"])
    }

    /// A file below the authority's folder, e.g. `ca.pem`, `crl.pem`, `vehicles/demo/truck-1/vehicle.key`.
    public func path(_ name: String) -> String { folder.path("ca") + "/" + name }

    /// Runs `scripts/make-certs` with `arguments` and returns its output.
    @discardableResult
    public func run(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
        let run = try ExternalProgram.runBlocking(
            Self.checkout + "scripts/make-certs", arguments + ["--dir", folder.path("ca")], environment: environment)
        guard run.status == 0 else { throw Failure(description: run.output) }
        return run.output
    }

    /// Certificate and key for a server that is asked as `localhost` or `127.0.0.1`, or by the names in `hosts`.
    public func server(_ name: String, hosts: [String] = ["localhost", "127.0.0.1"]) throws -> (certFile: String, keyFile: String) {
        try run(["server", name] + hosts.flatMap { ["--host", $0] })
        return (path("servers/\(name)/server.pem"), path("servers/\(name)/server.key"))
    }

    /// What a client of `kind` (`vehicle`, `sync`, `viewer`) called `name` shows and trusts.
    public func client(_ kind: String, _ name: String) throws -> MQTTSettings.TLS {
        if !FileManager.default.fileExists(atPath: path("\(kind)s/\(name)/\(kind).pem")) { try run([kind, name]) }
        return MQTTSettings.TLS(
            caFile: path("ca.pem"), certFile: path("\(kind)s/\(name)/\(kind).pem"), keyFile: path("\(kind)s/\(name)/\(kind).key"))
    }
}
