import FleetRuntime
import FoundationEssentials

/// Asks one HTTP server: GET, a bearer token, a size limit, nothing that is not needed.
///
/// Every request blocks a queue of its own, never the cooperative pool. Redirects are not followed: the token would go with them.
public actor HTTPClient {
    /// How a server is asked.
    public struct Settings: Sendable {
        /// Sent as `Authorization: Bearer`.
        public var token: String?
        /// Certificates of the authorities to trust, PEM; nil for the system's.
        public var caFile: String?
        /// Seconds until a connection must stand.
        public var connectTimeoutS = 5.0
        /// Seconds until an answer must be there in full.
        public var timeoutS = 30.0
        /// Seconds without a byte after which an event stream counts as broken; the server sends one every 15 s.
        public var silenceS = 45.0
        /// Name of the program in the request.
        public var userAgent = "fleet-safety"

        /// The values above.
        public init() {}
    }

    /// Whom this client asks.
    public nonisolated let server: ServerAddress
    private let settings: Settings
    /// Whether its requests carry a token.
    public nonisolated var sendsToken: Bool { settings.token != nil }
    private let executor = BlockingExecutor(label: "http-client")
    private var transfer: Transfer?

    /// Requests run on a queue of their own.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A client for `server`; asks nothing yet.
    public init(server: ServerAddress, settings: Settings = Settings()) {
        self.server = server
        self.settings = settings
    }

    /// The body of `path` with `query`, at most `limit` bytes. Throws for every status but 200.
    public func get(_ path: String, query: [(String, String)] = [], accept: String = "application/json", limit: Int = 32 << 20)
        throws(HTTPClientError) -> Data
    {
        var body = Data()
        let request = Transfer.Request(
            url: url(path, query), headers: headers(accept), isStream: false, limit: limit, settings: settings,
            isLoopback: server.isLoopback)
        try run(request) { body.append(contentsOf: $0) }
        return body
    }

    /// Hands the body of `path` over piece by piece, however long it is and takes, as long as something comes.
    public func download(_ path: String, query: [(String, String)], _ receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Void)
        throws(HTTPClientError)
    {
        let request = Transfer.Request(
            url: url(path, query), headers: headers("*/*"), isStream: true, limit: .max, settings: settings,
            isLoopback: server.isLoopback)
        try run(request, receive)
    }

    /// Sends `json` to `path` (with its query, as it stands in a URL) and returns the status, one from 200 to 299.
    @discardableResult
    public func post(_ json: Data, to path: String, headers more: [(name: String, value: String)] = []) throws(HTTPClientError)
        -> Int
    {
        var request = Transfer.Request(
            url: server.description + path,
            headers: headers("application/json") + ["Content-Type: application/json"] + more.map { $0.name + ": " + $0.value },
            isStream: false, limit: 1 << 20, settings: settings, isLoopback: server.isLoopback)
        request.body = json
        return try run(request) { _ in }
    }

    /// One handle for all requests: the connection stays open between them.
    @discardableResult
    private func run(_ request: Transfer.Request, _ receive: @escaping (UnsafeRawBufferPointer) -> Void) throws(HTTPClientError)
        -> Int
    {
        if transfer == nil { transfer = try Transfer() }
        guard let transfer else { throw .broken("libcurl does not start") }
        return try transfer.run(request, isCancelled: { false }, receive: receive)
    }

    /// Server-Sent Events from `path`, after the event `lastEventID`, until the connection ends, which always throws.
    ///
    /// The stream ends with the error; asking again is up to the caller. Cancelling the reading task ends the connection within a second.
    public nonisolated func events(_ path: String, query: [(String, String)] = [], lastEventID: String?)
        -> AsyncThrowingStream<ReceivedEvent, any Error>
    {
        var headers = headers("text/event-stream") + ["Cache-Control: no-cache"]
        if let lastEventID { headers.append("Last-Event-ID: " + lastEventID) }
        let request = Transfer.Request(
            url: url(path, query), headers: headers, isStream: true, limit: .max, settings: settings, isLoopback: server.isLoopback)
        return EventConnection.open(request)
    }

    private nonisolated func url(_ path: String, _ query: [(String, String)]) -> String {
        let pairs = query.map { Self.escaped($0.0) + "=" + Self.escaped($0.1) }
        return server.description + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    private nonisolated func headers(_ accept: String) -> [String] {
        ["Accept: " + accept] + (settings.token.map { ["Authorization: Bearer " + $0] } ?? [])
    }

    /// Percent-encoding of everything but the unreserved characters of RFC 3986, section 2.3.
    static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126: result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
            }
        }
        return result
    }
}
