import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import HTTPClient

/// Reads from the HTTP API of a fleet server.
struct ServerSource: FleetSource {
    let client: HTTPClient

    private struct History: Decodable {
        let revisions: [StoredAlert]
        /// Nil from a server of before reviews.
        let reviews: [AlertReview]?
    }

    func alerts(_ query: AlertQuery) async throws -> AlertPage {
        try await get("/api/v1/alerts", parameters(query) + [("limit", String(query.limit))])
    }

    func history(of id: AlertID) async throws -> [StoredAlert] {
        do {
            return try await get("/api/v1/alerts/\(id)", [], as: History.self).revisions
        } catch let error as UserError where error.code == .noInput {
            return []
        }
    }

    func reviews(of id: AlertID) async throws -> [AlertReview] {
        try await get("/api/v1/alerts/\(id)", [], as: History.self).reviews ?? []
    }

    func snapshot(of id: AlertID) async throws -> Data {
        let path = "/api/v1/alerts/\(id)/snapshot"
        do throws(HTTPClientError) {
            return try await client.get(path, accept: "image/jpeg", limit: 1 << 20)
        } catch {
            if case .refused(404, _) = error { throw UserError(.noInput, "the server holds no picture of \(id)") }
            throw ServerFailure.userError(error, client)
        }
    }

    func vehicles() async throws -> VehicleList { try await get("/api/v1/vehicles", []) }

    func statistics(since: Timestamp, by grouping: StatisticsGrouping) async throws -> StatisticsList {
        try await get("/api/v1/stats", [("since", since.description), ("by", grouping.rawValue)])
    }

    func export(
        _ query: AlertQuery, as format: AlertFile, _ write: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) async throws {
        do throws(HTTPClientError) {
            try await client.download("/api/v1/export", query: parameters(query) + [("format", format.rawValue)], write)
        } catch { throw ServerFailure.userError(error, client) }
    }

    /// Adds a review to an alert.
    func review(_ id: AlertID, state: String, note: String, name: String) async throws {
        struct Review: Encodable {
            let state: String
            let note: String
            let name: String
        }
        let body = try WireCodec.encode(Review(state: state, note: note, name: name))
        do throws(HTTPClientError) { try await client.post(body, to: "/api/v1/alerts/\(id)/reviews") } catch {
            if case .refused(404, _) = error { throw UserError(.noInput, "no alert has the id \(id)") }
            throw ServerFailure.userError(error, client)
        }
    }

    func changes(after cursor: Int64, _ query: AlertQuery) -> AsyncThrowingStream<StoredAlert, any Error> {
        var query = query
        (query.since, query.until, query.before) = (nil, nil, nil)
        return AlertFollower(client: client, source: self, parameters: parameters(query)).changes(after: cursor)
    }

    private func get<T: Decodable>(_ path: String, _ query: [(String, String)], as type: T.Type = T.self) async throws -> T {
        let body: Data
        do throws(HTTPClientError) { body = try await client.get(path, query: query) } catch {
            throw ServerFailure.userError(error, client)
        }
        do { return try JSONDecoder().decode(type, from: body) } catch {
            throw UserError(.badData, "\(client.server)\(path): the answer is not that of fleet-sync; is it the right server?")
        }
    }

    private func parameters(_ query: AlertQuery) -> [(String, String)] {
        let all: [(String, String?)] = [
            ("since", query.since?.description), ("until", query.until?.description), ("fleet", query.fleet),
            ("vehicle", query.vehicle), ("kind", query.kind?.rawValue), ("severity", query.severity?.rawValue),
            ("review", query.review?.rawValue), ("before", query.before.map { String($0) }),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }
}

/// What a person is told when the server does not give what was asked.
enum ServerFailure {
    static func userError(_ error: HTTPClientError, _ client: HTTPClient) -> UserError {
        let server = client.server
        return switch error {
        case .badAddress(let reason): UserError(.usage, "\(server): \(reason)")
        case .unreachable(let reason):
            UserError(
                .unavailable,
                "\(server): no connection (\(reason)); is fleet-sync running there? Give its address with --server or FLEET_SERVER")
        case .timedOut: UserError(.unavailable, "\(server): no answer in time; try again, or look at the server's log")
        case .untrusted(let reason):
            UserError(.unavailable, "\(server): not trusted (\(reason)); give the authority's certificate with --ca FILE")
        case .notEncrypted:
            UserError(.unavailable, "\(server): what answers there does not speak TLS; is it http:// instead of https://?")
        case .broken(let reason): UserError(.unavailable, "\(server): the connection broke (\(reason)); try again")
        case .tooLarge(let bytes):
            UserError(.badData, "\(server): the answer is longer than \(bytes) bytes; ask for less with --limit")
        case .redirected(let target):
            UserError(
                .unavailable, "\(server): sends on to \(target.isEmpty ? "another address" : target); give that with --server")
        case .refused(401, _) where client.sendsToken:
            UserError(.configuration, "\(server): does not accept the token in FLEET_TOKEN_FILE; ask for another one")
        case .refused(401, _):
            UserError(.configuration, "\(server): wants an access token; put it in a file and name that in FLEET_TOKEN_FILE")
        case .refused(404, let detail): UserError(.noInput, "\(server): \(detail ?? "not found"); is it the address of fleet-sync?")
        case .refused(429, let detail):
            UserError(.unavailable, "\(server): \(detail ?? "too many requests; try again later")")
        case .refused(403, let detail):
            UserError(.configuration, "\(server): not allowed\(detail.map { ": " + $0 } ?? "")")
        case .refused(let status, let detail) where status < 500:
            UserError(.usage, "\(server): refused with \(status)\(detail.map { ": " + $0 } ?? "")")
        case .refused(let status, let detail):
            UserError(.unavailable, "\(server): failed with \(status)\(detail.map { ": " + $0 } ?? ""); try again later")
        case .cancelled: UserError(.unavailable, "\(server): given up")
        }
    }
}
