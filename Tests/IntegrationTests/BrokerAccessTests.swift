import FleetTestSupport
import Foundation
import MQTTClient
import Testing

/// The broker configuration that is shipped, on a real broker.
@Suite("The shipped broker configuration")
struct BrokerAccessTests {
    private func message(_ topic: String) -> MQTTMessage { MQTTMessage(topic: topic, payload: Data("x".utf8), qos: .atLeastOnce) }

    @Test("A vehicle publishes on its own topics and on nobody else's")
    func ownTopicsOnly() async throws {
        let broker = try await ShippedBroker.believing()
        let sync = try await TestSubscriber(
            url: broker.url, id: "sync-1", username: "fleet-sync",
            filters: [
                "$share/fleet-sync/fleet/v1/+/+/alert", "$share/fleet-sync/fleet/v1/+/+/snapshot/+",
                "$share/fleet-sync/fleet/v1/+/+/heartbeat", "fleet/v1/+/+/status",
            ])
        let vehicle = try await TestSubscriber(
            url: broker.url, id: "agent-demo-truck-1", username: "demo/truck-1", filters: ["fleet/v1/demo/truck-1/receipt"])
        let own = ["alert", "snapshot/0197", "heartbeat", "status"].map { "fleet/v1/demo/truck-1/" + $0 }
        for topic in ["fleet/v1/demo/truck-2/alert", "fleet/v1/demo/truck-2/status"] + own {
            _ = try vehicle.client.publish(message(topic))
        }
        #expect(await eventually { sync.messages.count >= own.count })
        #expect(Set(sync.messages.map(\.topic)) == Set(own))
        await vehicle.stop()
        await sync.stop()
    }

    @Test("A receipt reaches the vehicle it is for, whatever another one subscribes to")
    func ownReceiptsOnly() async throws {
        let broker = try await ShippedBroker.believing()
        let sync = try await TestSubscriber(url: broker.url, id: "sync-1", username: "fleet-sync", filters: ["fleet/v1/+/+/status"])
        let first = try await TestSubscriber(
            url: broker.url, id: "a", username: "demo/truck-1", filters: ["fleet/v1/demo/truck-1/receipt"])
        let curious = try await TestSubscriber(url: broker.url, id: "b", username: "demo/truck-2", filters: ["fleet/v1/#"])
        _ = try sync.client.publish(message("fleet/v1/demo/truck-1/receipt"))
        _ = try sync.client.publish(message("fleet/v1/demo/truck-2/receipt"))
        #expect(await eventually { first.messages.count == 1 && !curious.messages.isEmpty })
        #expect(curious.messages.map(\.topic) == ["fleet/v1/demo/truck-2/receipt"])
        for client in [first, curious, sync] { await client.stop() }
    }
}
