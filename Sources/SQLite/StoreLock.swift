import Glibc

/// Says that this process alone owns a store: an advisory lock (flock(2)) on a file beside it, gone with the process.
///
/// SQLite's own locks let two processes take turns; an outbox with two owners would send everything twice and mix their sequences.
public final class StoreLock: Sendable {
    /// The lock file.
    public let path: String
    private let descriptor: Int32

    /// Another process has the lock, or the lock file cannot be made.
    public struct Failure: Error, Hashable, Sendable {
        /// The lock file.
        public var path: String
        /// Whether another process has it; else the file could not be made.
        public var isTaken: Bool
        /// The operating system's words.
        public var message: String
    }

    /// Takes the lock at `path` (by custom the store's path with `.lock`); does not wait.
    public init(path: String) throws(Failure) {
        self.path = path
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard opened >= 0 else { throw Failure(path: path, isTaken: false, message: String(cString: strerror(errno))) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            close(opened)
            throw Failure(path: path, isTaken: number == EWOULDBLOCK, message: String(cString: strerror(number)))
        }
        descriptor = opened
    }

    deinit { close(descriptor) }
}
