import Glibc

/// A file of fixed size beside the outbox that only takes up room: given up when the disk is full, so that critical alerts can still be
/// stored and receipts still be noted, and made again when there is room.
struct DiskReserve {
    /// Bytes of the file, and the step between the thresholds of acceptance.
    let bytes: Int64
    private let path: String
    private let databasePath: String
    private let freeBytesOf: @Sendable (String) -> Int64?

    /// The reserve of `settings`; takes it when there is plenty of room and it is not there yet.
    init(_ settings: OutboxSettings) {
        databasePath = settings.path
        path = settings.path + ".reserve"
        freeBytesOf = settings.freeBytes
        let share = FileSystemSpace.of(settings.path).map { $0.totalBytes / 8 } ?? settings.diskReserveBytes
        bytes = max(0, min(settings.diskReserveBytes, share))
        if hasPlenty { take() }
    }

    /// Free bytes on the outbox's file system; without an answer there is taken to be room, and the disk itself will say otherwise.
    var freeBytes: Int64 { freeBytesOf(databasePath) ?? .max / 2 }

    /// Whether everything can be accepted again.
    var hasPlenty: Bool { freeBytes >= Importance.plentyBytes(reserve: bytes) }

    /// Makes the file; false when there is no room for it.
    @discardableResult
    func take() -> Bool {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard posix_fallocate(descriptor, 0, off_t(bytes)) == 0 else {
            release()
            return false
        }
        return true
    }

    /// Gives the room back.
    func release() { unlink(path) }
}
