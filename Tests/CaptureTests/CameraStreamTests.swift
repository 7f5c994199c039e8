import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import Testing

@testable import Capture

/// A real stream over HTTP, served by ffmpeg on loopback.
@Suite(.serialized, .enabled(if: StreamServer.isPresent, "needs ffmpeg"))
struct CameraStreamTests {
    /// Takes frames until one comes, or time is up; whether one came.
    private static func sees(_ camera: CameraFrameSource, withinS: Double) async -> Bool {
        await eventually(timeout: withinS) { camera.mailbox.take(timeoutS: 0) != nil }
    }

    @Test("V1 a stream that is paused is stalled within three seconds and goes on when its server does")
    func v1() async throws {
        let server = try StreamServer(port: FreePort.next())
        let camera = CameraFrameSource(.stream(server.url))
        camera.start()
        defer { camera.stop() }
        #expect(await Self.sees(camera, withinS: 30))
        #expect(camera.degraded(at: MonotonicTime.now()).isEmpty)
        server.signal(SIGSTOP)
        let pausedS = MonotonicTime.now()
        let isTold = await eventually(timeout: 8) {
            _ = camera.mailbox.take(timeoutS: 0)
            return camera.degraded(at: MonotonicTime.now()) == [.cameraStalled]
        }
        // What the sockets still hold goes on for a moment: the three seconds count from the last frame.
        #expect(isTold && MonotonicTime.now() - pausedS < 5)
        server.signal(SIGCONT)
        #expect(
            await eventually(timeout: 30) {
                _ = camera.mailbox.take(timeoutS: 0)
                return camera.degraded(at: MonotonicTime.now()).isEmpty
            })
    }

    @Test("A stream whose server dies is missing, and is opened again when a server comes back")
    func reopened() async throws {
        let port = FreePort.next()
        var server: StreamServer? = try StreamServer(port: port)
        let camera = CameraFrameSource(.stream(server?.url ?? ""))
        camera.start()
        defer { camera.stop() }
        #expect(await Self.sees(camera, withinS: 30))
        server?.signal(SIGKILL)
        server = nil
        #expect(await eventually(timeout: 20) { camera.degraded(at: MonotonicTime.now()) == [.cameraMissing] })
        while camera.mailbox.take(timeoutS: 0) != nil {}
        server = try StreamServer(port: port)
        #expect(await Self.sees(camera, withinS: 60))
        #expect(await eventually { camera.degraded(at: MonotonicTime.now()).isEmpty })
    }

    @Test("A server that accepts and says nothing does not hold up the end of the program's other threads")
    func silent() async throws {
        let listener = SilentListener()
        let camera = CameraFrameSource(.stream("http://127.0.0.1:\(listener.port)/video"))
        camera.start()
        let askedS = MonotonicTime.now()
        camera.stop()
        #expect(MonotonicTime.now() - askedS < 1)
        #expect(camera.mailbox.isClosed)
    }
}
