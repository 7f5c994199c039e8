import FleetRuntime
import Synchronization

/// An HTTP/1.1 server over libmicrohttpd: one daemon thread, handlers on the cooperative pool, connections that wait without a thread.
public final class HTTPServer: Sendable {
    /// PEM texts of a certificate chain and its key.
    public struct TLS: Sendable {
        let certificate: String
        let key: String

        /// Both parts; `certificate` begins with the server's own.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// How the server listens and what it bears.
    public struct Settings: Sendable {
        /// Numeric IPv4 or IPv6 address to listen on.
        public var address = "127.0.0.1"
        /// TCP port; 0 takes a free one.
        public var port = 0
        /// What the server shows who it is by; nil for plain HTTP.
        public var tls: TLS?
        /// Connections at once.
        public var connectionLimit = 512
        /// Connections at once from one address.
        public var perAddressLimit = 128
        /// Seconds without a byte after which a connection is closed; an event stream sends a comment earlier.
        public var timeoutS = 60
        /// Seconds within which a request must be there in full, TLS handshake included; counted from the connection's begin or the end of
        /// the answer before.
        public var requestTimeS = 20.0
        /// Seconds within which an answer must be taken in full; event streams are exempt.
        public var answerTimeS = 120.0
        /// Largest body that is read, in bytes.
        public var bodyLimit = 64 * 1024

        /// Loopback, a free port.
        public init() {}

        /// Whether only this machine can reach the server.
        public var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }
    }

    private struct Running {
        let socket: ListeningSocket
        var daemon: ServerDaemon
        var earlierCuts = 0
    }

    private let running = Mutex<Running?>(nil)
    private let settings: Settings
    private let handler: ServerDaemon.Handler

    /// A server that answers by `handler`; it does not listen yet.
    public init(settings: Settings, handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) {
        self.settings = settings
        self.handler = handler
    }

    /// Connections that were cut off because they took too long to send a request or to take an answer.
    public var cutCount: Int { running.withLock { $0.map { $0.earlierCuts + $0.daemon.cutCount } ?? 0 } }

    /// Listens, and returns the port. The server stays alive until `stop`. Throws `UserError` when the address cannot be taken.
    public func start() throws -> Int {
        let socket = try ListeningSocket(address: settings.address, port: settings.port)
        let daemon = try ServerDaemon(socket: socket, settings: settings, handler: handler)
        running.withLock { $0 = Running(socket: socket, daemon: daemon) }
        return socket.port
    }

    /// Shows `tls` to every connection from now on; nobody is refused meanwhile, open event streams end so that their clients come back.
    ///
    /// Throws `UserError` when the certificate cannot be used; then everything stays as it was. Returns when the old connections are gone.
    public func change(to tls: TLS) async throws {
        var settings = settings
        settings.tls = tls
        let old = try running.withLock { running -> ServerDaemon? in
            guard let now = running else { return nil }
            let daemon = try ServerDaemon(socket: now.socket, settings: settings, handler: handler)
            running?.daemon = daemon
            running?.earlierCuts += now.daemon.cutCount
            return now.daemon
        }
        await old?.retire()
    }

    /// Stops listening, ends every open stream, and returns when the daemon's thread has ended.
    public func stop() async {
        let last = running.withLock { running -> Running? in
            defer { running = nil }
            return running
        }
        await last?.daemon.stop()
    }
}
