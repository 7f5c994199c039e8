import FleetModel
import FleetTestSupport
import Foundation
import MQTTClient
import Testing

/// The broker with the shipped TLS listener and ACL, and certificates of `scripts/make-certs`. What a client may do is judged by what
/// others receive: a publisher that is refused may end with status 0.
@Suite("The shipped broker configuration with certificates", .serialized)
struct CertificateAccessTests {
    private let authority: TestAuthority
    private static let own = "fleet/v1/demo/truck-1/"

    init() throws { authority = try TestAuthority() }

    private func connect(
        _ broker: MosquittoBroker, _ kind: String, _ name: String, id: String? = nil, username: String? = nil,
        filters: [String] = []
    ) async throws -> TestSubscriber {
        try await TestSubscriber(
            url: broker.secureURL, id: id ?? "test-" + name.replacing("/", with: "-"), username: username,
            tls: authority.client(kind, name), filters: filters)
    }

    private func message(_ topic: String, _ text: String = "x", retain: Bool = false) -> MQTTMessage {
        MQTTMessage(topic: topic, payload: Data(text.utf8), qos: .atLeastOnce, retain: retain)
    }

    /// Topics that are not truck-1's to write.
    private static let foreign = [
        "fleet/v1/demo/truck-2/alert", "fleet/v1/demo/truck-2/status", "fleet/v1/demo/truck-2/heartbeat",
        "fleet/v1/demo/truck-2/snapshot/0197", "fleet/v1/demo/truck-2/receipt", "fleet/v1/other/truck-1/alert",
        "fleet/v1/other/truck-1/status", own + "receipt", own + "alert/x", own + "x", own + "snapshot/a/b", "fleet/v1/demo/alert",
        "fleet/v1/demo/truck-1", "fleet/v1/demo/truck-11/alert", "fleet/v1/fleet-sync/receipt", "fleet/v2/demo/truck-1/alert",
        "$share/fleet-sync/fleet/v1/demo/truck-2/alert", "other",
    ]
    private static let allowed = ["alert", "snapshot/0197", "heartbeat", "status"].map { own + $0 }

