import CTimex
import FleetModel

/// Whether something keeps the system clock right.
public enum KernelClock {
    /// `ntp` when the kernel says that the clock is synchronised (adjtimex(2) not in TIME_ERROR), else `unsynchronised`.
    public static func state() -> ClockState {
        var request = timex()
        return adjtimex(&request) == TIME_ERROR || request.status & STA_UNSYNC != 0 ? .unsynchronised : .ntp
    }
}
