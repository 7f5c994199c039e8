/// Tells a thread to end, and lets it sleep until then. Safe from every thread.
///
/// `@unchecked Sendable`: `requested` is read and written with the condition's lock held only.
final class StopRequest: @unchecked Sendable {
    private let condition = MonotonicCondition()
    private var requested = false

    /// Asks the thread to end, and wakes it.
    func raise() {
        condition.lock()
        requested = true
        condition.broadcast()
        condition.unlock()
    }

    /// Whether the thread is to end.
    var isRaised: Bool { sleep(seconds: 0) }

    /// Waits `seconds` or until the thread is to end; whether it is.
    @discardableResult
    func sleep(seconds: Double) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        condition.wait(seconds: seconds) { requested }
        return requested
    }
}
