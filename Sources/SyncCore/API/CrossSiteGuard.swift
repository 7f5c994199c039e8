import HTTPServer

/// Keeps pages of other sites from acting through a visitor's browser: the browser says where a request comes from, and a body of JSON
/// cannot be sent across sites without asking first, which nobody is allowed.
enum CrossSiteGuard {
    /// The refusal of a request that changes something and may come from another site; nil when it may not.
    static func refusal(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.method != "GET", request.method != "HEAD" else { return nil }
        if let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none" {
            return .problem(403, "this request comes from another site")
        }
        // Schemes are not compared: behind a proxy the page is https and the request that arrives here is not.
        if let origin = request.headers["origin"], !hasHost(origin, request.headers["host"] ?? "") {
            return .problem(403, "this request comes from another site")
        }
        let type = request.headers["content-type"]?.lowercased().prefix { $0 != ";" && $0 != " " }
        if !request.body.isEmpty, type != "application/json" {
            return .problem(415, "the body must be application/json")
        }
        return nil
    }

    private static func hasHost(_ origin: String, _ host: String) -> Bool {
        guard let scheme = origin.range(of: "://") else { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }
}
