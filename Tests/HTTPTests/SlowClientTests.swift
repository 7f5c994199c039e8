import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@Suite("Clients that take their time")
struct SlowClientTests {
    private func server(requestTimeS: Double = 60, answerTimeS: Double = 60, bodyBytes: Int = 5) -> HTTPServer {
        var settings = HTTPServer.Settings()
        settings.requestTimeS = requestTimeS
        settings.answerTimeS = answerTimeS
        settings.perAddressLimit = 40
        return HTTPServer(settings: settings) { _ in
            .data(Data(repeating: 0x78, count: bodyBytes), type: "text/plain")
        }
    }

    @Test(
        "one that sends a byte now and then is cut off when its time is over, wherever in its request it is",
        arguments: [
            "G", "GET / HTTP/1.1\r\nHost: localhost\r\nX-", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n",
        ])
    func slowRequest(begin: String) async throws {
        let server = server(requestTimeS: 1)
        let port = try server.start()
        let slow = try RawConnection(port: port)
        slow.send(begin)
        let isCut = await eventually {
            slow.send("x")
            return server.cutCount == 1
        }
        #expect(isCut)
        #expect(await slow.read().isEmpty)
        #expect(try await RawConnection.exchange(port, ["GET / HTTP/1.1"]).body == "xxxxx")
        await server.stop()
    }

    @Test("one that goes away within its request leaves no connection behind")
    func gone() async throws {
        let server = server()
        let port = try server.start()
        func descriptors() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0 }
        let before = descriptors()
        // More than one address may have at once, and none of their times is over before the test's is.
        for _ in 0..<90 { try RawConnection(port: port).send("GET / HTTP/1.1\r\nX-Half: ") }
        #expect(await eventually { (try? await RawConnection.exchange(port, ["GET / HTTP/1.1"]))?.body == "xxxxx" })
        #expect(await eventually { descriptors() <= before })
        #expect(server.cutCount == 0)
        await server.stop()
    }

    @Test("one that keeps its connection without asking again is cut off too")
    func idle() async throws {
        let server = server(requestTimeS: 1)
        let idle = try RawConnection(port: try server.start())
        idle.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await idle.read(through: "xxxxx").contains("200 OK"))
        #expect(await eventually { server.cutCount == 1 })
        #expect(await idle.read().isEmpty)
        await server.stop()
    }

    @Test("one that does not take its answer is cut off")
    func slowReader() async throws {
        // More than the system's buffers of both ends hold.
        let server = server(answerTimeS: 1, bodyBytes: 64 << 20)
        let slow = try RawConnection(port: try server.start())
        slow.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await slow.read(through: "\r\n\r\n").contains("200 OK"))
        #expect(await eventually { server.cutCount == 1 })
        await server.stop()
    }

    @Test("as many as one address may have do not keep others out once their time is over")
    func many() async throws {
        let server = server(requestTimeS: 1)
        let port = try server.start()
        let slow = try (0..<60).map { _ in try RawConnection(port: port) }
        for connection in slow { connection.send("GET / HTTP/1.1\r\nX-Slow: ") }
        #expect(await eventually { server.cutCount == 40 })
        #expect(try await RawConnection.exchange(port, ["GET / HTTP/1.1"]).status == 200)
        await server.stop()
    }

    @Test("a handler and an event stream may take as long as they need")
    func notCut() async throws {
        var settings = HTTPServer.Settings()
        settings.requestTimeS = 0.1
        settings.answerTimeS = 0.1
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let server = HTTPServer(settings: settings) { request in
            if request.path == "/events" {
                return .events { sink in
                    _ = await sink.send(ServerSentEvent(data: "begin"))
                    for await _ in gate { break }
                    _ = await sink.send(ServerSentEvent(data: "end"))
                }
            }
            return .data(Data("quick".utf8), type: "text/plain")
        }
        let port = try server.start()
        let stream = try RawConnection(port: port)
        stream.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = await stream.read(through: "begin")
        // Another connection that is cut shows that the time was over for the stream too, had it one.
        let idle = try RawConnection(port: port)
        #expect(await eventually { server.cutCount == 1 })
        #expect(await idle.read().isEmpty)
        open.yield()
        #expect(await stream.read(through: "end").contains("end"))
        await server.stop()
    }
}
