/// Waiting times between attempts: doubled up to a bound, with jitter, so that a fleet does not come back in one wave.
///
/// "Equal jitter" of M. Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015: half of the time is fixed, half random.
public struct Backoff: Sendable {
    private let minimumS: Double
    private let maximumS: Double
    private var attempt = 0

    /// From `minimumS` doubling to `maximumS` seconds.
    public init(minimumS: Double, maximumS: Double) {
        self.minimumS = minimumS
        self.maximumS = maximumS
    }

    /// Seconds to wait before the next attempt.
    public mutating func next(using generator: inout some RandomNumberGenerator) -> Double {
        var bound = minimumS
        for _ in 0..<min(attempt, 40) where bound < maximumS { bound *= 2 }
        attempt += 1
        bound = min(bound, maximumS)
        return bound / 2 + Double.random(in: 0...bound / 2, using: &generator)
    }

    /// Seconds to wait before the next attempt.
    public mutating func next() -> Double {
        var generator = SystemRandomNumberGenerator()
        return next(using: &generator)
    }

    /// Starts again from the minimum; to be called when an attempt has held for a while, not at once.
    public mutating func reset() { attempt = 0 }
}
