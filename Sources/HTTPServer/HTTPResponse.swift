import FleetRuntime
import FoundationEssentials

/// What a handler answers.
public struct HTTPResponse: Sendable {
    /// The body of an answer.
    public enum Body: Sendable {
        /// All of it.
        case data(Data)
        /// Sent piece by piece, e.g. Server-Sent Events: the task that sends runs until it returns; it is cancelled when the client goes.
        case events(@Sendable (EventSink) async -> Void)
    }

    /// HTTP status.
    public var status: Int
    /// Headers in their order.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: Body

    /// An answer from its parts.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: Body = .data(Data())) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Bytes of a media type.
    public static func data(_ data: Data, type: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", type)], body: .data(data))
    }

    /// JSON of `value`: compact, sorted keys.
    public static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return .problem(500, "the answer could not be encoded") }
        return HTTPResponse(
            status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "private, no-cache")],
            body: .data(data))
    }

    /// An error as problem JSON (RFC 9457).
    public static func problem(_ status: Int, _ detail: String) -> HTTPResponse {
        struct Problem: Encodable {
            let type = "about:blank"
            let title: String
            let status: Int
            let detail: String
        }
        var response = HTTPResponse.json(Problem(title: HTTPStatus.phrase(status), status: status, detail: detail), status: status)
        response.headers = [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")]
        return response
    }

    /// Server-Sent Events, sent by `body`.
    public static func events(_ body: @escaping @Sendable (EventSink) async -> Void) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")],
            body: .events(body))
    }
}

/// Names of the statuses in use.
enum HTTPStatus {
    static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 421: "Misdirected Request"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Error"
        }
    }
}
