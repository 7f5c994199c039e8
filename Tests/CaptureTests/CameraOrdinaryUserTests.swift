import FleetTestSupport
import Foundation
import Glibc
import Testing

@testable import Capture

/// What only an ordinary user can be refused; `make test` as root runs it as one.
struct CameraOrdinaryUser {
    @Test("V6 opening a forbidden device fails with that advice", .enabled(if: getuid() != 0, "root may open everything"))
    func v6Forbidden() throws {
        let folder = try TemporaryFolder()
        #expect(FileManager.default.createFile(atPath: folder.path("video0"), contents: nil))
        #expect(chmod(folder.path("video0"), 0) == 0)
        let error = try userError { try CameraAddress.device(folder.path("video0")).check() }
        #expect(error.code == .noInput && error.message.contains("permission denied for uid \(getuid())"))
    }
}
