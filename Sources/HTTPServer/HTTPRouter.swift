/// Finds the handler of a request by method and path, and says who may ask for it.
public struct HTTPRouter: Sendable {
    /// Answers a request; the parameters are the path segments that the pattern left open.
    public typealias Handler = @Sendable (HTTPRequest, [String: String]) async -> HTTPResponse

    /// Who may ask for a route.
    public enum Access: Sendable, Hashable {
        /// Everybody, also without a token.
        case everybody
        /// Whoever was let in by the one who asks the router.
        case somebody
        /// Who has this role, or one that may more.
        case role(Role)
    }

    /// A method on a path.
    public struct Route: Sendable {
        /// `GET`, `POST`, ...
        public let method: String
        /// The path; a segment `{name}` matches any one segment.
        public let pattern: String
        /// Who may ask.
        public let access: Access
        /// Query parameters that it knows; nil for a page, which makes of them what it likes.
        public let query: Set<String>?
        fileprivate let segments: [Substring]
        fileprivate let handler: Handler
    }

    /// Routes in the order in which they were added.
    public private(set) var routes: [Route] = []

    /// No routes.
    public init() {}

    /// Answers `method` on `pattern` by `handler`, to who has at least `role` where one is given. Query parameters that are not in `query`
    /// are refused; nil lets all pass.
    public mutating func add(
        _ method: String, _ pattern: String, least role: Role? = nil, query: Set<String>? = nil, _ handler: @escaping Handler
    ) { add(method, pattern, role.map { .role($0) } ?? .somebody, query, handler) }

    /// The same for everybody, also without a token.
    public mutating func addOpen(_ method: String, _ pattern: String, query: Set<String>? = nil, _ handler: @escaping Handler) {
        add(method, pattern, .everybody, query, handler)
    }

    private mutating func add(
        _ method: String, _ pattern: String, _ access: Access, _ query: Set<String>?, _ handler: @escaping Handler
    ) {
        routes.append(
            Route(
                method: method, pattern: pattern, access: access, query: query, segments: Self.segments(pattern), handler: handler))
    }

    /// Whether everybody may ask for what `request` asks for.
    public func isOpen(_ request: HTTPRequest) -> Bool {
        matches(request).contains { $0.method == Self.method(of: request) && $0.access == .everybody }
    }

    /// `HEAD` is answered as `GET`.
    private static func method(of request: HTTPRequest) -> String { request.method == "HEAD" ? "GET" : request.method }

    /// The answer to `request`: 404 without a route for its path, 405 without one for its method, 403 to who may not, 400 to a query
    /// parameter that nobody knows. `HEAD` is answered as `GET`.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        let method = Self.method(of: request)
        let found = matches(request)
        guard !found.isEmpty else { return .problem(404, "nothing is here") }
        guard let route = found.first(where: { $0.method == method }) else {
            let allowed = found.map(\.method).joined(separator: ", ")
            var response = HTTPResponse.problem(405, "allowed here: \(allowed)")
            response.headers.append(("Allow", allowed))
            return response
        }
        if case .role(let least) = route.access, (request.principal?.role).map({ $0 < least }) ?? true {
            let who = request.principal.map { "\($0.name) is \($0.role)" } ?? "nobody is signed in"
            return .problem(403, "this needs the role \(least); \(who)")
        }
        if let refusal = Self.refusal(of: request.query.map(\.name), known: route.query) { return .problem(400, refusal) }
        return await route.handler(request, Self.parameters(route.segments, request.path))
    }

    private static func refusal(of names: [String], known: Set<String>?) -> String? {
        guard let known else { return nil }
        if let stray = names.first(where: { !known.contains($0) }) {
            let allowed = known.isEmpty ? "none is known here" : "known here: \(known.sorted().joined(separator: ", "))"
            return "unknown parameter \(stray.prefix(64)); \(allowed)"
        }
        return Set(names).count < names.count ? "a parameter stands twice" : nil
    }

    private func matches(_ request: HTTPRequest) -> [Route] {
        let segments = Self.segments(request.path)
        return routes.filter { route in
            route.segments.count == segments.count
                && zip(route.segments, segments).allSatisfy { $0.hasPrefix("{") ? !$1.isEmpty : $0 == $1 }
        }
    }

    private static func parameters(_ pattern: [Substring], _ path: String) -> [String: String] {
        let pairs = zip(pattern, segments(path)).filter { $0.0.hasPrefix("{") }
        return Dictionary(pairs.map { (String($0.dropFirst().dropLast()), String($1)) }) { $1 }
    }

    /// Empty segments count: `//` is another path than `/`.
    private static func segments(_ path: String) -> [Substring] { path.split(separator: "/", omittingEmptySubsequences: false) }
}
