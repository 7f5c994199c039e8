import FoundationEssentials
import Glibc

/// Reading a file of any size in bounded memory.
public enum FilePieces {
    /// Hands the bytes of `path` to `body` in pieces of at most 1 MiB; a file that cannot be read is a `UserError` that names it.
    public static func forEach(of path: String, _ body: (Data) throws -> Void) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let n = read(descriptor, &buffer, buffer.count)
            if n > 0 {
                try body(Data(buffer[0..<n]))
            } else if n == 0 {
                return
            } else if errno != EINTR {
                throw unreadable(path)
            }
        }
    }

    /// The whole of `path`, refused beyond `limit` bytes.
    public static func contents(of path: String, limit: Int) throws -> Data {
        var all = Data()
        try forEach(of: path) { piece in
            guard all.count + piece.count <= limit else { throw UserError(.badData, "\(path): larger than \(limit) bytes") }
            all.append(piece)
        }
        return all
    }

    private static func unreadable(_ path: String) -> UserError {
        UserError(errno == ENOENT ? .noInput : .ioError, "\(path): \(String(cString: strerror(errno)))")
    }
}
