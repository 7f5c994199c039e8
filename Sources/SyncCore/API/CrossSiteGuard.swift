import HTTPServer

/// Keeps other sites from acting with a browser's session (cross-site request forgery), beside the cookie's `SameSite=Strict`.
///
/// A request that may change something is let through when it carries a token (no browser adds one by itself), or when the browser says that it
/// comes from this server's own page: `Sec-Fetch-Site` (W3C Fetch Metadata), else `Origin` (RFC 6454), which every browser sends with a
/// POST. What comes with neither is no browser. A body has to be declared as JSON, which no form can do.
enum CrossSiteGuard {
    /// The refusal of `request`; nil when nothing speaks against it.
    static func refusal(of request: HTTPRequest) -> HTTPResponse? {
        guard request.isUnsafe, request.headers["authorization"] == nil else { return nil }
        guard isOwn(request) else { return .problem(403, "this comes from another site's page") }
        let type = request.headers["content-type"]?.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
        guard request.body.isEmpty || type == "application/json" else {
            return .problem(415, "send the body with Content-Type: application/json")
        }
        return nil
    }

    private static func isOwn(_ request: HTTPRequest) -> Bool {
        if let site = request.headers["sec-fetch-site"] { return site == "same-origin" || site == "none" }
        guard let origin = request.headers["origin"] else { return true }
        let host = request.headers["host"] ?? ""
        return ["http://" + host, "https://" + host].contains(origin.lowercased())
    }
}
