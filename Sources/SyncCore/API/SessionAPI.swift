import FoundationEssentials
import HTTPServer

/// `/api/v1/session`: a browser exchanges a token for a cookie, asks who it is, and signs out.
struct SessionAPI: Sendable {
    let identification: Identification

    private var policy: AccessPolicy { identification.policy }
    private var http: SyncHTTPConfiguration { identification.http }

    func addRoutes(to router: inout HTTPRouter) {
        router.add("GET", "/api/v1/session", query: []) { request, _ in
            request.principal.map { .json(Answer(name: $0.name, role: $0.role, signIn: signIn(of: request))) }
                ?? .problem(401, "nobody is signed in")
        }
        router.addOpen("POST", "/api/v1/session", query: []) { request, _ in signIn(request) }
        router.addOpen("DELETE", "/api/v1/session", query: []) { request, _ in
            let cookie = policy.closeSession(request, isSecure: isSecure(request))
            return HTTPResponse(status: 204, headers: [("Set-Cookie", cookie), ("Cache-Control", "no-store")])
        }
    }

    /// How whoever asks came in.
    private enum SignIn: String, Encodable { case none, token, proxy }
    private struct Answer: Encodable {
        let name: String
        let role: Role
        let signIn: SignIn
    }

    private func signIn(of request: HTTPRequest) -> SignIn {
        if identification.isNamedByProxy(request) { return .proxy }
        return identification.isNeeded ? .token : .none
    }

    private func isSecure(_ request: HTTPRequest) -> Bool { request.isSecure || http.behindProxy }

    private func signIn(_ request: HTTPRequest) -> HTTPResponse {
        struct Body: Decodable { let token: String }
        guard policy.asksForToken else { return HTTPResponse(status: 204) }
        guard let body = try? JSONDecoder().decode(Body.self, from: request.body) else {
            return .problem(400, "the body must be {\"token\":\"...\"}")
        }
        let (cookie, verdict) = policy.openSession(
            token: body.token, client: http.client(of: request), isSecure: isSecure(request))
        guard let cookie else { return Identification.refusal(verdict) }
        return HTTPResponse(status: 204, headers: [("Set-Cookie", cookie), ("Cache-Control", "no-store")])
    }
}
