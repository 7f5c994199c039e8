import HTTPServer

/// Lets pages of other origins that the configuration names ask with a token (CORS, Fetch Standard); off unless one is named. They may only
/// look, and never with this server's cookie.
struct CrossOrigin: Sendable {
    let origins: [String]

    /// The answer to a browser's question beforehand; nil when `request` is none.
    func preflight(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.method == "OPTIONS", request.headers["access-control-request-method"] != nil, isKnown(request) else {
            return nil
        }
        return HTTPResponse(
            status: 204,
            headers: [
                ("Access-Control-Allow-Methods", "GET, HEAD"),
                ("Access-Control-Allow-Headers", "Authorization, Last-Event-ID"), ("Access-Control-Max-Age", "600"),
            ])
    }

    /// `response` with what tells the browser that the asking page may read it.
    func open(_ response: HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
        guard !origins.isEmpty else { return response }
        var response = response
        response.headers.append(("Vary", "Origin"))
        guard isKnown(request), let origin = request.headers["origin"] else { return response }
        response.headers.removeAll { $0.name == "Cross-Origin-Resource-Policy" }
        response.headers += [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", "ETag, Retry-After"),
            ("Cross-Origin-Resource-Policy", "cross-origin"),
        ]
        return response
    }

    private func isKnown(_ request: HTTPRequest) -> Bool { request.headers["origin"].map(origins.contains) ?? false }
}
