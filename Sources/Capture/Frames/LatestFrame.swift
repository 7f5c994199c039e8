/// A mailbox for one frame between the camera's thread and the pipeline's: the newest wins, and what it replaces is counted.
///
/// For live operation only; a replay leaves nothing out. Safe from every thread.
///
/// `@unchecked Sendable`: all state is read and written with the condition's lock held only.
public final class LatestFrame: @unchecked Sendable {
    private let condition = MonotonicCondition()
    private var slot: CapturedFrame?
    private var dropped = 0
    private var delivered = 0
    private var closed = false

    /// An empty mailbox.
    public init() {}

    /// Puts `frame` in; a frame that nobody has taken is dropped and counted. After `close` nothing is kept.
    public func put(_ frame: consuming CapturedFrame) {
        condition.lock()
        defer { condition.unlock() }
        if closed { return }
        if slot != nil { dropped += 1 }
        slot = consume frame
        delivered += 1
        condition.broadcast()
    }

    /// Takes the frame, waiting at most `timeoutS` seconds for one; nil when none came or the mailbox is closed and empty.
    public func take(timeoutS: Double) -> CapturedFrame? {
        condition.lock()
        defer { condition.unlock() }
        condition.wait(seconds: timeoutS) { slot != nil || closed }
        return slot.take()
    }

    /// No more frames will come; who waits returns at once. The frame that is in stays to be taken.
    public func close() {
        condition.lock()
        closed = true
        condition.broadcast()
        condition.unlock()
    }

    /// Whether no more frames will come.
    public var isClosed: Bool { withLock { closed } }
    /// Frames that were replaced before anybody took them.
    public var droppedCount: Int { withLock { dropped } }
    /// Frames that were put in.
    public var deliveredCount: Int { withLock { delivered } }

    private func withLock<T>(_ body: () -> T) -> T {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}
