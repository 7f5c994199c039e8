import FleetModel
import FleetRuntime
import FleetStore
import Foundation
import HTTPClient

/// Sends one rule's messages.
struct WebhookSender: Sendable {
    /// What came of an attempt.
    struct Outcome: Sendable {
        /// HTTP status; nil when there was no answer.
        var status: Int?
        /// Why it failed; nil when the other side took it.
        var failure: String?
    }

    /// Seconds that the other side has to answer.
    static let timeoutS = 10.0

    let rule: WebhookRule
    private let client: HTTPClient

    init(_ rule: WebhookRule) {
        self.rule = rule
        var settings = HTTPClient.Settings()
        settings.timeoutS = Self.timeoutS
        settings.caFile = rule.caFile
        settings.userAgent = "fleet-sync/\(SoftwareVersion.current)"
        client = HTTPClient(server: rule.address.server, settings: settings)
    }

    /// What is sent of an alert: its state of now.
    private struct Message: Encodable {
        let type: String
        let timestamp: Timestamp
        let rule: String
        let data: StoredAlert?
    }

    /// The id of an alert's message: the same for every attempt, so that a receiver knows one that it has.
    func id(of delivery: WebhookDelivery) -> String { "\(rule.name).\(delivery.fleet).\(delivery.vehicle).\(delivery.alert)" }

    /// Tells `alert`; nil sends a message of type `test` that holds none.
    func send(_ alert: StoredAlert?, id: String, at now: Timestamp) async -> Outcome {
        let message = Message(type: alert == nil ? "test" : "alert", timestamp: now, rule: rule.name, data: alert)
        guard let body = try? WireCodec.encode(message) else { return Outcome(failure: "the alert could not be encoded") }
        do throws(HTTPClientError) {
            let status = try await client.post(
                body, to: rule.address.target, headers: rule.signer.headers(id: id, at: now, body: body))
            return Outcome(status: status)
        } catch {
            return Self.outcome(error)
        }
    }

    private static func outcome(_ error: HTTPClientError) -> Outcome {
        switch error {
        case .refused(let status, let detail):
            Outcome(status: status, failure: "refused with \(status)" + (detail.map { ": " + $0.printable.prefix(200) } ?? ""))
        case .redirected: Outcome(failure: "sends elsewhere; give the final URL")
        case .unreachable(let reason): Outcome(failure: "no connection: \(reason)")
        case .timedOut: Outcome(failure: "no answer within \(Int(timeoutS)) s")
        case .untrusted(let reason): Outcome(failure: "not trusted: \(reason)")
        case .notEncrypted: Outcome(failure: "does not speak TLS there")
        case .broken(let reason): Outcome(failure: "the connection broke: \(reason)")
        case .badAddress(let reason): Outcome(failure: reason)
        case .tooLarge: Outcome(failure: "the answer is too long")
        case .cancelled: Outcome(failure: "given up")
        }
    }
}
