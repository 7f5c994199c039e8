import FleetRuntime
import FleetTestSupport
import Foundation
import MQTTClient
import Synchronization

/// A running client that keeps what happens on its connection.
final class Connected: Sendable {
    let client: MQTTClient
    private let kept: Kept
    private let running: Task<Void, Never>

    private final class Kept: Sendable {
        let answers = Mutex<[Int32: MQTTReasonCode]>([:])
        let ends = Mutex<[ConnectionEnd]>([])
    }

    init(settings: MQTTSettings, minimumBackoffS: Double = 0.1, wait: Bool = true) async throws {
        let client = MQTTClient(minimumBackoffS: minimumBackoffS) { settings }
        let kept = Kept()
        self.client = client
        self.kept = kept
        running = Task { await client.run() }
        Task {
            for await event in client.events {
                switch event {
                case .connected: break
                case .disconnected(let end): kept.ends.withLock { $0.append(end) }
                case .published(let token, let reason): kept.answers.withLock { $0[token] = reason }
                }
            }
        }
        if wait { _ = await eventually { client.isConnected } }
    }

    convenience init(
        url: String, id: String, minimumBackoffS: Double = 0.1, tls: MQTTSettings.TLS = .init(), wait: Bool = true
    ) async throws {
        let settings = try MQTTSettings(url: url, clientID: id, username: nil, passwordFile: nil, tls: tls)
        try await self.init(settings: settings, minimumBackoffS: minimumBackoffS, wait: wait)
    }

    deinit {
        let client = client
        Task { await client.stop() }
    }

    func answer(to token: Int32) -> MQTTReasonCode? { kept.answers.withLock { $0[token] } }
    var ends: [ConnectionEnd] { kept.ends.withLock { $0 } }
    var losses: [String] { ends.map(\.words) }

    func stop() async {
        await client.stop()
        await running.value
    }
}