    @Test("A vehicle's certificate publishes for that vehicle alone: not for another, not for another fleet, not its own receipts")
    func publishing() async throws {
        let broker = try await ShippedBroker.secure(authority)
        let viewer = try await connect(broker, "viewer", "desk", filters: ["fleet/v1/#"])
        let sync = try await connect(
            broker, "sync", "sync-1",
            filters: Topic.sharedFilters(key: "5a") + [Topic.statusFilter])
        let victims = try await [
            connect(broker, "vehicle", "demo/truck-2", filters: ["fleet/v1/demo/truck-2/receipt", "fleet/v1/demo/truck-2/status"]),
            connect(
                broker, "vehicle", "other/truck-1", filters: ["fleet/v1/other/truck-1/status", "fleet/v1/other/truck-1/receipt"]),
        ]
        // The name that it gives itself counts for nothing.
        let vehicle = try await connect(
            broker, "vehicle", "demo/truck-1", username: "fleet-sync", filters: [Self.own + "receipt", Self.own + "status"])
        for topic in Self.foreign { _ = try? vehicle.client.publish(message(topic, retain: true)) }
        for topic in Self.allowed { _ = try vehicle.client.publish(message(topic)) }
        // Messages of one publisher stay in order: with the last one here, the others would be here too.
        #expect(await eventually { viewer.messages.count >= Self.allowed.count && sync.messages.count >= Self.allowed.count })
        #expect(viewer.messages.map(\.topic) == Self.allowed)
        #expect(Set(sync.messages.map(\.topic)) == Set(Self.allowed))
        #expect(await eventually { vehicle.messages.map(\.topic) == [Self.own + "status"] })
        for victim in victims { #expect(victim.messages.isEmpty) }
        let late = try await connect(broker, "viewer", "late", filters: ["#"])
        _ = try vehicle.client.publish(message(Self.own + "alert", "marker"))
        #expect(await eventually { !late.messages.isEmpty })
        #expect(late.messages.map(\.payload) == [Data("marker".utf8)], "nothing that was refused is retained")
        for client in [viewer, sync, vehicle, late] + victims { await client.stop() }
    }

    @Test("A vehicle that joins every group it can guess takes nothing away from the service")
    func strangerInTheGroup() async throws {
        let broker = try await ShippedBroker.secure(authority)
        let sync = try await connect(broker, "sync", "sync-1", filters: Topic.sharedFilters(key: "5a"))
        let thief = try await connect(
            broker, "vehicle", "demo/truck-2",
            filters: ["fleet-sync", "fleet-sync-", "fleet"].map { "$share/\($0)/fleet/v1/+/+/alert" })
        let vehicle = try await connect(broker, "vehicle", "demo/truck-1", filters: [Self.own + "receipt"])
        for number in 1...20 { _ = try vehicle.client.publish(message(Self.own + "alert", "\(number)")) }
        #expect(await eventually { sync.messages.count >= 20 })
        #expect(sync.messages.map(\.payload) == (1...20).map { Data("\($0)".utf8) })
        #expect(thief.messages.isEmpty)
        for client in [sync, thief, vehicle] { await client.stop() }
    }

    @Test("mosquitto_pub with a vehicle's certificate ends with status 0 for another's topic, and nobody receives anything")
    func silentRefusal() async throws {
        let broker = try await ShippedBroker.secure(authority)
        let viewer = try await connect(broker, "viewer", "desk", filters: ["fleet/v1/#"])
        let tls = try authority.client("vehicle", "demo/truck-1")
        for (topic, version) in [
            ("fleet/v1/demo/truck-2/alert", "311"), ("fleet/v1/demo/truck-2/alert", "5"), (Self.own + "receipt", "311"),
            (Self.own + "alert", "311"),
        ] {
            let run = try await ExternalProgram.run(
                "mosquitto_pub", Self.options(broker, tls) + ["-V", version, "-q", "1", "-t", topic, "-m", "x"])
            #expect(run.status == 0, "\(run.output)")
        }
        #expect(await eventually { !viewer.messages.isEmpty })
        #expect(viewer.messages.map(\.topic) == [Self.own + "alert"])
        await viewer.stop()
    }

    @Test("A last will speaks for its own vehicle alone")
    func wills() async throws {
        let broker = try await ShippedBroker.secure(authority)
        let viewer = try await connect(broker, "viewer", "desk", filters: ["fleet/v1/#"])
        let tls = try authority.client("vehicle", "demo/truck-1")
        for topic in ["fleet/v1/demo/truck-2/status", Self.own + "status"] {
            // Killed after a second: the broker sends the will.
            _ = try await ExternalProgram.run(
                "timeout",
                ["-s", "KILL", "1", "mosquitto_sub"] + Self.options(broker, tls)
                    + [
                        "-t", Self.own + "receipt", "--will-topic", topic, "--will-payload", "gone", "--will-qos", "1",
                        "--will-retain",
                    ])
        }
        #expect(await eventually { !viewer.messages.isEmpty })
        #expect(viewer.messages.map(\.topic) == [Self.own + "status"])
        await viewer.stop()
    }

    private static func options(_ broker: MosquittoBroker, _ tls: MQTTSettings.TLS) -> [String] {
        [
            "-h", "localhost", "-p", String(broker.port), "--cafile", tls.caFile ?? "", "--cert", tls.certFile ?? "", "--key",
            tls.keyFile ?? "",
        ]
    }

    @Test("A vehicle reads its own receipts and status, whatever it subscribes to; a viewer writes nothing")
    func reading() async throws {
        let broker = try await ShippedBroker.secure(authority)
        let sync = try await connect(broker, "sync", "sync-1", filters: ["fleet/v1/+/+/status"])
        let other = try await connect(broker, "vehicle", "demo/truck-2", filters: ["fleet/v1/demo/truck-2/receipt"])
        _ = try other.client.publish(message("fleet/v1/demo/truck-2/status", "online", retain: true))
        #expect(await eventually { !sync.messages.isEmpty })
        let curious = try await connect(
            broker, "vehicle", "demo/truck-1",
            filters: [
                "#", "fleet/v1/#", "+/+/+/+/+", "fleet/v1/demo/truck-2/#", "fleet/v1/demo/truck-2/receipt",
                "fleet/v1/demo/truck-2/status", "$share/fleet-sync/fleet/v1/+/+/alert", "$SYS/#", Self.own + "receipt",
            ])
        let viewer = try await connect(broker, "viewer", "desk", filters: ["fleet/v1/#"])
        for topic in ["fleet/v1/demo/truck-2/receipt", Self.own + "alert", "fleet/v1/demo/truck-2/status"] {
            _ = try? viewer.client.publish(message(topic, "forged"))
        }
        for kind in ["alert", "heartbeat"] { _ = try other.client.publish(message("fleet/v1/demo/truck-2/" + kind)) }
        _ = try sync.client.publish(message("fleet/v1/demo/truck-2/receipt"))
        _ = try sync.client.publish(message(Self.own + "receipt"))
        #expect(await eventually { !curious.messages.isEmpty && !other.messages.isEmpty })
        #expect(Set(curious.messages.map(\.topic)) == [Self.own + "receipt"])
        #expect(other.messages.map(\.payload) == [Data("x".utf8)])
        #expect(await eventually { viewer.messages.count >= 5 })
        #expect(!viewer.messages.contains { $0.payload == Data("forged".utf8) })
        for client in [sync, other, curious, viewer] { await client.stop() }
    }

    @Test("A vehicle cannot throw another one or the sync service off the broker by using its client id")
    func clientIDs() async throws {
        let broker = try await ShippedBroker.secure(authority)
        let sync = try await connect(broker, "sync", "sync-1", id: "sync-sync-1", filters: ["fleet/v1/+/+/alert"])
        let victim = try await connect(
            broker, "vehicle", "demo/truck-2", id: "agent-demo-truck-2", filters: ["fleet/v1/demo/truck-2/receipt"])
        for id in ["sync-sync-1", "fleet-sync", "agent-demo-truck-2", "demo/truck-2"] {
            let thief = try await connect(broker, "vehicle", "demo/truck-1", id: id)
            #expect(thief.client.isConnected)
            _ = try thief.client.publish(message(Self.own + "alert", id))
            #expect(await eventually { sync.messages.last?.payload == Data(id.utf8) })
            await thief.stop()
        }
        _ = try sync.client.publish(message("fleet/v1/demo/truck-2/receipt"))
        #expect(await eventually { victim.messages.count == 1 })
        let disconnects = broker.log.split(separator: "\n").filter {
            $0.contains("already connected") || $0.contains("session taken over")
        }
        #expect(disconnects.isEmpty, "\(disconnects)")
        for client in [sync, victim] { await client.stop() }
    }

    @Test("No certificate, a server's, another authority's, a revoked one: none gets in; a renewed one does")
    func whoGetsIn() async throws {
        let broker = try await ShippedBroker.secure(authority)
        let good = try authority.client("vehicle", "demo/truck-1")
        let foreign = try TestAuthority().client("vehicle", "demo/truck-1")
        let none = MQTTSettings.TLS(caFile: good.caFile)
        let server = MQTTSettings.TLS(
            caFile: good.caFile, certFile: authority.path("servers/broker/server.pem"),
            keyFile: authority.path("servers/broker/server.key"))
        let alien = MQTTSettings.TLS(caFile: good.caFile, certFile: foreign.certFile, keyFile: foreign.keyFile)
        func publish(_ tls: MQTTSettings.TLS) async throws -> Int32 {
            let arguments =
                ["-h", "localhost", "-p", String(broker.port), "--cafile", tls.caFile ?? ""]
                + (tls.certFile.map { ["--cert", $0, "--key", tls.keyFile ?? ""] } ?? [])
            return try await ExternalProgram.run("mosquitto_pub", arguments + ["-q", "1", "-t", Self.own + "alert", "-m", "x"])
                .status
        }
        #expect(try await publish(good) == 0)
        for tls in [none, server, alien] { #expect(try await publish(tls) != 0) }

        // Copies, for `renew` puts the new ones in the place of the old.
        let old = MQTTSettings.TLS(
            caFile: good.caFile, certFile: broker.folder.path("old.pem"), keyFile: broker.folder.path("old.key"))
        try FileManager.default.copyItem(atPath: try #require(good.certFile), toPath: broker.folder.path("old.pem"))
        try FileManager.default.copyItem(atPath: try #require(good.keyFile), toPath: broker.folder.path("old.key"))
        try authority.run(["renew", "vehicle", "demo/truck-1"])
        #expect(try await publish(old) == 0)
        try authority.run(["revoke", "vehicle", "demo/truck-1", "--superseded"])
        try replace(broker.folder.path("crl.pem"), by: authority.path("crl.pem"))
        await broker.stop()
        try await broker.start()
        #expect(try await publish(old) != 0)
        #expect(try await publish(good) == 0)
    }

    @Test("The broker reads a renewed certificate on SIGHUP, and clients go on")
    func renewedServer() async throws {
        let broker = try await ShippedBroker.secure(authority)
        func serial() async throws -> String {
            let run = try await ExternalProgram.run("openssl", ["s_client", "-connect", "127.0.0.1:\(broker.port)"])
            return try await ExternalProgram.run("openssl", ["x509", "-noout", "-serial"], input: run.output).output
        }
        let vehicle = try await connect(broker, "vehicle", "demo/truck-1", filters: [Self.own + "status"])
        let before = try await serial()
        try authority.run(["renew", "server", "broker"])
        for name in ["server.pem", "server.key"] {
            try replace(broker.folder.path(name), by: authority.path("servers/broker/" + name))
        }
        broker.reload()
        #expect(try await eventually { try await serial() != before })
        _ = try vehicle.client.publish(message(Self.own + "status"))
        #expect(await eventually { vehicle.messages.count == 1 })
        await vehicle.stop()
    }

    private func replace(_ path: String, by source: String) throws {
        try Data(contentsOf: URL(filePath: source)).write(to: URL(filePath: path))
    }

    @Test(
        "The client believes a broker only under the name it was told, by the authority it was given, and with a server's certificate",
        arguments: ["good", "name", "authority", "kind", "plain"])
    func brokerIdentity(what: String) async throws {
        let hosts = what == "name" ? ["mqtt.example.org", "10.9.8.7"] : ["localhost"]
        let broker = try await ShippedBroker.secure(authority, hosts: hosts)
        var tls = try authority.client("vehicle", "demo/truck-1")
        let other = try TestAuthority()
        if what == "authority" { tls.caFile = other.path("ca.pem") }
        if what == "kind" {
            // A stolen vehicle poses as the broker.
            let thief = try authority.client("vehicle", "demo/truck-9")
            try replace(broker.folder.path("server.pem"), by: try #require(thief.certFile))
            try replace(broker.folder.path("server.key"), by: try #require(thief.keyFile))
            await broker.stop()
            try await broker.start()
        }
        let plain = try await MosquittoBroker()
        let url = what == "plain" ? "mqtts://localhost:\(plain.port)" : broker.secureURL
        let settings = try MQTTSettings(url: url, clientID: "x", username: nil, passwordFile: nil, tls: tls)
        let client = MQTTClient(minimumBackoffS: 0.1) { settings }
        let running = Task { await client.run() }
        if what == "good" {
            #expect(await eventually { client.isConnected })
        } else {
            // A second attempt tells that the first one has failed.
            let log: () -> String = { what == "plain" ? plain.log : broker.log }
            #expect(await eventually(timeout: 30) { log().ranges(of: "New connection from").count >= 2 })
            #expect(!client.isConnected)
            #expect(!log().contains("New client connected"), "\(log())")
        }
        await client.stop()
        await running.value
    }
}
