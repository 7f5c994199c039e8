import FleetRuntime
import FleetTestSupport
import Foundation
import MQTTClient
import Testing

@Suite(.serialized) struct MQTTClientTests {
    @Test(
        "A URL names scheme, host and port",
        arguments: [
            ("mqtt://example.org", "example.org", 1883, false), ("mqtt://127.0.0.1:1884", "127.0.0.1", 1884, false),
            ("mqtts://broker.example", "broker.example", 8883, true), ("mqtts://broker:443", "broker", 443, true),
        ])
    func url(_ text: String, host: String, port: Int, isSecure: Bool) throws {
        let settings = try MQTTSettings(url: text, clientID: "x", username: nil, passwordFile: nil)
        #expect(settings.host == host && settings.port == port && (settings.tls != nil) == isSecure)
    }

    @Test("A missing password file is named")
    func passwordFile() {
        let error = #expect(throws: UserError.self) {
            try MQTTSettings(url: "mqtt://localhost", clientID: "x", username: "u", passwordFile: "/nowhere/secret")
        }
        #expect(error?.message.contains("/nowhere/secret") == true)
    }

    @Test("Without TLS no password leaves the machine, and certificates are not silently ignored")
    func unencrypted() throws {
        let secret = try TemporaryFolder()
        try Data("s3cret\n".utf8).write(to: URL(filePath: secret.path("password")))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret.path("password"))
        func settings(_ url: String, password: Bool = true, tls: MQTTSettings.TLS = .init()) throws -> MQTTSettings {
            try MQTTSettings(
                url: url, clientID: "x", username: "u", passwordFile: password ? secret.path("password") : nil, tls: tls)
        }
        for url in ["mqtt://localhost", "mqtt://127.0.0.1:1884", "mqtt://[::1]", "mqtts://broker"] {
            #expect(try settings(url).password == "s3cret")
        }
        for url in ["mqtt://broker", "mqtt://10.0.0.1", "mqtt://localhost.example.org"] {
            let error = #expect(throws: UserError.self) { try settings(url) }
            #expect(error?.message.contains("mqtts://") == true)
            #expect(try settings(url, password: false).password == nil)
        }
        #expect(throws: UserError.self) { try settings("mqtt://localhost", tls: .init(caFile: "ca.pem")) }
    }

    @Test("Keys that others can read or that fit no certificate, and authorities that others can change, are refused by name")
    func files() throws {
        let authority = try TestAuthority()
        let good = try authority.client("vehicle", "demo/truck-1")
        func connect(_ tls: MQTTSettings.TLS) throws {
            _ = try MQTTSettings(url: "mqtts://localhost", clientID: "x", username: nil, passwordFile: nil, tls: tls)
        }
        try connect(good)
        var mixed = good
        mixed.keyFile = try authority.client("vehicle", "demo/truck-2").keyFile
        let mismatch = #expect(throws: UserError.self) { try connect(mixed) }
        #expect(mismatch?.message == "\(mixed.keyFile ?? ""): is not the key of the certificate in \(good.certFile ?? "")")
        for (file, mode) in [(good.keyFile, 0o644), (good.keyFile, 0o660), (good.caFile, 0o664), (good.caFile, 0o646)] {
            let path = try #require(file)
            let before = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] ?? 0o600
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let error = #expect(throws: UserError.self) { try connect(good) }
            #expect(error?.message.hasPrefix(path) == true && error?.message.contains("chmod") == true)
            try FileManager.default.setAttributes([.posixPermissions: before], ofItemAtPath: path)
        }
        try connect(good)
    }

    @Test("Nothing is queued without a connection")
    func notConnected() {
        let client = MQTTClient { throw MQTTError.notConnected }
        #expect(throws: MQTTError.notConnected) { try client.publish(MQTTMessage(topic: "a", payload: Data())) }
    }

    @Test("A message arrives with its bytes and properties, and is acknowledged")
    func roundTrip() async throws {
        let broker = try await MosquittoBroker()
        let subscriber = try await TestSubscriber(url: broker.url, id: "s", filters: ["t/#"])
        let publisher = try await Connected(url: broker.url, id: "p")
        let payload = Data((0...255).map { UInt8($0) })
        let token = try publisher.client.publish(
            MQTTMessage(topic: "t/1", payload: payload, contentType: "x/y", expiryS: 60, userProperties: [("id", "a"), ("ü", "ß")]))
        _ = try publisher.client.publish(MQTTMessage(topic: "t/2", payload: Data(), qos: .atMostOnce))
        #expect(await eventually { subscriber.messages.count == 2 })
        let message = try #require(subscriber.messages.first { $0.topic == "t/1" })
        #expect(message.payload == payload && message.userProperties.map(\.value) == ["a", "ß"])
        #expect(await eventually { publisher.answer(to: token) == .success })
        #expect(subscriber.messages.first { $0.topic == "t/2" }?.payload == Data())
    }

    @Test("Q6 A denied message is answered with a failure, not with success")
    func denied() async throws {
        let folder = try TemporaryFolder()
        try "topic read #\ntopic write allowed\n".write(toFile: folder.path("acl"), atomically: true, encoding: .utf8)
        let broker = try await MosquittoBroker(settings: ["acl_file \(folder.path("acl"))"], folder: folder)
        let publisher = try await Connected(url: broker.url, id: "p")
        let token = try publisher.client.publish(MQTTMessage(topic: "denied", payload: Data([1])))
        #expect(await eventually { publisher.answer(to: token) == .notAuthorised })
        #expect(publisher.client.isConnected)
    }

    @Test("A message over the broker's limit is refused here, before it ends the connection")
    func tooLarge() async throws {
        let broker = try await MosquittoBroker(settings: ["max_packet_size 1000"])
        let publisher = try await Connected(url: broker.url, id: "p")
        #expect(throws: MQTTError.tooLarge) {
            try publisher.client.publish(MQTTMessage(topic: "t", payload: Data(repeating: 1, count: 2000)))
        }
        #expect(publisher.client.isConnected)
    }

    @Test("Q9 A refused client tries again, and gets in once it may")
    func refused() async throws {
        let broker = try await MosquittoBroker(settings: ["allow_anonymous false"])
        let publisher = try await Connected(url: broker.url, id: "p", wait: false)
        #expect(await eventually { publisher.client.refusal == .notAuthorised })
        await broker.kill()
        let file = broker.folder.path("mosquitto.conf")
        try String(contentsOfFile: file, encoding: .utf8).replacing("allow_anonymous false", with: "allow_anonymous true")
            .write(toFile: file, atomically: true, encoding: .utf8)
        try await broker.start()
        #expect(await eventually(timeout: 20) { publisher.client.isConnected })
        #expect(publisher.client.refusal == nil)
    }

    @Test("Two clients with one id throw each other out ever more slowly, and each says that it has a rival")
    func takenOver() async throws {
        let broker = try await MosquittoBroker()
        let first = try await Connected(url: broker.url, id: "same", minimumBackoffS: 0.2)
        let second = try await Connected(url: broker.url, id: "same", minimumBackoffS: 0.2)
        let begun = MonotonicTime.now()
        #expect(await eventually(timeout: 30) { first.losses.count + second.losses.count >= 8 })
        // Each side's pauses double from 0.1...0.2 s: its first three take at least 0.1 + 0.2 + 0.4 s. Without them eight rounds on the
        // loopback take some milliseconds.
        #expect(MonotonicTime.now() - begun > 0.7)
        #expect(await eventually(timeout: 30) { first.client.hasRival && second.client.hasRival })
        await second.stop()
        await first.stop()
    }

    @Test("TLS: a broker of a trusted authority is reached, and one of another is refused in OpenSSL's words")
    func tls() async throws {
        let authority = try TestAuthority()
        let files = try authority.server("broker")
        let broker = try await MosquittoBroker(settings: ["certfile \(files.certFile)", "keyfile \(files.keyFile)"])
        let url = "mqtts://127.0.0.1:\(broker.port)"
        let trusting = try await Connected(url: url, id: "a", tls: .init(caFile: authority.path("ca.pem")))
        #expect(trusting.client.isConnected)
        let other = try TestAuthority()
        var settings = try MQTTSettings(url: url, clientID: "b", username: nil, passwordFile: nil)
        settings.tls = .init(caFile: other.path("ca.pem"))
        let wrong = try await Connected(settings: settings, wait: false)
        #expect(await !eventually(timeout: 2) { wrong.client.isConnected })
        await wrong.client.stop()
    }

    @Test("Q10 A TLS listener that accepts and never answers does not hold up the end")
    func silentTLS() async throws {
        let listener = SilentListener()
        let client = try await Connected(url: "mqtts://127.0.0.1:\(listener.port)", id: "x", wait: false)
        // The handshake has begun: its first message has arrived.
        #expect(await eventually { listener.hasReceived })
        let begun = MonotonicTime.now()
        await client.stop()
        #expect(MonotonicTime.now() - begun < 5)
    }

    @Test("Q10 A network that swallows the connection does not hold up the end", arguments: ["mqtt", "mqtts"])
    func blackHole(scheme: String) async throws {
        let hole = BlackHole()
        let client = try await Connected(url: "\(scheme)://127.0.0.1:\(hole.port)", id: "x", wait: false)
        #expect(await eventually { hole.hasCaller })
        let begun = MonotonicTime.now()
        await client.stop()
        #expect(MonotonicTime.now() - begun < 5)
    }
}

