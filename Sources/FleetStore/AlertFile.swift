import FleetModel
import FoundationEssentials

/// How a list of alerts is written into a file for other programs.
public enum AlertFile: String, CaseIterable, Sendable {
    /// Comma-separated values with a line of titles; SI units, UTC.
    case csv
    /// One JSON object a line, as the API gives them.
    case jsonl

    /// Media type of the file.
    public var mediaType: String { self == .csv ? "text/csv; charset=utf-8" : "application/jsonl; charset=utf-8" }

    /// What stands before the alerts, without a line end; empty for nothing.
    public var head: String { self == .csv ? Self.titles.joined(separator: ",") : "" }

    /// The line of an alert, without a line end; nil when it cannot be encoded.
    public func line(_ alert: StoredAlert) -> String? {
        switch self {
        case .csv: Self.csvLine(alert)
        case .jsonl: (try? WireCodec.encode(alert)).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    package static let titles = [
        "id", "revision", "phase", "kind", "severity", "fleet", "vehicle", "origin", "startedAt", "endedAt", "durationS",
        "endReason",
        "lat", "lon", "headingDeg", "speedMps", "limit", "limitUnit", "limitMps", "limitSource", "limitConfidence", "maxSpeedMps",
        "distanceM", "class", "minTtcS", "gapM", "timeHeadwayS", "landmark", "receivedAt", "late", "cursor", "review",
    ]

    private static func csvLine(_ stored: StoredAlert) -> String {
        let alert = stored.alert
        let duration = (alert.endedAt ?? alert.at).seconds(since: alert.startedAt)
        return CSVLine.line([
            .text(alert.id.description), .integer(Int64(alert.revision)), .text(alert.phase.rawValue), .text(alert.kind.rawValue),
            .text(alert.severity.rawValue), .text(alert.identity.fleet), .text(alert.identity.vehicle),
            .text(alert.origin.rawValue),
            .text(alert.startedAt.description), .text(alert.endedAt?.description), .number(duration),
            .text(alert.endReason?.rawValue),
            .number(alert.position?.lat), .number(alert.position?.lon), .number(alert.position?.headingDeg),
            .number(alert.speedMps),
            .number(alert.overspeed?.limit.value), .text(alert.overspeed?.limit.unit.rawValue), .number(alert.overspeed?.limitMps),
            .text(alert.overspeed?.source.rawValue), .number(alert.overspeed?.confidence), .number(alert.overspeed?.maxSpeedMps),
            .number(alert.overspeed?.distanceM), .text(alert.collision?.roadUser.rawValue), .number(alert.collision?.minTtcS),
            .number(alert.collision?.distanceM), .number(alert.headway?.timeHeadwayS), .text(alert.landmark?.name),
            .text(stored.receivedAt.description), .text(stored.late ? "true" : "false"), .integer(stored.cursor),
            .text(stored.review.rawValue),
        ])
    }
}
