import CTimex
import FleetModel

/// Whether something keeps the system clock right.
public enum KernelClock {
    /// `ntp` when the kernel says that the clock is synchronised (adjtimex(2) not in TIME_ERROR), else `unsynchronised`.
    public static func state() -> ClockState {
        var request = timex()
        let state = adjtimex(&request)
        // A sandbox may refuse the question; then nothing is known to keep the clock right.
        return state < 0 || state == TIME_ERROR || request.status & STA_UNSYNC != 0 ? .unsynchronised : .ntp
    }
}
