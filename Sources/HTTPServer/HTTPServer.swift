import CMicroHTTPD
import FleetRuntime
import Foundation
import Glibc
import Synchronization

/// An HTTP/1.1 server over libmicrohttpd: one daemon thread, handlers on the cooperative pool, connections that wait without a thread.
public final class HTTPServer: Sendable {
    /// How the server listens and what it bears.
    public struct Settings: Sendable {
        /// Numeric IPv4 or IPv6 address to listen on.
        public var address = "127.0.0.1"
        /// TCP port; 0 takes a free one.
        public var port = 0
        /// PEM texts of certificate chain and key; nil for plain HTTP.
        public var tls: (certificate: String, key: String)?
        /// Connections at once.
        public var connectionLimit = 512
        /// Connections at once from one address.
        public var perAddressLimit = 128
        /// Seconds without a byte after which a connection is closed; an event stream sends a comment earlier.
        public var timeoutS = 60
        /// Largest body that is read, in bytes.
        public var bodyLimit = 64 * 1024

        /// Loopback, a free port.
        public init() {}

        /// Whether only this machine can reach the server.
        public var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }
    }

    private struct Daemon: @unchecked Sendable { let pointer: OpaquePointer }  // MHD's own functions are safe from every thread.
    private let daemon = Mutex<Daemon?>(nil)
    private let exchanges = Mutex<[ObjectIdentifier: Exchange]>([:])
    private let settings: Settings
    private let handler: @Sendable (HTTPRequest) async -> HTTPResponse
    private let stopping = Atomic<Bool>(false)

    /// A server that answers by `handler`; it does not listen yet.
    public init(settings: Settings, handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) {
        self.settings = settings
        self.handler = handler
    }

    /// Listens, and returns the port. The server stays alive until `stop`. Throws `UserError` when the address cannot be taken.
    public func start() throws -> Int {
        let context = Unmanaged.passRetained(self).toOpaque()
        errno = 0
        let started = try withSocketAddress { address, isIPv6 in
            var c = fleet_mhd_settings(
                address: address, is_ipv6: isIPv6 ? 1 : 0, connection_limit: UInt32(settings.connectionLimit),
                per_address_limit: UInt32(settings.perAddressLimit), timeout_s: UInt32(settings.timeoutS),
                memory_per_connection: 64 * 1024,
                certificate: nil, key: nil)
            guard let tls = settings.tls else { return fleet_mhd_start(&c, Self.access, Self.completed, context) }
            return tls.certificate.withCString { certificate in
                tls.key.withCString { key in
                    c.certificate = certificate
                    c.key = key
                    return fleet_mhd_start(&c, Self.access, Self.completed, context)
                }
            }
        }
        guard let started else {
            let number = errno
            let reason = startFailure(number)
            Unmanaged<HTTPServer>.fromOpaque(context).release()
            let isCertificate = settings.tls != nil && ![EADDRINUSE, EADDRNOTAVAIL, EACCES].contains(number)
            throw UserError(
                isCertificate ? .configuration : .unavailable,
                "cannot listen on \(settings.address) port \(settings.port): \(reason)")
        }
        daemon.withLock { $0 = Daemon(pointer: started) }
        return Int(fleet_mhd_port(started))
    }

    /// Why the daemon did not start; the library says nothing of a certificate that it cannot use.
    private func startFailure(_ number: Int32) -> String {
        switch number {
        case EADDRINUSE: "another program listens there"
        case EADDRNOTAVAIL: "this machine does not have that address"
        case EACCES: "not permitted; ports below 1024 need rights"
        case _ where settings.tls != nil: "certificate or key cannot be used"
        default: String(cString: strerror(number))
        }
    }

    /// Stops listening, ends every open stream, and returns when the daemon's thread has ended.
    public func stop() async {
        guard
            let running = daemon.withLock({ daemon -> Daemon? in
                defer { daemon = nil }; return daemon
            })
        else { return }
        stopping.store(true, ordering: .relaxed)
        for exchange in exchanges.withLock({ Array($0.values) }) { exchange.abort() }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                MHD_stop_daemon(running.pointer)
                continuation.resume()
            }
        }
        Unmanaged.passUnretained(self).release()
    }

    private func withSocketAddress<R>(_ body: (UnsafePointer<sockaddr>, Bool) -> R) throws -> R {
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = in_port_t(settings.port).bigEndian
        if inet_pton(AF_INET, settings.address, &four.sin_addr) == 1 {
            return withUnsafePointer(to: &four) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, false) } }
        }
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = in_port_t(settings.port).bigEndian
        guard inet_pton(AF_INET6, settings.address, &six.sin6_addr) == 1 else {
            throw UserError(.configuration, "\(settings.address) is no numeric IP address to listen on")
        }
        return withUnsafePointer(to: &six) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, true) } }
    }

    // MARK: The daemon's callbacks. They run on its thread and capture nothing.

    private static let access: MHD_AccessHandlerCallback = { context, connection, url, method, _, upload, uploadSize, slot in
        guard let context, let connection, let url, let method, let uploadSize, let slot else { return fleet_mhd_no }
        let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        guard let known = slot.pointee else {
            let exchange = Exchange(connection: connection)
            slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
            server.exchanges.withLock { $0[ObjectIdentifier(exchange)] = exchange }
            return fleet_mhd_yes
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
        if uploadSize.pointee > 0 {
            if let upload {
                exchange.append(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee), limit: server.settings.bodyLimit)
            }
            uploadSize.pointee = 0
            return fleet_mhd_yes
        }
        if let response = exchange.takeResponse() { return server.queue(response, on: connection, exchange) }
        if exchange.start() {
            server.begin(
                exchange, RequestReader.read(connection, url, method, body: exchange.body, isSecure: server.settings.tls != nil))
        }
        exchange.sleepUntilAnswered()
        if let response = exchange.takeResponse() { return server.queue(response, on: connection, exchange) }
        return fleet_mhd_yes
    }

    private static let completed: MHD_RequestCompletedCallback = { context, _, slot, _ in
        guard let context, let known = slot?.pointee else { return }
        let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
        slot?.pointee = nil
        Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().exchanges.withLock { $0[ObjectIdentifier(exchange)] = nil }
        exchange.complete()
    }

    private func begin(_ exchange: Exchange, _ request: HTTPRequest?) {
        guard !stopping.load(ordering: .relaxed) else { return exchange.answer(.problem(503, "the server is stopping")) }
        guard let request else { return exchange.answer(.problem(413, "the body is larger than \(settings.bodyLimit) bytes")) }
        Task { exchange.answer(await handler(request)) }
    }

    private func queue(_ response: HTTPResponse, on connection: OpaquePointer, _ exchange: Exchange) -> MHD_Result {
        guard let made = ResponseWriter.make(response, connection: connection, exchange: exchange) else { return fleet_mhd_no }
        defer { MHD_destroy_response(made) }
        for header in response.headers { MHD_add_response_header(made, header.name, header.value) }
        return MHD_queue_response(connection, UInt32(response.status), made)
    }
}
