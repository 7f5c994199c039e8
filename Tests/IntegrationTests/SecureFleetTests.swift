import FleetTestSupport
import Foundation
import Glibc
import Testing

/// The built programs with the shipped access: certificates on the broker, TLS and tokens on the API.
@Suite(.serialized) struct SecureFleetTests {
    private let delivery: DeliveryScenarioTests
    private let authority: TestAuthority

    init() throws {
        delivery = try DeliveryScenarioTests()
        authority = try TestAuthority()
    }

    private func write(_ text: String, _ name: String) throws -> String {
        try text.write(toFile: delivery.folder.path(name), atomically: true, encoding: .utf8)
        return delivery.folder.path(name)
    }

    private func startSync(_ broker: MosquittoBroker) async throws -> (BuiltProgram, String) {
        let mqtt = try authority.client("sync", "sync-1")
        let api = try authority.server("api")
        let configuration = try write(
            """
            store: {path: '\(delivery.store)'}
            mqtt: {url: '\(broker.secureURL)', caFile: '\(mqtt.caFile ?? "")', certFile: '\(mqtt.certFile ?? "")', keyFile: '\(mqtt.keyFile ?? "")'}
            http: {bind: '127.0.0.1:0', tokenFile: tokens, certFile: '\(api.certFile)', keyFile: '\(api.keyFile)'}
            """, "sync.yaml")
        for name in ["desk", "script"] {
            let add = try BuiltProgram(
                "fleet-sync", ["token", "add", name, "--config", configuration, "--save", delivery.folder.path(name)])
            #expect(await add.status() == 0, "\(add.standardError)")
        }
        let ready = delivery.folder.path("ready")
        let sync = try BuiltProgram("fleet-sync", ["run", "--config", configuration, "--ready-file", ready])
        #expect(
            await eventually(timeout: 20) {
                FileManager.default.fileExists(atPath: ready) && sync.standardError.contains("connected to")
            }, "\(sync.standardError)")
        return (sync, try String(contentsOfFile: ready, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func list(_ url: String, ca: String?, token: String?) async throws -> ExternalProgram {
        let environment = (token.map { ["FLEET_TOKEN_FILE": delivery.folder.path($0)] } ?? [:]).map { "\($0)=\($1)" }
        let program = BuiltProgram.path("fleet-cli")
        return try await ExternalProgram.run(
            "env",
            ["-u", "FLEET_TOKEN_FILE"] + environment + [program, "alerts", "--json", "--server", url]
                + (ca.map { ["--ca", $0] } ?? []))
    }

    @Test(
        "40-secure-fleet: an alert passes from a vehicle's certificate to fleet-cli --ca with a token, and nobody without them sees it"
    )
    func secureFleet() async throws {
        try delivery.writeSession()
        let broker = try await ShippedBroker.secure(authority)
        let (sync, url) = try await startSync(broker)
        #expect(url.hasPrefix("https://127.0.0.1:"))
        let vehicle = try authority.client("vehicle", "demo/truck-17")
        let agent = try BuiltProgram(
            "fleet-agent",
            [
                "replay", delivery.folder.path("session"), "--config",
                write(
                    """
                    fleet: demo
                    vehicle: truck-17
                    mqtt: {url: '\(broker.secureURL)', caFile: '\(vehicle.caFile ?? "")', certFile: '\(vehicle.certFile ?? "")', keyFile: '\(vehicle.keyFile ?? "")'}
                    overspeed: {defaultLimit: "50 km/h"}
                    """, "agent.yaml"), "--detections", delivery.folder.path("detections.jsonl"), "--publish", "--start-at", "now",
            ])
        #expect(await agent.status(timeout: 60) == 0, "\(agent.standardError)")

        let ca = authority.path("ca.pem")
        let read = try await list(url, ca: ca, token: "desk")
        #expect(read.status == 0 && read.output.contains("\"kind\":\"overspeed\""), "\(read.output)")
        let other = try TestAuthority()
        // No token; an authority that is not the server's; the system's authorities.
        #expect(try await list(url, ca: ca, token: nil).status == 78)
        #expect(try await list(url, ca: other.path("ca.pem"), token: "desk").status == 69)
        #expect(try await list(url, ca: nil, token: "desk").status == 69)

        // One token is taken back, the certificate renewed: both hold from SIGHUP on, for the rest nothing changes.
        let remove = try BuiltProgram(
            "fleet-sync", ["token", "remove", "desk", "--config", delivery.folder.path("sync.yaml")])
        #expect(await remove.status() == 0, "\(remove.standardError)")
        #expect(try await list(url, ca: ca, token: "desk").status == 0)
        try authority.run(["renew", "server", "api"])
        let port = try #require(URL(string: url)?.port)
        let before = try await serial(port)
        sync.signal(SIGHUP)
        #expect(await eventually { sync.standardError.contains("read anew") }, "\(sync.standardError)")
        #expect(try await serial(port) != before)
        #expect(try await list(url, ca: ca, token: "desk").status == 78)
        #expect(try await list(url, ca: ca, token: "script").status == 0)

        // A file that cannot be used changes nothing.
        _ = try write("no digest\n", "tokens")
        sync.signal(SIGHUP)
        #expect(await eventually { sync.standardError.contains("nothing is changed") }, "\(sync.standardError)")
        #expect(try await list(url, ca: ca, token: "script").status == 0)
        sync.signal(SIGTERM)
        #expect(await sync.status(timeout: 10) == 0)
    }

    private func serial(_ port: Int) async throws -> String {
        let run = try await ExternalProgram.run("openssl", ["s_client", "-connect", "127.0.0.1:\(port)"])
        return try await ExternalProgram.run("openssl", ["x509", "-noout", "-serial"], input: run.output).output
    }

    @Test("41-key-open-to-all: an agent whose key everybody can read does not publish and says which file and what to do")
    func openKey() async throws {
        let vehicle = try authority.client("vehicle", "demo/truck-17")
        let key = try #require(vehicle.keyFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        try delivery.writeSession()
        let configuration = try write(
            """
            fleet: demo
            vehicle: truck-17
            mqtt: {url: 'mqtts://localhost:1', caFile: '\(vehicle.caFile ?? "")', certFile: '\(vehicle.certFile ?? "")', keyFile: '\(key)'}
            """, "agent.yaml")
        let agent = try BuiltProgram(
            "fleet-agent",
            [
                "replay", delivery.folder.path("session"), "--config", configuration, "--detections",
                delivery.folder.path("detections.jsonl"), "--publish",
            ])
        #expect(await agent.status() == 78, "\(agent.standardError)")
        #expect(agent.standardError.contains("\(key): everybody can read it; chmod o= \(key)"))
    }
}
