import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import HTTPServer

/// `POST /api/v1/alerts/{id}/reviews`: what a person says of an alert.
struct ReviewsAPI: Sendable {
    let store: any AlertStore
    let feed: LiveFeed
    let audit: Audit
    let clock: any FleetClock
    /// Whether people sign in: then a review bears that name, else the one in the body.
    let isSignInWanted: Bool

    func addRoutes(to router: inout HTTPRouter) {
        router.add("POST", "/api/v1/alerts/{id}/reviews", least: .reviewer, query: []) { request, parameters in
            await answer { try await add(request, to: parameters["id"] ?? "") }
        }
    }

    /// What a client sends.
    private struct Body: Decodable {
        let state: ReviewState
        let note: String?
        let name: String?
    }

    private func add(_ request: HTTPRequest, to text: String) async throws -> HTTPResponse {
        guard let id = AlertID(text) else { throw BadQuery(detail: "an alert's id is a UUID") }
        guard let body = try? JSONDecoder().decode(Body.self, from: request.body) else {
            let states = ReviewState.allCases.map(\.rawValue).joined(separator: ", ")
            throw BadQuery(detail: #"the body must be {"state":"...","note":"...","name":"..."}; state is one of "# + states)
        }
        let note = try Self.text(body.note, "note", AlertReview.maximumNote)
        let given = try Self.text(body.name, "name", AlertReview.maximumName)
        let name = isSignInWanted ? request.principal?.name ?? "" : given
        // A vehicle that forges another's id came later; the first one is meant.
        guard let alert = try await store.history(of: id).min(by: { $0.cursor < $1.cursor })?.alert else {
            return .problem(404, "no alert has the id \(id)")
        }
        let review = AlertReview(of: id, by: alert.identity, state: body.state, note: note, name: name, at: clock.wallTime())
        guard let stored = try await store.add(review) else { return .problem(404, "no alert has the id \(id)") }
        feed.announce()
        // Names no vehicle: the entry stays when the vehicle's data are erased.
        await audit.note(request, action: "review", detail: "\(body.state.rawValue), alert \(id)")
        return .json(stored, status: 201)
    }

    /// Text of a person: lines and tabs stay, other control characters are none of anybody's business.
    private static func text(_ given: String?, _ member: String, _ limit: Int) throws -> String {
        let text = (given ?? "").trimmed
        guard text.count <= limit else { throw BadQuery(detail: "\(member) has more than \(limit) characters") }
        guard !text.unicodeScalars.contains(where: { $0.value < 32 && $0 != "\n" && $0 != "\t" || $0.value == 127 }) else {
            throw BadQuery(detail: "\(member) holds control characters")
        }
        return text
    }
}

extension String {
    /// Without white space at either end.
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
            return ""
        }
        return String(self[first...last])
    }
}
