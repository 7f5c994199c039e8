import FleetModel
import FleetRuntime
import HTTPServer
import Synchronization

/// The API's server with its certificate and tokens, which it reads anew when told so.
final class FleetServer: Sendable {
    private let http: SyncHTTPConfiguration
    private let policy: AccessPolicy
    private let server: HTTPServer
    private let clock: any FleetClock
    private let certificateEnd: CertificateEnd
    private let log = Log("api")

    /// End of the certificate in use; shared with the page of metrics.
    private final class CertificateEnd: Sendable { let time = Mutex<Timestamp?>(nil) }

    /// Reads the files that `http` names. `makeAPI` makes the routes from the policy, the settings and what the metrics say of the server.
    init(
        http: SyncHTTPConfiguration, clock: any FleetClock,
        makeAPI: (AccessPolicy, SyncHTTPConfiguration, @escaping @Sendable () -> AccessMetrics) -> FleetAPI
    ) throws {
        let files = try AccessFiles(http)
        var settings = HTTPServer.Settings()
        settings.address = http.address
        settings.port = http.port
        settings.tls = files.tls
        // Everybody comes from the proxy's address; bounding each of them is the proxy's work.
        if http.behindProxy { settings.perAddressLimit = settings.connectionLimit }
        let hosts = Set([http.address, "[\(http.address)]", "localhost", "127.0.0.1", "[::1]"] + http.hosts)
        let policy = AccessPolicy(hosts: hosts, tokens: files.tokens, clock: clock)
        let end = CertificateEnd()
        let counter = CutCounter()
        let api = makeAPI(policy, http) {
            AccessMetrics(counts: policy.counts, cutConnections: counter.current, certificateEnd: end.time.withLock { $0 })
        }
        server = HTTPServer(settings: settings) { await api.respond(to: $0) }
        counter.watch(server)
        self.http = http
        self.policy = policy
        self.clock = clock
        certificateEnd = end
        note(files.certificate)
    }

    /// The server for the page that it serves itself; weak, or the two would keep each other.
    private final class CutCounter: Sendable {
        private struct Box { weak var server: HTTPServer? }
        private let box = Mutex(Box())

        func watch(_ server: HTTPServer) { box.withLock { $0.server = server } }
        var current: Int { box.withLock { $0.server }?.cutCount ?? 0 }
    }

    /// Listens, and returns the port. Throws `UserError`.
    func start() throws -> Int { try server.start() }

    /// Reads certificate, key and tokens anew. What cannot be used is told, and all stays as it was.
    func reload() async {
        do {
            let files = try AccessFiles(http)
            if let tls = files.tls { try await server.change(to: tls) }
            if let tokens = files.tokens { policy.replace(tokens) }
            note(files.certificate)
            log.info("certificate and tokens are read anew")
        } catch {
            log.error("nothing is changed: \((error as? UserError)?.message ?? "\(error)")")
        }
    }

    /// Ends every stream and returns when the server has ended.
    func stop() async { await server.stop() }

    private func note(_ certificate: Certificate?) {
        certificateEnd.time.withLock { $0 = certificate?.notAfter }
        if let certificate, let concern = certificate.concern(at: clock.wallTime()) {
            log.warning("the certificate of the API (\(http.certFile ?? "")): \(concern)")
        }
    }
}
