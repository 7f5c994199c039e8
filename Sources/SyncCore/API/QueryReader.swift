import FleetModel
import FleetRuntime
import FleetStore
import HTTPServer

/// A query parameter that cannot be read; becomes a 400.
struct BadQuery: Error { let detail: String }

/// Reads the query parameters of the API.
enum QueryReader {
    /// Parameters that narrow a list of alerts.
    static let alertParameters: Set<String> = ["since", "until", "fleet", "vehicle", "kind", "severity", "late", "review"]

    static func alertQuery(_ request: HTTPRequest) throws -> AlertQuery {
        var query = AlertQuery(limit: try limit(request))
        query.since = try time(request, "since")
        query.until = try time(request, "until")
        query.fleet = try name(request, "fleet")
        query.vehicle = try name(request, "vehicle")
        query.kind = try choice(request, "kind", AlertKind.self)
        query.severity = try choice(request, "severity", Severity.self)
        query.late = try flag(request, "late")
        query.review = try choice(request, "review", ReviewState.self)
        query.before = try cursor(request, "before")
        return query
    }

    /// Rows of a page: 1 to 1000, 100 unless told.
    static func limit(_ request: HTTPRequest) throws -> Int { try number(request, "limit", 1...AlertQuery.maximumLimit) ?? 100 }

    static func time(_ request: HTTPRequest, _ parameter: String) throws -> Timestamp? {
        guard let text = request.queryValue(parameter) else { return nil }
        guard let time = Timestamp(text) else { throw BadQuery(detail: "\(parameter) must be a time such as 2026-03-01T08:15:02Z") }
        return time
    }

    static func flag(_ request: HTTPRequest, _ parameter: String) throws -> Bool? {
        guard let text = request.queryValue(parameter) else { return nil }
        guard let value = Bool(text) else { throw BadQuery(detail: "\(parameter) must be true or false") }
        return value
    }

    static func cursor(_ request: HTTPRequest, _ parameter: String) throws -> Int64? {
        guard let text = request.queryValue(parameter) else { return nil }
        guard let cursor = Int64(text), cursor >= 0 else { throw BadQuery(detail: "\(parameter) must be a whole number from 0") }
        return cursor
    }

    static func choice<T: RawRepresentable & CaseIterable>(_ request: HTTPRequest, _ parameter: String, _: T.Type) throws -> T?
    where T.RawValue == String {
        guard let text = request.queryValue(parameter) else { return nil }
        guard let value = T(rawValue: text) else {
            throw BadQuery(detail: "\(parameter) must be one of \(T.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    private static func number(_ request: HTTPRequest, _ parameter: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let text = request.queryValue(parameter) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw BadQuery(detail: "\(parameter) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    static func name(_ request: HTTPRequest, _ parameter: String) throws -> String? {
        guard let text = request.queryValue(parameter) else { return nil }
        guard VehicleIdentity.isValid(text) else { throw BadQuery(detail: "\(parameter) must be 1 to 64 letters, digits, _ and -") }
        return text
    }
}

/// Runs a handler and turns what it throws into a problem.
func answer(_ body: () async throws -> HTTPResponse) async -> HTTPResponse {
    do {
        return try await body()
    } catch let error as BadQuery {
        return .problem(400, error.detail)
    } catch {
        Log("api").error("\(error)")
        return .problem(503, "the store does not answer at the moment")
    }
}
