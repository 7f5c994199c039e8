/// When a row without a receipt is sent again: after 30 s, doubling to 10 min (the contract's numbers).
public enum ResendSchedule {
    /// Seconds from the `attempt`th hand-over (from 1) to the next.
    public static func delayS(afterAttempt attempt: Int) -> Double {
        var delay = 30.0
        for _ in 1..<max(1, min(attempt, 16)) { delay = min(delay * 2, 600) }
        return delay
    }
}
