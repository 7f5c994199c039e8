import FoundationEssentials
import Glibc

/// Passwords and tokens: read from files, never from command lines or configuration.
public enum SecretFile {
    /// The first line of `path`, without its line end. Throws `UserError` that names the file and never its content.
    ///
    /// A file that others than its owner and group may read is refused: a secret that everybody can read is none.
    public static func read(_ path: String) throws -> String {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IROTH != 0 {
            throw UserError(.configuration, "\(path): everybody can read it; chmod o-r \(path)")
        }
        let data = try FilePieces.contents(of: path, limit: 4096)
        let line = String(decoding: data.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
        guard !line.isEmpty else { throw UserError(.configuration, "\(path): the first line is empty; it must be the secret") }
        return line
    }
}
