import Glibc

/// A mutex and a condition variable whose waits end by the monotonic clock, so that a jump of the time of day does not stretch them.
///
/// `@unchecked Sendable`: the two POSIX objects are made for use from several threads; their memory is allocated in `init`, never
/// moves, and goes with the last reference.
final class MonotonicCondition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }
    func unlock() { pthread_mutex_unlock(mutex) }
    /// Wakes all who wait.
    func broadcast() { pthread_cond_broadcast(condition) }

    /// With the lock held: waits, at most `seconds`, until `isDone` holds.
    func wait(seconds: Double, until isDone: () -> Bool) {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let bounded = min(max(seconds, 0), 1e6)
        let nanoseconds = end.tv_nsec + Int((bounded - bounded.rounded(.down)) * 1e9)
        end.tv_sec += Int(bounded) + nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        while !isDone() {
            if pthread_cond_timedwait(condition, mutex, &end) == ETIMEDOUT { return }
        }
    }
}
