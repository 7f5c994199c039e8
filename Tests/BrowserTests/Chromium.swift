import FleetTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

/// A headless Chromium of its own, spoken to in the DevTools protocol over a pair of pipes; it ends with its pipes.
final class Chromium: Sendable {
    /// What the browser answers to a command it does not like, or that it is gone.
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// A message from the browser that answers nothing.
    struct Event: Sendable {
        let method: String
        let parameters: JSONValue
    }

    private struct State {
        var nextID = 0
        var waiting: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
        var listeners: [String: @Sendable (Event) -> Void] = [:]
        var isGone = false
    }

    static let program = ["/usr/bin/chromium", "/usr/bin/chromium-headless-shell", "/usr/bin/chromium-browser"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    static var isInstalled: Bool { program != nil }
    static let missing: Comment = "Chromium is not installed (apt-get install chromium)"

    /// One for all tests: each has a profile of its own in it.
    static let shared = Result { try Chromium() }

    private let state = Mutex(State())
    private let commands: Int32
    private let answers: Int32
    private let process: pid_t
    private let folder: TemporaryFolder

    /// Starts the browser.
    init() throws {
        guard let program = Self.program else { throw Failure(description: "no chromium") }
        folder = try TemporaryFolder()
        var (toBrowser, fromBrowser): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&toBrowser) == 0, pipe(&fromBrowser) == 0 else { throw Failure(description: "no pipe") }
        for descriptor in toBrowser + fromBrowser { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Moved out of the way first: either end may already have the number that the other has to get.
        let (read, write) = (fcntl(toBrowser[0], F_DUPFD_CLOEXEC, 10), fcntl(fromBrowser[1], F_DUPFD_CLOEXEC, 10))
        posix_spawn_file_actions_adddup2(&actions, read, 3)
        posix_spawn_file_actions_adddup2(&actions, write, 4)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let arguments =
            [
                program, "--headless", "--remote-debugging-pipe", "--user-data-dir=\(folder.path("profile"))", "--disable-gpu",
                "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                "--disable-sync", "--disable-extensions", "--force-color-profile=srgb", "--lang=en-GB", "--hide-scrollbars",
                "--mute-audio",
            ] + (geteuid() == 0 ? ["--no-sandbox"] : []) + ["about:blank"]
        let environment = ProcessInfo.processInfo.environment.merging(["TZ": "Europe/Berlin", "HOME": folder.path("")]) { $1 }
        var cArguments = arguments.map { strdup($0) } + [nil]
        var cEnvironment = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in cArguments + cEnvironment { free(pointer) } }
        var process = pid_t()
        let status = posix_spawn(&process, program, &actions, nil, &cArguments, &cEnvironment)
        for descriptor in [toBrowser[0], fromBrowser[1], read, write] { close(descriptor) }
        guard status == 0 else { throw Failure(description: "chromium does not start: \(status)") }
        (commands, answers, self.process) = (toBrowser[1], fromBrowser[0], process)
        Thread.detachNewThread { [weak self, answers] in
            Self.listen(answers) { self?.take($0) }
            self?.fail()
        }
    }

    deinit {
        close(commands)
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// Reads messages, each ended by a zero, until the pipe ends.
    private static func listen(_ descriptor: Int32, _ take: (Data) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var pending = Data()
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
            var rest = buffer[..<count]
            while let end = rest.firstIndex(of: 0) {
                take(pending + rest[..<end])
                pending = Data()
                rest = rest[(end + 1)...]
            }
            pending.append(contentsOf: rest)
        }
        close(descriptor)
    }

    private func take(_ message: Data) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: message) else { return }
        if let id = value["id"].double {
            let waiting = state.withLock { $0.waiting.removeValue(forKey: Int(id)) }
            if let reason = value["error"]["message"].string {
                waiting?.resume(throwing: Failure(description: reason))
            } else {
                waiting?.resume(returning: value["result"])
            }
        } else if let method = value["method"].string, let session = value["sessionId"].string {
            state.withLock { $0.listeners[session] }?(Event(method: method, parameters: value["params"]))
        }
    }

    private func fail() {
        let waiting = state.withLock { state in
            state.isGone = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(throwing: Failure(description: "chromium is gone")) }
    }

    /// Hears the events of `session` from now on.
    func listen(to session: String, _ listener: (@Sendable (Event) -> Void)?) {
        state.withLock { $0.listeners[session] = listener }
    }

    /// Runs a command of the protocol; `parameters` have to be JSON.
    @discardableResult
    func call(_ method: String, _ parameters: [String: Any] = [:], session: String? = nil) async throws -> JSONValue {
        var message: [String: Any] = ["method": method, "params": parameters]
        if let session { message["sessionId"] = session }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        message["id"] = id
        let bytes = try JSONSerialization.data(withJSONObject: message) + [0]
        return try await withCheckedThrowingContinuation { continuation in
            let isGone = state.withLock { state in
                if !state.isGone { state.waiting[id] = continuation }
                return state.isGone
            }
            guard !isGone else { return continuation.resume(throwing: Failure(description: "chromium is gone")) }
            bytes.withUnsafeBytes { raw in
                var sent = 0
                while sent < raw.count {
                    let count = write(commands, raw.baseAddress?.advanced(by: sent), raw.count - sent)
                    guard count > 0 else { break }
                    sent += count
                }
            }
        }
    }
}
