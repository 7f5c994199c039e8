import FleetRuntime
import Glibc

/// A file of fixed size beside the outbox that only takes up room: given up when the disk is full, so that critical alerts can still be
/// stored and receipts still be noted, and made again when there is room.
struct DiskReserve {
    /// Bytes of the file, and the step between the thresholds of acceptance.
    let bytes: Int64
    /// Whether the file is there; while it is not, the outbox lives on what the file gave back, and does not grow beyond it.
    private(set) var isHeld = false
    private let path: String
    private let databasePath: String
    private let freeBytesOf: @Sendable (String) -> Int64?

    /// The reserve of `settings`; takes it when there is room and it is not there yet.
    init(_ settings: OutboxSettings) {
        databasePath = settings.path
        path = settings.path + ".reserve"
        freeBytesOf = settings.freeBytes
        let share = FileSystemSpace.of(settings.path).map { $0.totalBytes / 16 } ?? settings.diskReserveBytes
        bytes = max(0, min(settings.diskReserveBytes, share))
        var answer = stat()
        isHeld = stat(path, &answer) == 0 && answer.st_size == off_t(bytes) && bytes > 0
        if !isHeld, freeBytes >= 2 * bytes { take() }
    }

    /// Free bytes on the outbox's file system; without an answer there is taken to be room, and the disk itself will say otherwise.
    var freeBytes: Int64 { freeBytesOf(databasePath) ?? .max / 2 }

    /// Whether everything can be accepted again.
    var hasPlenty: Bool { freeBytes >= Importance.plentyBytes(reserve: bytes) }

    /// Bytes that the log may take before it is moved into the database: on a full disk the one must fit beside the other.
    var logBytes: Int64 { bytes == 0 ? 1 << 20 : min(max(bytes / 2, 65_536), 1 << 20) }

    /// Makes the file; false when there is no room for it.
    @discardableResult
    mutating func take() -> Bool {
        guard bytes > 0 else { return true }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        isHeld = posix_fallocate(descriptor, 0, off_t(bytes)) == 0
        if !isHeld { release() }
        return isHeld
    }

    /// Gives the room back.
    mutating func release() {
        unlink(path)
        isHeld = false
    }
}
