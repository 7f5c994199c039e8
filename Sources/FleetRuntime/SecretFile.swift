import FoundationEssentials
import Glibc

/// Passwords and tokens: read from files, never from command lines or configuration.
public enum SecretFile {
    /// The first line of `path`, without its line end. Throws `UserError` that names the file and never its content.
    ///
    /// A file that others than its owner and group may read is refused: a secret that everybody can read is none.
    public static func read(_ path: String) throws -> String {
        let line = try text(path).prefix { !$0.isNewline }
        guard !line.isEmpty else { throw UserError(.configuration, "\(path): the first line is empty; it must be the secret") }
        return String(line)
    }

    /// The whole of `path`, at most 64 KiB, under the same condition: for private keys.
    public static func text(_ path: String) throws -> String {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IROTH != 0 {
            throw UserError(.configuration, "\(path): everybody can read it; chmod o-r \(path)")
        }
        return String(decoding: try FilePieces.contents(of: path, limit: 64 * 1024), as: UTF8.self)
    }
}
