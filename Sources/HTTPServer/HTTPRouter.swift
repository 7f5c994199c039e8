/// Finds the handler of a request by method and path.
public struct HTTPRouter: Sendable {
    /// Answers a request; the parameters are the path segments that the pattern left open.
    public typealias Handler = @Sendable (HTTPRequest, [String: String]) async -> HTTPResponse

    private struct Route: Sendable {
        let method: String
        let pattern: [String]
        let handler: Handler
    }

    private var routes: [Route] = []

    /// No routes.
    public init() {}

    /// Answers `method` on `pattern` by `handler`; a segment `{name}` matches any one segment.
    public mutating func add(_ method: String, _ pattern: String, _ handler: @escaping Handler) {
        routes.append(Route(method: method, pattern: Self.segments(pattern), handler: handler))
    }

    /// The answer to `request`: 404 without a route for its path, 405 without one for its method. `HEAD` is answered as `GET`.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        let segments = Self.segments(request.path)
        let method = request.method == "HEAD" ? "GET" : request.method
        var allowed: [String] = []
        for route in routes {
            guard let parameters = Self.match(route.pattern, segments) else { continue }
            if route.method == method { return await route.handler(request, parameters) }
            allowed.append(route.method)
        }
        guard !allowed.isEmpty else { return .problem(404, "nothing is here") }
        var response = HTTPResponse.problem(405, "allowed here: \(allowed.joined(separator: ", "))")
        response.headers.append(("Allow", allowed.joined(separator: ", ")))
        return response
    }

    private static func segments(_ path: String) -> [String] {
        path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    }

    private static func match(_ pattern: [String], _ segments: [String]) -> [String: String]? {
        guard pattern.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (expected, found) in zip(pattern, segments) {
            if expected.hasPrefix("{") {
                parameters[String(expected.dropFirst().dropLast())] = found
            } else if expected != found {
                return nil
            }
        }
        return parameters
    }
}
