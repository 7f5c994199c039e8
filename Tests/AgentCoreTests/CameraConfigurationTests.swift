import FleetModel
import FleetRuntime
import Testing

@testable import AgentCore

@Suite("The section camera")
struct CameraConfigurationTests {
    private static func source(_ text: String) throws -> String {
        let text = "fleet: north\nvehicle: van-7\ncamera:\n  source: \(text)\nmqtt:\n  url: mqtt://127.0.0.1:1883\n"
        let document = try ConfigurationDocument(text: Array(text.utf8), file: "/etc/fleet-safety/agent.yaml")
        return try AgentConfiguration(document: document).camera.source
    }

    @Test(
        "A file's path starts at the configuration's folder, as every other path does; devices and streams stay as they are",
        arguments: [
            ("drive.mp4", "/etc/fleet-safety/drive.mp4"), ("/srv/drive.mp4", "/srv/drive.mp4"), ("0", "0"),
            ("/dev/video2", "/dev/video2"), ("rtsp://cam.local/1", "rtsp://cam.local/1"),
        ])
    func relative(given: String, meant: String) throws {
        #expect(try Self.source(given) == meant)
    }
}
