import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import MQTTClient

/// Takes a vehicle that left the fleet off the broker and out of the list of vehicles; its alerts stay.
struct Decommission: Sendable {
    /// Seconds that the broker has to answer.
    static let timeoutS = 15.0

    let configuration: SyncConfiguration
    let store: any AlertStore

    /// Clears the retained status first: as long as it stands, every service that connects learns of the vehicle anew.
    func run(_ vehicle: VehicleIdentity) async throws {
        try await clearStatus(of: vehicle)
        // A running service has done this on hearing of it; without one it is done here.
        _ = try await store.decommission(vehicle)
    }

    private func clearStatus(of vehicle: VehicleIdentity) async throws {
        let settings = try configuration.mqtt.settings(
            clientID: "sync-\(configuration.instance)-\(UInt64.random(in: .min ... .max))")
        let client = MQTTClient(settings: { settings })
        let service = Task { await client.run() }
        let timeout = Task {
            try await Task.sleep(for: .seconds(Self.timeoutS))
            await client.stop()
        }
        let isCleared = await publish(
            MQTTMessage(topic: Topic.status(vehicle).name, payload: Data(), qos: .atLeastOnce, retain: true), by: client)
        timeout.cancel()
        await client.stop()
        await service.value
        guard isCleared else {
            throw UserError(
                .unavailable,
                "\(settings.host):\(settings.port) did not take the order to forget the status of \(vehicle); nothing changed")
        }
    }

    /// Publishes once the connection stands; true when the broker said yes.
    private func publish(_ message: MQTTMessage, by client: MQTTClient) async -> Bool {
        var token: Int32?
        for await event in client.events {
            switch event {
            case .connected: token = try? client.publish(message)
            case .published(let answered, let reason) where answered == token: return !reason.isFailure
            default: break
            }
        }
        return false
    }
}
