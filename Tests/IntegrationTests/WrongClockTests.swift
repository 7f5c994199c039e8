import FleetModel
import FleetTestSupport
import Foundation
import Glibc
import Testing

/// The built agent on a computer whose clock is behind the truth.
@Suite(.serialized, .enabled(if: WrongClock.isPresent, "needs libfaketime"))
struct WrongClockTests {
    /// How far the certificate's first moment lies ahead, in s: long enough for the agent to have tried.
    private static let aheadS = 25
    /// `scripts/make-certs` dates certificates back by so much, for clocks that are a little behind.
    private static let backdatedS = 86_400

    @Test(
        "T6 A certificate that is not yet valid by the vehicle's clock is refused; once it is the agent connects without a new start"
    )
    func certificateNotYetValid() async throws {
        let folder = try TemporaryFolder()
        let authority = try TestAuthority()
        let vehicle = try authority.client("vehicle", "demo/truck-17")
        // Made by a machine whose clock is right, while the vehicle's is behind.
        try authority.run(
            ["server", "broker", "--host", "localhost"], environment: WrongClock.ahead(bySeconds: Self.aheadS + Self.backdatedS))
        let validFrom = Date().addingTimeInterval(Double(Self.aheadS))
        let broker = try await ShippedBroker.secure(
            authority, showing: (authority.path("servers/broker/server.pem"), authority.path("servers/broker/server.key")))
        let video = folder.path("camera.avi")
        let made = try await ExternalProgram.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=5", "-t", "90", "-c:v", "mjpeg", video])
        #expect(made.status == 0, "\(made.output)")
        try """
        fleet: demo
        vehicle: truck-17
        camera: {source: '\(video)'}
        mqtt: {url: '\(broker.secureURL)', caFile: '\(vehicle.caFile ?? "")', certFile: '\(vehicle.certFile ?? "")', keyFile: '\(vehicle.keyFile ?? "")'}
        outbox: {path: '\(folder.path("outbox.db"))'}
        """.write(toFile: folder.path("agent.yaml"), atomically: true, encoding: .utf8)
        let agent = try BuiltProgram("fleet-agent", ["run", "--config", folder.path("agent.yaml")])
        #expect(
            await eventually(timeout: 22) { agent.standardError.contains("certificate verify failed") }, "\(agent.standardError)")
        #expect(!agent.standardError.contains("connected to"))
        #expect(await eventually(timeout: 60) { agent.standardError.contains("connected to") }, "\(agent.standardError)")
        #expect(Date() > validFrom.addingTimeInterval(-2))
        agent.signal(SIGTERM)
        #expect(await agent.status(timeout: 5) == 0)
    }
}