@Suite struct BrokerAddressTests {
    @Test(
        "A broker's URL is read with its usual ports",
        arguments: [
            ("mqtt://broker", "broker", 1883, false), ("mqtts://10.0.0.1", "10.0.0.1", 8883, true),
            ("mqtt://[::1]:1884/", "::1", 1884, false),
        ])
    func reads(url: String, host: String, port: Int, isSecure: Bool) throws {
        let address = try BrokerAddress(url: url)
        #expect(address.host == host && address.port == port && address.isSecure == isSecure)
    }

    @Test(
        "What is no broker's URL is refused, and a password in it is not repeated",
        arguments: [
            "", "http://a", "mqtt://", "mqtt://a:99999", "mqtt://a:0", "mqtt://a/topic", "mqtt://u:secret@a", "broker:1883",
        ])
    func refuses(url: String) {
        let error = #expect(throws: BrokerAddress.Invalid.self) { try BrokerAddress(url: url) }
        #expect(error?.description.contains("secret") == false)
    }
}

@Suite struct InboundQueueTests {
    @Test("A full queue holds the sender up until there is room, and nothing is lost or reordered")
    func bounded() async throws {
        let queue = InboundQueue(capacity: 10)
        Thread.detachNewThread { for i in 0..<1000 { queue.put(MQTTMessage(topic: String(i), payload: Data())) } }
        var got: [String] = []
        while got.count < 1000, let batch = await queue.take(atMost: 7) {
            #expect((1...7).contains(batch.count))
            got += batch.map(\.topic)
        }
        #expect(got == (0..<1000).map(String.init))
    }

    @Test("A queue is full by bytes as well; a message larger than all of it passes alone")
    func boundedByBytes() async throws {
        let queue = InboundQueue(capacity: 1000, capacityBytes: 10_000)
        Thread.detachNewThread {
            for i in 0..<20 { queue.put(MQTTMessage(topic: String(i), payload: Data(count: i == 7 ? 50_000 : 3000))) }
        }
        var got: [String] = []
        while got.count < 20, let batch = await queue.take(atMost: 1000) {
            #expect(batch.reduce(0) { $0 + $1.payload.count } <= 10_000 || batch.count == 1)
            got += batch.map(\.topic)
        }
        #expect(got == (0..<20).map(String.init))
    }

    @Test("Closing frees a sender that waits and ends the reader after what is there")
    func close() async throws {
        let queue = InboundQueue(capacity: 1)
        queue.put(MQTTMessage(topic: "a", payload: Data()))
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
            queue.put(MQTTMessage(topic: "b", payload: Data()))
            end.finish()
        }
        queue.close()
        for await _ in ended {}
        #expect(await queue.take(atMost: 5)?.map(\.topic) == ["a"])
        #expect(await queue.take(atMost: 5) == nil)
    }
}
