import CMicroHTTPD
import FleetRuntime
import Foundation
import Glibc
import Synchronization

/// One libmicrohttpd daemon on a listening socket: its thread, its connections, the requests on their way.
///
/// The library closes the descriptor that it is given, also when it fails to start, so it is given one of its own for the same socket.
final class ServerDaemon: Sendable {
    /// Answers a request.
    typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    /// Memory of one connection for the request's head, in bytes.
    private static let memoryPerConnection = 64 * 1024
    /// Seconds between two looks for connections whose time is over or whose client is gone.
    private static let lookS = 0.5
    /// Seconds that requests on their way have when the daemon gives its place to another one.
    private static let retirementS = 5.0

    private struct Handle: @unchecked Sendable { let pointer: OpaquePointer }  // MHD's own functions are safe from every thread.
    private let handle = Mutex<Handle?>(nil)
    private let exchanges = Mutex<[ObjectIdentifier: Exchange]>([:])
    private let deadlines = ConnectionDeadlines()
    private let isStopping = Atomic<Bool>(false)
    private let settings: HTTPServer.Settings
    private let handler: Handler
    private let watch = Mutex<Task<Void, Never>?>(nil)

    /// Starts a daemon that takes connections from `socket`. Throws `UserError` when the library refuses.
    init(socket: ListeningSocket, settings: HTTPServer.Settings, handler: @escaping Handler) throws {
        self.settings = settings
        self.handler = handler
        // Retained until `stop` has ended the daemon's thread.
        let context = Unmanaged.passRetained(self).toOpaque()
        var c = fleet_mhd_settings(
            listen_socket: socket.duplicate(), connection_limit: UInt32(settings.connectionLimit),
            per_address_limit: UInt32(settings.perAddressLimit), timeout_s: UInt32(settings.timeoutS),
            memory_per_connection: Self.memoryPerConnection, certificate: nil, key: nil)
        func start() -> OpaquePointer? { fleet_mhd_start(&c, Self.access, Self.completed, Self.connection, context) }
        let started: OpaquePointer? =
            if let tls = settings.tls {
                tls.certificate.withCString { certificate in
                    tls.key.withCString { key in
                        (c.certificate, c.key) = (certificate, key)
                        return start()
                    }
                }
            } else {
                start()
            }
        guard let started else {
            Unmanaged<ServerDaemon>.fromOpaque(context).release()
            throw settings.tls == nil
                ? UserError(.unavailable, "libmicrohttpd does not start")
                : UserError(.configuration, "the server's certificate or key cannot be used")
        }
        handle.withLock { $0 = Handle(pointer: started) }
        watch.withLock {
            $0 = Task { [deadlines] in
                while (try? await Task.sleep(for: .seconds(Self.lookS))) != nil { deadlines.look() }
            }
        }
    }

    /// Connections that were cut off because they took too long.
    var cutCount: Int { deadlines.cutCount }

    /// Takes no more connections; event streams end (their clients come back elsewhere), requests on their way get some seconds.
    func retire() async {
        guard let running = handle.withLock({ $0 }) else { return }
        // From here on the descriptor is ours, but the daemon's thread may use it as long as it runs.
        let descriptor = MHD_quiesce_daemon(running.pointer)
        defer { close(descriptor) }
        let end = MonotonicTime.now() + Self.retirementS
        while MonotonicTime.now() < end {
            let left = exchanges.withLock { Array($0.values) }
            if left.isEmpty { break }
            for exchange in left { exchange.endEvents() }
            try? await Task.sleep(for: .milliseconds(20))
        }
        await stop()
    }

    /// Ends every open stream and request, and returns when the daemon's thread has ended.
    func stop() async {
        guard
            let running = handle.withLock({ handle -> Handle? in
                defer { handle = nil }; return handle
            })
        else { return }
        isStopping.store(true, ordering: .relaxed)
        for exchange in exchanges.withLock({ Array($0.values) }) { exchange.abort() }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                MHD_stop_daemon(running.pointer)
                continuation.resume()
            }
        }
        watch.withLock { $0?.cancel() }
        Unmanaged.passUnretained(self).release()
    }

    // MARK: The daemon's callbacks. They run on its thread and capture nothing.

    private static let connection: MHD_NotifyConnectionCallback = { context, connection, _, event in
        guard let context, let connection else { return }
        let daemon = Unmanaged<ServerDaemon>.fromOpaque(context).takeUnretainedValue()
        if event == fleet_mhd_connection_opened {
            daemon.deadlines.open(connection, seconds: daemon.settings.requestTimeS)
        } else {
            daemon.deadlines.close(connection)
        }
    }

    private static let access: MHD_AccessHandlerCallback = { context, connection, url, method, _, upload, uploadSize, slot in
        guard let context, let connection, let url, let method, let uploadSize, let slot else { return fleet_mhd_no }
        let daemon = Unmanaged<ServerDaemon>.fromOpaque(context).takeUnretainedValue()
        guard let known = slot.pointee else {
            let exchange = Exchange(connection: connection)
            slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
            daemon.exchanges.withLock { $0[ObjectIdentifier(exchange)] = exchange }
            return fleet_mhd_yes
        }
        let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
        if uploadSize.pointee > 0 {
            if let upload {
                exchange.append(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee), limit: daemon.settings.bodyLimit)
            }
            uploadSize.pointee = 0
            return fleet_mhd_yes
        }
        if let response = exchange.takeResponse() { return daemon.queue(response, on: connection, exchange) }
        if exchange.start() {
            daemon.deadlines.awaitHandler(connection)
            daemon.begin(
                exchange,
                RequestReader.read(
                    connection, url, method, body: exchange.body, bodyLimit: daemon.settings.bodyLimit,
                    isSecure: daemon.settings.tls != nil))
        }
        exchange.sleepUntilAnswered()
        if let response = exchange.takeResponse() { return daemon.queue(response, on: connection, exchange) }
        return fleet_mhd_yes
    }

    private static let completed: MHD_RequestCompletedCallback = { context, connection, slot, _ in
        guard let context, let known = slot?.pointee else { return }
        let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
        slot?.pointee = nil
        let daemon = Unmanaged<ServerDaemon>.fromOpaque(context).takeUnretainedValue()
        daemon.exchanges.withLock { $0[ObjectIdentifier(exchange)] = nil }
        if let connection { daemon.deadlines.awaitRequest(connection, seconds: daemon.settings.requestTimeS) }
        exchange.complete()
    }

    private func begin(_ exchange: Exchange, _ read: RequestReader.Result) {
        guard !isStopping.load(ordering: .relaxed) else { return exchange.answer(.problem(503, "the server is stopping")) }
        switch read {
        case .refused(let response): exchange.answer(response)
        case .request(let request): Task { exchange.answer(ContentCoding.apply(await handler(request), to: request)) }
        }
    }

    private func queue(_ response: HTTPResponse, on connection: OpaquePointer, _ exchange: Exchange) -> MHD_Result {
        guard let made = ResponseWriter.make(response, connection: connection, exchange: exchange) else { return fleet_mhd_no }
        defer { MHD_destroy_response(made) }
        for header in response.headers { MHD_add_response_header(made, header.name, header.value) }
        // An event stream lasts; one whose client takes nothing is ended by the daemon's own limit.
        if case .data = response.body { deadlines.awaitReader(connection, seconds: settings.answerTimeS) }
        return MHD_queue_response(connection, UInt32(response.status), made)
    }
}
