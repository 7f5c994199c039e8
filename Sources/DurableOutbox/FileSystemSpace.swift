import FleetRuntime
import Glibc

/// Size of the file system that a path lies on.
struct FileSystemSpace {
    var freeBytes: Int64
    var totalBytes: Int64

    /// Asks statvfs(3) about the folder of `path`; nil when it does not answer. What only root may use does not count as free.
    static func of(_ path: String) -> FileSystemSpace? {
        var answer = statvfs()
        guard statvfs(FilePath.folder(of: path), &answer) == 0 else { return nil }
        let unit = Int64(clamping: answer.f_frsize)
        return FileSystemSpace(
            freeBytes: Int64(clamping: answer.f_bavail) * unit, totalBytes: Int64(clamping: answer.f_blocks) * unit)
    }
}
