import FleetRuntime
import HTTPServer

/// Finds out who asks: by the name that the configured proxy gives, by a token, or by a browser's session.
struct Identification: Sendable {
    /// Longest name that is taken from a proxy, in bytes.
    private static let nameLimit = 128

    let policy: AccessPolicy
    let http: SyncHTTPConfiguration

    /// Whether anything but the open routes needs somebody.
    var isNeeded: Bool { policy.asksForToken || http.proxyUserHeader != nil }

    /// Who asks, or the refusal of what they showed.
    func judge(_ request: HTTPRequest) -> Result<Principal, Refusal> {
        if let person = proxyUser(request) { return .success(person) }
        // A proxy that names people is asked for them alone, unless there are tokens beside it.
        if http.proxyUserHeader != nil, !policy.asksForToken {
            return .failure(Refusal(response: .problem(401, "the proxy in front names nobody; sign in there")))
        }
        let verdict = policy.judge(request, client: http.client(of: request))
        if case .granted(let principal) = verdict { return .success(principal) }
        return .failure(Refusal(response: Self.refusal(verdict)))
    }

    /// A refusal as an error.
    struct Refusal: Error { let response: HTTPResponse }

    /// Whether the proxy in front says who asks.
    func isNamedByProxy(_ request: HTTPRequest) -> Bool { proxyUser(request) != nil }

    /// The person whom the proxy has signed in. Believed only where the configuration names the header, and every request has come from one of
    /// the trusted proxies: that is checked before.
    private func proxyUser(_ request: HTTPRequest) -> Principal? {
        guard http.behindProxy, let header = http.proxyUserHeader, let name = request.headers[header.lowercased()],
            !name.isEmpty, name.utf8.count <= Self.nameLimit, name.printable == name
        else { return nil }
        let role: Role = http.proxyAdmins.contains(name) ? .admin : http.proxyReviewers.contains(name) ? .reviewer : .viewer
        return Principal(name: name, role: role)
    }

    /// What is answered to a token or session that does not open.
    static func refusal(_ verdict: AccessPolicy.Verdict) -> HTTPResponse {
        if case .limited(let waitS) = verdict {
            var response = HTTPResponse.problem(429, "too many wrong tokens came from this address; try again in \(waitS) s")
            response.headers.append(("Retry-After", String(waitS)))
            return response
        }
        let detail = verdict == .wrong ? "this is not the token" : "send the access token as `Authorization: Bearer TOKEN`"
        var response = HTTPResponse.problem(401, detail)
        response.headers.append(("WWW-Authenticate", "Bearer"))
        return response
    }
}
