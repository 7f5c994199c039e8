/// Paths as plain text: no percent signs are added, no network is asked, the working directory does not matter.
public enum FilePath {
    /// The folder that holds `path`: `/a` of `/a/b`, `.` of `b`, `/` of `/b`.
    public static func folder(of path: String) -> String {
        let trimmed = withoutTrailingSlash(path)
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        let folder = withoutTrailingSlash(String(trimmed[..<slash]))
        return folder.isEmpty ? "/" : folder
    }

    /// `path` seen from `folder`; an absolute one is left as it is.
    public static func resolve(_ path: String, from folder: String) -> String {
        if path.hasPrefix("/") || folder == "." || folder.isEmpty { return path }
        return folder == "/" ? "/" + path : folder + "/" + path
    }

    /// The last part of `path`: `b` of `/a/b` and of `/a/b/`.
    public static func name(of path: String) -> String {
        let trimmed = withoutTrailingSlash(path)
        return trimmed.lastIndex(of: "/").map { String(trimmed[trimmed.index(after: $0)...]) } ?? trimmed
    }

    private static func withoutTrailingSlash(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}
