import FleetModel
import FleetStore
import FoundationEssentials
import HTTPServer

/// `/api/v1/alerts` and `/api/v1/stream`.
struct AlertsAPI: Sendable {
    /// Seconds between comments that keep an idle event stream open.
    static let keepAliveS = 15.0
    /// Alerts that a stream reads from the store at once.
    static let streamPage = 200

    let store: any AlertStore
    let snapshots: SnapshotFolder
    let feed: LiveFeed

    func addRoutes(to router: inout HTTPRouter) {
        router.add("GET", "/api/v1/alerts", query: QueryReader.alertParameters.union(["before", "cursor", "limit"])) { request, _ in
            await answer { try await list(request) }
        }
        router.add("GET", "/api/v1/alerts/{id}", query: []) { _, parameters in
            await answer { try await show(parameters["id"] ?? "") }
        }
        router.add("GET", "/api/v1/alerts/{id}/snapshot", query: ["v"]) { _, parameters in
            await answer { try await picture(parameters["id"] ?? "") }
        }
        router.add("GET", "/api/v1/stream", query: QueryReader.alertParameters.union(["cursor"])) { request, _ in
            await answer { try await stream(request) }
        }
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let query = try QueryReader.alertQuery(request)
        if let cursor = try QueryReader.cursor(request, "cursor") { return .json(try await store.changes(after: cursor, query)) }
        return .json(try await store.alerts(query))
    }

    /// All revisions of an alert, the lowest first. A vehicle that forges another's id came later; it must not speak in the other's name.
    private func revisions(of id: AlertID) async throws -> [StoredAlert] {
        let found = try await store.history(of: id)
        let owner = found.min { $0.cursor < $1.cursor }?.alert.identity
        return found.filter { $0.alert.identity == owner }
    }

    private func picture(_ text: String) async throws -> HTTPResponse {
        guard let id = AlertID(text) else { return .problem(400, "an alert's id is a UUID") }
        let revisions = try await revisions(of: id)
        guard let alert = revisions.last?.alert else { return .problem(404, "no alert has the id \(id)") }
        let digest = revisions.last { $0.alert.snapshot != nil }?.alert.snapshot?.sha256
        guard let jpeg = await snapshots.find(id, by: alert.identity, digest: digest) else {
            return .problem(404, digest == nil ? "the alert has no snapshot" : "the alert's snapshot has not arrived")
        }
        var response = HTTPResponse.data(jpeg, type: "image/jpeg")
        response.headers.append(("Content-Disposition", "inline; filename=\"\(id).jpg\""))
        response.headers.append(("Cache-Control", "private, max-age=3600"))
        return response
    }

    private func show(_ text: String) async throws -> HTTPResponse {
        guard let id = AlertID(text) else { return .problem(400, "an alert's id is a UUID") }
        let revisions = try await revisions(of: id)
        guard let last = revisions.last else { return .problem(404, "no alert has the id \(id)") }
        struct History: Encodable {
            let alert: StoredAlert
            let revisions: [StoredAlert]
            let reviews: [AlertReview]
        }
        let owner = last.alert.identity
        let reviews = try await store.reviews(of: id).filter { $0.fleet == owner.fleet && $0.vehicle == owner.vehicle }
        return .json(History(alert: last, revisions: revisions, reviews: reviews))
    }

    /// Events from the cursor that the client gives (`Last-Event-ID` or `cursor`), else from now on.
    private func stream(_ request: HTTPRequest) async throws -> HTTPResponse {
        var query = try QueryReader.alertQuery(request)
        query.limit = Self.streamPage
        let resumed = request.headers["last-event-id"].flatMap { Int64($0) }
        let asked = try QueryReader.cursor(request, "cursor")
        var start = resumed ?? asked
        if start == nil { start = try await store.latestCursor() }
        return events(after: start ?? 0, review: try await store.latestReview(), query)
    }

    /// Every reader asks the store by its own cursor, so that none misses or repeats a change, however slow it is.
    private func events(after start: Int64, review: Int64, _ query: AlertQuery) -> HTTPResponse {
        let changes = feed.subscribe()
        return .events { sink in
            let keepAlive = Task {
                while await sink.keepAlive() { try await Task.sleep(for: .seconds(Self.keepAliveS)) }
            }
            defer { keepAlive.cancel() }
            guard var cursor = await send(after: start, query, to: sink) else { return }
            var review = review
            for await _ in changes {
                guard let reached = await send(after: cursor, query, to: sink) else { return }
                cursor = reached
                guard let said = await send(reviewsAfter: review, to: sink) else { return }
                review = said
            }
        }
    }

    /// Sends what people said of alerts after the review `number`, whatever the filters: a page knows which alerts it shows. These events have
    /// no id; a client that comes back reads its list again.
    private func send(reviewsAfter number: Int64, to sink: EventSink) async -> Int64? {
        var number = number
        while let reviews = try? await store.reviews(after: number, limit: Self.streamPage), let last = reviews.last {
            for review in reviews {
                guard let json = try? WireCodec.encode(review) else { continue }
                guard await sink.send(ServerSentEvent(event: "review", data: String(decoding: json, as: UTF8.self))) else {
                    return nil
                }
            }
            number = last.number
        }
        return number
    }

    /// Sends everything after `cursor` and returns the cursor reached, nil when the client is gone. A store that fails now is asked again
    /// at the next change.
    private func send(after start: Int64, _ query: AlertQuery, to sink: EventSink) async -> Int64? {
        var cursor = start
        // Nothing up to here is looked at again, wanted or not.
        let highest = try? await store.latestCursor()
        while let page = try? await store.changes(after: cursor, query), !page.alerts.isEmpty {
            for alert in page.alerts {
                guard let json = try? WireCodec.encode(alert) else { continue }
                let event = ServerSentEvent(id: String(alert.cursor), event: "alert", data: String(decoding: json, as: UTF8.self))
                guard await sink.send(event) else { return nil }
            }
            cursor = page.nextCursor
            if page.alerts.count < query.limit { break }
        }
        return max(cursor, highest ?? cursor)
    }
}
