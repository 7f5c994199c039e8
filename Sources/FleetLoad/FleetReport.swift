import FleetModel
import FleetRuntime
import Foundation
import MQTTClient

/// What a simulated fleet sent and what it got back, as a table for a person or as one line of JSON.
struct FleetReport: Sendable {
    private let settings: FleetSettings
    var startedS = 0.0
    /// How long messages were made, in s; what came after was waiting for receipts.
    var producedS = 0.0
    var sent: [FleetTraffic.Content: Int] = [:]
    var duplicated = 0, dropped = 0, reordered = 0
    /// Publications for which there was no connection.
    var unsent = 0
    /// How far the simulation fell behind its own time at most, in s: above a second its rates are not those that were asked for.
    var lagS = 0.0
    var receipts = ReceiptBook.Counts()
    var latency = LatencyHistogram()
    /// Messages without a receipt at the end.
    var left = 0
    var refused: [MQTTReasonCode: Int] = [:]

    init(_ settings: FleetSettings) { self.settings = settings }

    private func number(_ content: FleetTraffic.Content) -> Int { sent[content, default: 0] }
    private var receipted: Int { receipts.stored + receipts.duplicate + receipts.rejected }

    /// Several lines.
    var table: String {
        func row(_ name: String, _ count: Int, _ rest: String = "") -> String {
            let perS = producedS > 0 ? (Double(count) / producedS).rounded(toPlaces: 1) : 0
            return Self.left(name, 12) + Self.right(String(count), 12) + Self.right("\(perS)", 12)
                + (rest.isEmpty ? "" : "   " + rest)
        }
        var lines = [
            "\(settings.vehicles) vehicles on \(settings.connections) connections, \(producedS.rounded(toPlaces: 1)) s, seed \(settings.seed)",
            Self.left("", 12) + Self.right("sent", 12) + Self.right("a second", 12),
            row("heartbeats", number(.heartbeats)),
            row(
                "alerts", number(.alerts),
                "receipted \(receipted) (stored \(receipts.stored), duplicate \(receipts.duplicate), rejected \(receipts.rejected)), resent \(receipts.resent)"
            ),
        ]
        if settings.snapshots > 0 { lines.append(row("snapshots", number(.snapshots), "receipted \(receipts.snapshots)")) }
        if settings.faults.malformed > 0 {
            lines.append(
                row(
                    "malformed", number(.malformed),
                    "receipted as rejected \(receipts.malformedRejected), taken for good \(receipts.malformedAccepted)"))
        }
        if settings.faults != FaultMix() {
            lines.append("faults      sent twice \(duplicated), first sending left out \(dropped), held back \(reordered)")
        }
        lines.append(
            "receipt     p50 \(Self.time(latency.percentile(0.5)))   p90 \(Self.time(latency.percentile(0.9)))   p99 \(Self.time(latency.percentile(0.99)))   longest \(Self.time(latency.count > 0 ? latency.maximumS : nil))"
        )
        if unsent > 0 { lines.append("not sent for want of a connection: \(unsent)") }
        for (reason, count) in refused.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            lines.append("refused by the broker: \(count), \(reason)")
        }
        if lagS > 1 { lines.append("this machine was too slow: up to \(lagS.rounded(toPlaces: 1)) s behind the rates asked for") }
        lines.append("left        \(left)")
        return lines.joined(separator: "\n")
    }

    /// One line of JSON with sorted keys; times in s.
    var json: String {
        struct Line: Encodable {
            struct Alerts: Encodable { let sent, receipted, stored, duplicate, rejected, resent: Int }
            struct Malformed: Encodable { let sent, rejected, accepted: Int }
            struct Snapshots: Encodable { let sent, receipted: Int }
            struct Latency: Encodable { let count: Int, p50, p90, p99, max: Double? }
            let vehicles, connections: Int
            let seed: UInt64
            let durationS, lagS: Double
            let heartbeats, unsent, refused, left: Int
            let alerts: Alerts
            let snapshots: Snapshots
            let malformed: Malformed
            let receiptS: Latency
        }
        func seconds(_ share: Double) -> Double? { latency.percentile(share)?.rounded(toPlaces: 4) }
        let line = Line(
            vehicles: settings.vehicles, connections: settings.connections, seed: settings.seed,
            durationS: producedS.rounded(toPlaces: 3), lagS: lagS.rounded(toPlaces: 3), heartbeats: number(.heartbeats),
            unsent: unsent,
            refused: refused.values.reduce(0, +), left: left,
            alerts: .init(
                sent: number(.alerts), receipted: receipted, stored: receipts.stored, duplicate: receipts.duplicate,
                rejected: receipts.rejected, resent: receipts.resent),
            snapshots: .init(sent: number(.snapshots), receipted: receipts.snapshots),
            malformed: .init(
                sent: number(.malformed), rejected: receipts.malformedRejected, accepted: receipts.malformedAccepted),
            receiptS: .init(
                count: latency.count, p50: seconds(0.5), p90: seconds(0.9), p99: seconds(0.99),
                max: latency.count > 0 ? latency.maximumS.rounded(toPlaces: 4) : nil))
        return (try? WireCodec.encode(line)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private static func time(_ seconds: Double?) -> String {
        guard let seconds else { return "-" }
        return seconds < 1 ? "\((seconds * 1000).rounded(toPlaces: 1)) ms" : "\(seconds.rounded(toPlaces: 2)) s"
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
