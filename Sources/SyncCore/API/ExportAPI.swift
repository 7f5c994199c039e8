import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import HTTPServer

/// `/api/v1/export`: a list of alerts as a file, however long. Who takes one out, and which, is noted in the audit log first.
struct ExportAPI: Sendable {
    let store: any AlertStore
    let audit: Audit
    let clock: any FleetClock

    func addRoutes(to router: inout HTTPRouter) {
        router.add("GET", "/api/v1/export", least: .reviewer, query: QueryReader.alertParameters.union(["format"])) { request, _ in
            await answer { try await export(request) }
        }
    }

    private func export(_ request: HTTPRequest) async throws -> HTTPResponse {
        let format = try QueryReader.choice(request, "format", AlertFile.self) ?? .csv
        var query = try QueryReader.alertQuery(request)
        query.limit = AlertQuery.maximumLimit
        let words = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        // Without the note there is no export. HEAD takes nothing out.
        if request.method == "GET" { try await audit.record(request, action: "export", detail: words) }
        let first = try await store.alerts(query)
        let day = clock.wallTime().description.prefix(10)
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", format.mediaType), ("Cache-Control", "no-store"),
                ("Content-Disposition", "attachment; filename=\"alerts-\(day).\(format.rawValue)\""),
            ],
            body: .events { [query] sink in await send(first, query, format, to: sink) })
    }

    /// Page after page, the newest change first: what changes meanwhile may be there twice, nothing is left out.
    private func send(_ first: AlertPage, _ start: AlertQuery, _ format: AlertFile, to sink: EventSink) async {
        var (page, query) = (first, start)
        if !format.head.isEmpty, await !sink.write(Data((format.head + "\n").utf8)) { return }
        while true {
            let text = page.alerts.compactMap { format.line($0).map { $0 + "\n" } }.joined()
            guard await sink.write(Data(text.utf8)) else { return }
            guard let before = page.nextBefore else { return }
            query.before = before
            do { page = try await store.alerts(query) } catch {
                Log("api").error("an export was cut off: \(error)")
                return sink.fail()
            }
        }
    }
}
