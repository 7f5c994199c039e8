import FleetRuntime
import Foundation
import Glibc

/// A small file system in memory that can be filled up; unmounted with the object. Only root may make one.
final class SmallDisk: Sendable {
    let folder: String

    /// Whether such disks can be had here.
    static var areAllowed: Bool { geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/bin/mount") }

    /// Mounts `mebibytes` at `folder`, which is made; nil when the system does not let us.
    init?(at folder: String, mebibytes: Int) {
        self.folder = folder
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil,
            Glibc.mount("fleet-chaos", folder, "tmpfs", 0, "size=\(mebibytes)m") == 0
        else { return nil }
    }

    deinit { umount2(folder, Int32(MNT_DETACH)) }

    private var ballast: String { folder + "/ballast" }

    /// Leaves no room.
    func fill() {
        let descriptor = open(ballast, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // The last pieces are small ones, so that nothing at all is left.
        for size in [1 << 16, 4096, 1] {
            let piece = [UInt8](repeating: 0, count: size)
            while Glibc.write(descriptor, piece, size) > 0 {}
        }
    }

    /// Gives the room back.
    func free() { unlink(ballast) }
}
