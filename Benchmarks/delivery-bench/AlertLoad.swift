import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import MQTTClient

/// Alert messages made beforehand, published as fast as the broker takes them.
struct AlertLoad {
    /// Connections that publish: with one, the broker waits for its acknowledgements.
    private static let connections = 4

    private let messages: [MQTTMessage]
    /// Mean payload in bytes.
    let meanBytes: Int
    var count: Int { messages.count }

    /// `count` start revisions of different alerts, the vehicles in turn.
    init(count: Int, vehicles: Int) throws {
        let boot = BootID.current()
        var random = SystemRandomNumberGenerator()
        var bytes = 0
        messages = try (0..<count).map { number in
            guard let who = VehicleIdentity(fleet: "bench", vehicle: "truck-\(number % vehicles)") else {
                throw UserError(.software, "no vehicle name")
            }
            let now = WallClock.now()
            var alert = SampleAlerts.alert(number, identity: who, at: now)
            alert.id = AlertID.v7(at: now, using: &random)
            alert.boot = boot
            alert.seq = Int64(number / vehicles) + 1
            alert.position = AlertPosition(lat: 48.137, lon: 11.575, headingDeg: 87, accuracyM: 4)
            alert.speedMps = 18.2
            let payload = try WireCodec.encode(alert)
            bytes += payload.count
            return MQTTMessage(
                topic: Topic.alert(who).name, payload: payload, contentType: "application/json",
                userProperties: [("schema", Alert.schema), ("id", alert.id.description), ("revision", "1")])
        }
        meanBytes = bytes / max(1, count)
    }

    /// Connects, publishes all from `begun` on, and stays connected until `isDone` returns. Returns the seconds from the first publication
    /// to then, nil when that takes longer than `timeoutS`.
    func publish(to url: String, timeoutS: Double, until isDone: () async -> Bool) async throws -> Double? {
        let clients = try (0..<Self.connections).map { number in
            let settings = try MQTTSettings(url: url, clientID: "bench-\(number)", username: nil, passwordFile: nil)
            return MQTTClient { settings }
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients {
                group.addTask { await client.run() }
                group.addTask { for await _ in client.events {} }
            }
            guard await eventually(timeout: 20, { clients.allSatisfy(\.isConnected) }) else {
                throw UserError(.unavailable, "\(url): no connection")
            }
            let begun = MonotonicTime.now()
            for (number, message) in messages.enumerated() { _ = try clients[number % clients.count].publish(message) }
            let endedInTime = await eventually(timeout: timeoutS, isDone)
            let tookS = MonotonicTime.now() - begun
            for client in clients { await client.stop() }
            try await group.waitForAll()
            return endedInTime ? tookS : nil
        }
    }
}
