import FoundationEssentials
import Glibc

/// Files that are there whole or not at all, also after a power cut.
public enum DurableFile {
    /// Writes `data` to `path` in one step, readable to the owner alone: a new file beside it, synced, then renamed, then the folder
    /// synced. Throws `UserError` that names the file.
    public static func write(_ data: Data, to path: String) throws {
        let partial = path + ".partial"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(partial) }
        do {
            defer { close(descriptor) }
            try write(data, to: descriptor, partial)
            guard fsync(descriptor) == 0 else { throw failure(partial) }
        } catch {
            unlink(partial)
            throw error
        }
        guard rename(partial, path) == 0 else {
            let error = failure(path)
            unlink(partial)
            throw error
        }
        try syncFolder(of: path)
    }

    /// Makes the entries of the folder that holds `path` durable.
    public static func syncFolder(of path: String) throws {
        let folder = FilePath.folder(of: path)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(folder) }
    }

    private static func write(_ data: Data, to descriptor: Int32, _ path: String) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(path) }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ path: String) -> UserError {
        UserError(.ioError, "\(path): cannot be written (\(String(cString: strerror(errno))))")
    }
}
