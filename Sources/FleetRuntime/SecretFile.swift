import FoundationEssentials
import Glibc

/// Passwords, tokens and keys: read from files, never from command lines or configuration.
///
/// A file that others than its owner and group may use, or that somebody else could change, is refused: a secret that everybody can read
/// is none.
public enum SecretFile {
    /// Largest secret, in bytes; a private key has some hundred.
    private static let limit = 64 * 1024

    /// The first line of `path`, without its line end. Throws `UserError` that names the file and never its content.
    public static func read(_ path: String) throws -> String {
        let line = try text(path).prefix { !$0.isNewline }
        guard !line.isEmpty else { throw UserError(.configuration, "\(path): the first line is empty; it must be the secret") }
        return String(line)
    }

    /// The whole of `path`, at most 64 KiB: for private keys.
    public static func text(_ path: String) throws -> String {
        let descriptor = try opened(path)
        defer { close(descriptor) }
        try check(descriptor, path, forbidden: S_IRWXO | S_IWGRP)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw UserError(.ioError, "\(path): \(String(cString: strerror(errno)))") }
            bytes += buffer[0..<count]
            guard bytes.count <= limit else { throw UserError(.badData, "\(path): larger than \(limit) bytes") }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Refuses `path` under the same conditions without reading it: for a key that a library reads by itself.
    public static func check(_ path: String) throws {
        let descriptor = try opened(path)
        defer { close(descriptor) }
        try check(descriptor, path, forbidden: S_IRWXO | S_IWGRP)
    }

    /// Refuses `path` when others could change it: for what is no secret but is trusted, such as an authority's certificate.
    public static func checkUnchangeable(_ path: String) throws {
        let descriptor = try opened(path)
        defer { close(descriptor) }
        try check(descriptor, path, forbidden: S_IWOTH | S_IWGRP)
    }

    private static func opened(_ path: String) throws -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw UserError(errno == ENOENT ? .noInput : .ioError, "\(path): \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    /// Looks at the file that is open, not at the path once more: what is checked is what is read.
    private static func check(_ descriptor: Int32, _ path: String, forbidden: mode_t) throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw UserError(.ioError, "\(path): \(String(cString: strerror(errno)))") }
        // Also a pipe, as of a password manager: <(pass show fleet).
        guard [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT) else {
            throw UserError(.configuration, "\(path): is no ordinary file")
        }
        if status.st_mode & forbidden & S_IROTH != 0 {
            throw UserError(.configuration, "\(path): everybody can read it; chmod o= \(path)")
        }
        if status.st_mode & forbidden != 0 {
            throw UserError(.configuration, "\(path): others than its owner can change it; chmod go-w \(path)")
        }
        let user = geteuid()
        guard status.st_uid == 0 || status.st_uid == user || user == 0 else {
            throw UserError(
                .configuration, "\(path): belongs to another user (uid \(status.st_uid)); chown it to root or to uid \(user)")
        }
    }
}
