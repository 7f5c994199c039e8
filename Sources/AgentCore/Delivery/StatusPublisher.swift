import DurableOutbox
import FleetModel
import FleetRuntime
import FoundationEssentials
import MQTTClient

/// Keeps the vehicle's retained status true: online after connecting, offline by last will or goodbye, all on one topic.
///
/// Every connection has a number from a stored counter. A status with a lower number is older, whatever its arrival: the broker may
/// publish the will of an old connection after the new one has said that it is online.
actor StatusPublisher {
    /// Least seconds between two answers to somebody else's status on our topic.
    private static let answerIntervalS = 1.0

    private let identity: VehicleIdentity
    private let boot: String
    private let outbox: DurableOutbox
    private let clock: any FleetClock
    private let log = Log("status")
    private var session: Int64 = 0
    private var connectedAt: Timestamp
    private var isStopping = false
    private var answeredAtS = -Double.infinity
    private var goodbye: Int32?

    init(identity: VehicleIdentity, boot: String, outbox: DurableOutbox, clock: any FleetClock) {
        self.identity = identity
        self.boot = boot
        self.outbox = outbox
        self.clock = clock
        connectedAt = clock.wallTime()
    }

    /// The last will of the connection that is about to be made; gives it its number.
    func nextWill() async throws -> MQTTMessage {
        do { session = try await outbox.nextSession() } catch {
            // Being offline for want of disk would lose the alerts that wait; the next connection tries again.
            session += 1
            log.warning("the connection's number cannot be stored: \(error)")
        }
        connectedAt = clock.wallTime()
        return try message(.offline, .lost)
    }

    /// Says that the vehicle is online, on the connection that has just been made.
    func connected(_ transport: any MQTTTransport) {
        connectedAt = clock.wallTime()
        publish(.online, nil, transport)
    }

    /// Looks at what stands on our own status topic. Returns true when the connection must be made anew under a higher number.
    func received(_ incoming: MQTTMessage, _ transport: any MQTTTransport) async -> Bool {
        // An empty payload is a decommissioning; anything else that is no status is not ours to judge.
        guard !isStopping, let status = try? WireCodec.decode(VehicleStatus.self, from: incoming.payload),
            status.identity == identity
        else { return false }
        let nowS = clock.monotonicS()
        guard nowS - answeredAtS >= Self.answerIntervalS else { return false }
        if status.session < session || (status.session == session && status.state == .offline) {
            answeredAtS = nowS
            publish(.online, nil, transport)
        } else if status.session > session {
            // The counter was lost with the outbox: everyone would take this connection for an old one.
            answeredAtS = nowS
            log.warning(
                "the broker knows connection \(status.session) of this vehicle, this is \(session): connecting anew above it")
            return (try? await outbox.raiseSession(above: status.session)) != nil
        }
        return false
    }

    /// Says goodbye in words before the connection is closed, because a clean end sends no will.
    func sayGoodbye(_ transport: any MQTTTransport) {
        isStopping = true
        goodbye = publish(.offline, .stopped, transport)
    }

    /// Notes the broker's answer; false while the goodbye is not answered.
    func answered(token: Int32) { if token == goodbye { goodbye = nil } }

    /// Whether nothing is to be waited for before the connection is closed.
    var isGoodbyeAnswered: Bool { goodbye == nil }

    @discardableResult
    private func publish(_ state: VehicleStatus.State, _ reason: VehicleStatus.Reason?, _ transport: any MQTTTransport) -> Int32? {
        do { return try transport.publish(message(state, reason)) } catch {
            log.warning("the status cannot be published: \(error)")
            return nil
        }
    }

    private func message(_ state: VehicleStatus.State, _ reason: VehicleStatus.Reason?) throws -> MQTTMessage {
        let status = VehicleStatus(
            identity: identity, state: state, reason: reason, boot: boot, session: session, connectedAt: connectedAt)
        return MQTTMessage(
            topic: Topic.status(identity).name, payload: try WireCodec.encode(status), retain: true,
            contentType: "application/json",
            userProperties: [("schema", VehicleStatus.schema)])
    }
}
