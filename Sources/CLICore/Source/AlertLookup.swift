import FleetModel
import FleetRuntime
import FleetStore

/// Finds the alert that a person means by its id, or by the id's end as the lists show it.
enum AlertLookup {
    /// Fewest digits of an id's end that are looked up.
    private static let fewestDigits = 6

    static func identify(_ text: String, _ source: any FleetSource) async throws -> AlertID {
        if let id = AlertID(text) { return id }
        let isEnd = (fewestDigits..<36).contains(text.utf8.count) && text.allSatisfy { $0.isHexDigit || $0 == "-" }
        guard isEnd else {
            throw UserError(.usage, "\(text.shortened): an alert's id is a UUID; its last \(fewestDigits) digits or more will do")
        }
        let end = text.lowercased()
        let page = try await source.alerts(AlertQuery(limit: AlertQuery.maximumLimit))
        let found = Set(page.alerts.map(\.alert.id).filter { $0.description.hasSuffix(end) })
        guard let id = found.first else {
            throw UserError(
                .noInput, "none of the newest \(AlertQuery.maximumLimit) alerts has an id that ends in \(end); give it in full")
        }
        guard found.count == 1 else {
            throw UserError(.badData, "\(found.count) alerts have an id that ends in \(end); give more of it")
        }
        return id
    }
}
