import Glibc

/// Size of the file system that a path lies on.
public struct FileSystemSpace: Hashable, Sendable {
    /// Bytes that an ordinary user may still take.
    public var freeBytes: Int64
    /// Bytes altogether.
    public var totalBytes: Int64

    /// All members.
    public init(freeBytes: Int64, totalBytes: Int64) {
        self.freeBytes = freeBytes
        self.totalBytes = totalBytes
    }

    /// Asks statvfs(3) about the folder of `path`; nil when it does not answer. What only root may use does not count as free.
    public static func of(_ path: String) -> FileSystemSpace? {
        var answer = statvfs()
        guard statvfs(FilePath.folder(of: path), &answer) == 0 else { return nil }
        let unit = Int64(clamping: answer.f_frsize)
        return FileSystemSpace(
            freeBytes: Int64(clamping: answer.f_bavail) * unit, totalBytes: Int64(clamping: answer.f_blocks) * unit)
    }
}
