import FleetModel
import FleetRuntime
import FleetStore
import Foundation
import HTTPClient

/// One rule of the section `webhooks`: which alerts are told to whom, and when.
public struct WebhookRule: Sendable {
    /// Its name; it keeps its place under it over restarts.
    public let name: String
    /// Where it goes.
    let address: WebhookAddress
    /// Signs what is sent.
    let signer: WebhookSigner
    /// Authorities that are trusted, PEM; nil for the system's.
    let caFile: String?
    /// Kinds that are told.
    let kinds: Set<AlertKind>
    /// Least severity that is told.
    let severity: Severity
    /// Groups whose vehicles are told of; nil for all vehicles.
    let groups: [String]?
    /// All groups.
    private let vehicles: VehicleGroups
    /// When nobody wants to be told.
    let quiet: QuietHours?
    /// Severity that is told in quiet hours too; nil for none.
    let quietExcept: Severity?
    /// Whether alerts that arrive long after they happened are told.
    let isLateTold: Bool

    /// Whether the rule wants `stored`: an alert of a recording is nobody's news.
    func wants(_ stored: StoredAlert) -> Bool {
        let alert = stored.alert
        return alert.origin == .live && kinds.contains(alert.kind) && alert.severity.isAtLeast(severity)
            && (isLateTold || !stored.late) && (groups.map { vehicles.contains(alert.identity, in: $0) } ?? true)
    }

    /// When `alert` is told, found at `now`.
    func dueAt(_ alert: Alert, now: Timestamp) -> Timestamp {
        if let quietExcept, alert.severity.isAtLeast(quietExcept) { return now }
        return quiet?.whenToTell(now) ?? now
    }

    /// Reads one entry of the list `webhooks`.
    init(_ section: ConfigurationSection, groups known: VehicleGroups) throws {
        name = try section.requiredString("name")
        guard VehicleIdentity.isValid(name) else { throw section.error("name", "must be 1 to 64 letters, digits, _ and -") }
        address = try Self.address(section)
        guard let secretFile = try section.path("secretFile") else {
            throw section.error("secretFile", "is missing; it names the file with the secret that signs what is sent")
        }
        signer = try WebhookSigner(secret: SecretFile.read(secretFile), file: secretFile)
        caFile = try section.readableFile("caFile")
        kinds = try Self.kinds(section)
        severity = try section.choice("severity", Severity.self) ?? .warning
        groups = try section.strings("groups")
        if let stray = groups?.first(where: { !known.names.contains($0) }) {
            let names =
                known.names.isEmpty ? "there are none in the section groups" : "known: \(known.names.joined(separator: ", "))"
            throw section.error("groups", "\(stray) is no group; \(names)")
        }
        vehicles = known
        quiet = try Self.quiet(section)
        quietExcept = try section.choice("quietExcept", Severity.self)
        if quietExcept != nil, quiet == nil { throw section.error("quietExcept", "needs quietHours") }
        isLateTold = try section.bool("late") ?? false
    }

    private static func address(_ section: ConfigurationSection) throws -> WebhookAddress {
        let inline = try section.string("url", maximumLength: 2048)
        let file = try section.path("urlFile")
        guard (inline == nil) != (file == nil) else {
            throw section.error(
                inline == nil ? "url" : "urlFile", "a webhook has either url or urlFile (for a URL that is a secret)")
        }
        let text = try inline ?? SecretFile.read(file ?? "")
        do throws(WebhookAddress.Malformed) { return try WebhookAddress(text) } catch {
            throw section.error(inline == nil ? "urlFile" : "url", error.reason)
        }
    }

    private static func kinds(_ section: ConfigurationSection) throws -> Set<AlertKind> {
        guard let texts = try section.strings("kinds") else { return Set(AlertKind.allCases) }
        return try Set(
            texts.map { text in
                guard let kind = AlertKind(rawValue: text) else {
                    let allowed = AlertKind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw section.error("kinds", "is \"\(text)\"; allowed are \(allowed)")
                }
                return kind
            })
    }

    private static func quiet(_ section: ConfigurationSection) throws -> QuietHours? {
        let zoneName = try section.string("timeZone", maximumLength: 64)
        guard let text = try section.string("quietHours", maximumLength: 16) else {
            if zoneName != nil { throw section.error("timeZone", "needs quietHours") }
            return nil
        }
        let zone = try zoneName.map { name in
            guard let zone = TimeZone(identifier: name) else {
                throw section.error("timeZone", "\(name) is none such as Europe/Berlin")
            }
            return zone
        }
        guard let quiet = QuietHours(text, zone: zone ?? .current) else {
            throw section.error("quietHours", "is \"\(text)\"; give begin and end, e.g. \"22:00-06:00\"")
        }
        return quiet
    }
}

extension Severity {
    /// Whether this is as bad as `other` or worse.
    func isAtLeast(_ other: Severity) -> Bool {
        let order = Severity.allCases
        return (order.firstIndex(of: self) ?? 0) >= (order.firstIndex(of: other) ?? 0)
    }
}
