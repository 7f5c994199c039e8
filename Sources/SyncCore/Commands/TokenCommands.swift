import FleetModel
import FleetRuntime
import Foundation
import Glibc
import HTTPServer

/// `fleet-sync token ...`: gives, lists and takes back the API's access tokens. The file keeps digests; a token is shown once.
enum TokenCommands {
    static let all = [add, list, remove]

    private static let add = Command(
        "token add", "make an access token for the API and show it, this once",
        discussion:
            "Writes its digest to the file that http.tokenFile of the configuration names. A running service reads it on SIGHUP.",
        arguments: [ArgumentSpec("NAME", "who or what it is for")],
        options: [
            SyncProgram.configurationOption,
            .value(
                "--role", "ROLE", "viewer looks, reviewer judges alerts, admin may everything (default viewer)",
                choices: Role.allCases.map(\.rawValue)),
            .value("--save", "FILE", "write the token to FILE, readable by you alone, instead of showing it"),
        ]
    ) { arguments in
        let name = try arguments.requiredArgument(0)
        guard AccessTokens.isName(name) else {
            throw UserError(.usage, "\(name): a name is 1 to 64 letters, digits, '.', '_' and '-'")
        }
        let path = try tokenFile(arguments)
        var tokens = try FileManager.default.fileExists(atPath: path) ? AccessFiles.tokens(path) : AccessTokens([])
        let token = AccessTokens.make()
        let role = arguments.value("--role").flatMap(Role.init(rawValue:)) ?? .viewer
        guard tokens.add(token, name: name, createdAt: WallClock.now(), role: role) else {
            throw UserError(.usage, "\(path) has a token for \(name) already; `fleet-sync token remove \(name)` takes it away")
        }
        if let file = arguments.value("--save") { try save(token, to: file) }
        do { try write(tokens, to: path) } catch {
            if let file = arguments.value("--save") { unlink(file) }
            throw error
        }
        if arguments.value("--save") == nil { StandardStreams.print(token) }
    }

    private static let list = Command(
        "token list", "when the access tokens were made, their roles and names", options: [SyncProgram.configurationOption]
    ) { arguments in
        for entry in try AccessFiles.tokens(tokenFile(arguments)).entries {
            StandardStreams.print("\(entry.createdAt?.description ?? "-") \(entry.role) \(entry.name)")
        }
    }

    private static let remove = Command(
        "token remove", "take an access token back",
        discussion: "A running service reads the file on SIGHUP; browsers that were signed in with it are signed out then.",
        arguments: [ArgumentSpec("NAME", "the name it was made for")], options: [SyncProgram.configurationOption]
    ) { arguments in
        let name = try arguments.requiredArgument(0)
        let path = try tokenFile(arguments)
        var tokens = try AccessFiles.tokens(path)
        guard tokens.remove(name) else { throw UserError(.noInput, "\(path) has no token for \(name)") }
        try write(tokens, to: path)
    }

    private static func tokenFile(_ arguments: ParsedArguments) throws -> String {
        guard let path = try SyncProgram.configuration(arguments).http.tokenFile else {
            throw UserError(
                .configuration, "http.tokenFile is not set in the configuration; it names the file for the tokens' digests")
        }
        return path
    }

    /// A new file, readable by its owner alone.
    private static func save(_ token: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw UserError(.ioError, "\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let bytes = Array((token + "\n").utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw UserError(.ioError, "\(path): cannot be written")
        }
    }

    /// Replaces the file in one step; owner and rights of one that is there stay, a new one may be read by everybody (digests only).
    private static func write(_ tokens: AccessTokens, to path: String) throws {
        let lines = ["# NAME SHA-256 TIME ROLE: access tokens of the API, by `fleet-sync token`"] + tokens.entries.map(\.line)
        let new = path + ".new"
        var before = stat()
        let isThere = stat(path, &before) == 0
        do { try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: new)) } catch {
            throw UserError(.ioError, "\(new): cannot be written; run this as the owner of the folder")
        }
        chmod(new, isThere ? before.st_mode & 0o755 : 0o644)
        if isThere { _ = chown(new, before.st_uid, before.st_gid) }
        guard rename(new, path) == 0 else { throw UserError(.ioError, "\(path): \(String(cString: strerror(errno)))") }
    }
}
