import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import Imaging
import Testing

@testable import Capture

struct CameraTests {
    @Test("The configuration's source is a device, a stream or a file")
    func addresses() {
        #expect(CameraAddress("0") == .device("/dev/video0"))
        #expect(CameraAddress("/dev/video2") == .device("/dev/video2"))
        #expect(CameraAddress("rtsp://cam/1") == .stream("rtsp://cam/1"))
        #expect(CameraAddress("drives/a.mp4") == .file("drives/a.mp4"))
    }

    @Test("A stream's password is not written anywhere")
    func password() {
        #expect(CameraAddress("rtsp://user:secret@cam.local/a@b").description == "rtsp://cam.local/a@b")
        #expect(CameraAddress("rtsp://cam.local/a@b").description == "rtsp://cam.local/a@b")
    }

    @Test("A camera index that does not exist is named")
    func missingIndex() throws {
        let error = try userError { try CameraAddress("4711").check() }
        #expect(error.code == .noInput && error.message.contains("/dev/video4711 is not there"))
    }

    @Test("V6 a device that may not be opened is told with file, uid and the group that is needed")
    func v6() throws {
        let folder = try TemporaryFolder()
        let device = folder.path("video0")
        #expect(FileManager.default.createFile(atPath: device, contents: nil, attributes: [.posixPermissions: 0o660]))
        #expect(chmod(device, 0o660) == 0)
        let advice = CameraAddress.permissionAdvice(device, uid: 65_534)
        let group = try #require(FileManager.default.attributesOfItem(atPath: device)[.groupOwnerAccountID] as? Int)
        for part in [device, "permission denied for uid 65534", "(gid \(group))", "mode 660", "usermod -aG"] {
            #expect(advice.contains(part), "\(advice) lacks \(part)")
        }
        #expect(chmod(device, 0o600) == 0)
        #expect(CameraAddress.permissionAdvice(device, uid: 65_534).contains("chmod g+rw \(device)"))
    }

    @Test("A camera that cannot be opened is missing, and its thread goes on trying")
    func missingCamera() async {
        let camera = CameraFrameSource(.file("/nowhere/drive.mp4"))
        camera.start()
        #expect(await eventually { camera.degraded(at: MonotonicTime.now()) == [.cameraMissing] })
        #expect(!camera.hasEnded)
        camera.stop()
        #expect(camera.mailbox.isClosed)
    }

    @Test("A file that stands in for a camera plays at its own rate, once")
    func liveFile() async throws {
        let folder = try TemporaryFolder()
        try writeVideo(folder.path("drive.mp4"), frames: 8)
        let camera = CameraFrameSource(.file(folder.path("drive.mp4")))
        let start = MonotonicTime.now()
        camera.start()
        var times: [Double] = []
        while !camera.mailbox.isClosed || times.count < camera.mailbox.deliveredCount - camera.mailbox.droppedCount {
            if let frame = camera.mailbox.take(timeoutS: 2) { times.append(frame.timeS) }
            if MonotonicTime.now() - start > 20 { break }
        }
        #expect(times.count + camera.mailbox.droppedCount == 8)
        #expect(MonotonicTime.now() - start >= 0.7)
        // The first frames may have been replaced before this thread came to take them; the last one never is.
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.1 * (($1 - $0) / 0.1).rounded()) < 1e-6 && $1 > $0 })
        #expect(try #require(times.last) - start >= 0.7)
        #expect(camera.hasEnded)
        #expect(camera.degraded(at: MonotonicTime.now() + 60).isEmpty)
    }

    @Test("V1 a camera whose read does not return is stalled within three seconds, whatever its thread does")
    func v1() {
        var health = CameraHealth(nowS: 100)
        health.latestFrameS = 200
        #expect(health.degraded(at: 201.9).isEmpty)
        #expect(health.degraded(at: 202.1) == [.cameraStalled])
    }

    @Test("V4 a slow camera has its start-up time before it counts as stalled")
    func v4() {
        let health = CameraHealth(nowS: 100)
        #expect(health.degraded(at: 119).isEmpty)
        #expect(health.degraded(at: 121) == [.cameraStalled])
    }
}
