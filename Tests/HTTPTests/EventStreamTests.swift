import FleetRuntime
import FleetTestSupport
import Foundation
import HTTPServer
import Synchronization
import Testing

@Suite("Server-Sent Events")
struct EventStreamTests {
    private func server(_ body: @escaping @Sendable (EventSink) async -> Void) -> HTTPServer {
        var router = HTTPRouter()
        router.add("GET", "/stream") { _, _ in .events(body) }
        return HTTPServer(settings: HTTPServer.Settings()) { [router] in await router.respond(to: $0) }
    }

    private static let request = "GET /stream HTTP/1.0\r\nHost: localhost\r\n\r\n"

    @Test("come as they are made, with id and name, line ends split")
    func format() async throws {
        let server = server { sink in
            _ = await sink.send(ServerSentEvent(id: "7", event: "alert", data: "one\ntwo"))
            _ = await sink.keepAlive()
        }
        let connection = try RawConnection(port: try server.start())
        connection.send(Self.request)
        let text = await connection.read(through: "data: two\n\n")
        #expect(text.contains("Content-Type: text/event-stream"))
        #expect(text.contains("id: 7\nevent: alert\ndata: one\ndata: two\n\n"))
        await server.stop()
    }

    @Test("a reader that is slower than the events gets all of them and holds no memory")
    func slowReader() async throws {
        let count = 1500
        let sent = Atomic<Int>(0)
        let server = server { sink in
            for number in 0..<count {
                let data = "\(number):" + String(repeating: "x", count: 10_000)
                guard await sink.send(ServerSentEvent(data: data)) else { return }
                sent.store(number, ordering: .relaxed)
            }
        }
        let connection = try RawConnection(port: try server.start())
        connection.send(Self.request)
        let begin = await connection.read(through: "data: 0:")
        // 15 MB were to send; the sender waits with what fits the system's buffers and its own 128 KiB.
        #expect(sent.load(ordering: .relaxed) < count - 1)
        let text = begin + (await connection.read())
        let numbers = text.utf8.split(separator: 10).filter { $0.starts(with: "data: ".utf8) }.compactMap { line in
            Int(String(line.dropFirst(6).prefix { $0 != 0x3A }) ?? "")
        }
        #expect(numbers == Array(0..<count))
        await server.stop()
    }

    @Test("the sending task is cancelled when the client goes")
    func clientGone() async throws {
        let isOver = Atomic<Bool>(false)
        let server = server { sink in
            while await sink.send(ServerSentEvent(data: "tick")) {}
            isOver.store(true, ordering: .relaxed)
        }
        do {
            let connection = try RawConnection(port: try server.start())
            connection.send(Self.request)
            _ = await connection.read(through: "tick")
        }
        #expect(await eventually { isOver.load(ordering: .relaxed) })
        await server.stop()
    }

    @Test("stopping ends idle and busy streams within five seconds")
    func stopping() async throws {
        let server = server { sink in
            _ = await sink.send(ServerSentEvent(data: "hello"))
            // Waits for what never comes, until it is cancelled.
            let (nothing, keep) = AsyncStream.makeStream(of: Void.self)
            for await _ in nothing {}
            withExtendedLifetime(keep) {}
        }
        let port = try server.start()
        let connections = try (0..<20).map { _ in try RawConnection(port: port) }
        for connection in connections { connection.send(Self.request) }
        for connection in connections { _ = await connection.read(through: "hello") }
        let begun = MonotonicTime.now()
        await server.stop()
        #expect(MonotonicTime.now() - begun < 5)
        // The server's end of every connection is closed: reading returns.
        for connection in connections { #expect(await !connection.read().contains("hello")) }
    }
}
