import Glibc

/// Which file a path leads to, whatever names and links lead there; also of a file that is still to be made.
public struct FileIdentity: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt
    /// The name within the folder `inode`, for a file that is still to be made.
    private let newName: String?
    /// Whether it is a character device, a pipe or a socket: nothing that could be overwritten.
    public let isDevice: Bool

    /// The file that `path` leads to; nil when not even its folder is there.
    public init?(_ path: String) {
        var status = stat()
        if stat(path, &status) == 0 {
            newName = nil
            isDevice = ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        } else {
            guard stat(FilePath.folder(of: path), &status) == 0 else { return nil }
            newName = FilePath.name(of: path)
            isDevice = false
        }
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }
}
