/// A Kalman filter over one quantity and its rate of change: position and velocity, or the logarithm of a size and its growth.
///
/// White noise on the rate (constant-velocity model; Bar-Shalom, Li, Kirubarajan 2001, section 6.2). Either the value or the rate,
/// or both, can be observed; steps may be of any length.
public struct RateFilter: Hashable, Sendable {
    /// The quantity, in its unit.
    public private(set) var value: Double
    /// Its change, in units per second.
    public private(set) var rate: Double
    /// Variances of value and rate, and their covariance.
    private var valueVariance: Double
    private var rateVariance: Double
    private var covariance = 0.0

    /// A filter at `value` ± `valueSd`, changing by `rate` ± `rateSd` per second.
    public init(value: Double, valueSd: Double, rate: Double = 0, rateSd: Double) {
        self.value = value
        self.rate = rate
        valueVariance = valueSd * valueSd
        rateVariance = rateSd * rateSd
    }

    /// Standard deviation of the rate.
    public var rateSd: Double { max(0, rateVariance).squareRoot() }
    /// Standard deviation of the value.
    public var valueSd: Double { max(0, valueVariance).squareRoot() }

    /// Moves on by `seconds`. `rateNoise` is the standard deviation by which the rate wanders within one second.
    public mutating func predict(seconds: Double, rateNoise: Double) {
        guard seconds > 0 else { return }
        let q = rateNoise * rateNoise
        value += rate * seconds
        valueVariance += seconds * (2 * covariance + seconds * rateVariance) + q * seconds * seconds * seconds / 3
        covariance += seconds * rateVariance + q * seconds * seconds / 2
        rateVariance += q * seconds
    }

    /// Takes in an observation of the value with standard deviation `sd`; returns how far off the filter was.
    @discardableResult
    public mutating func observe(value observed: Double, sd: Double) -> Double {
        let innovation = observed - value
        let total = valueVariance + sd * sd
        guard total > 0 else { return innovation }
        let (gain, rateGain) = (valueVariance / total, covariance / total)
        value += gain * innovation
        rate += rateGain * innovation
        rateVariance -= rateGain * covariance
        covariance *= 1 - gain
        valueVariance *= 1 - gain
        return innovation
    }

    /// Takes in an observation of the rate with standard deviation `sd`.
    public mutating func observe(rate observed: Double, sd: Double) {
        let innovation = observed - rate
        let total = rateVariance + sd * sd
        guard total > 0 else { return }
        let (gain, valueGain) = (rateVariance / total, covariance / total)
        rate += gain * innovation
        value += valueGain * innovation
        valueVariance -= valueGain * covariance
        covariance *= 1 - gain
        rateVariance *= 1 - gain
    }

    /// Replaces the value and its uncertainty and keeps the rate: what is measured has changed, how it changes has not.
    public mutating func restart(value: Double, valueSd: Double) {
        self.value = value
        valueVariance = valueSd * valueSd
        covariance = 0
    }

    /// Moves the rate by `change`, a known acceleration that depends on the rate itself: `sensitivity` is its derivative, so that
    /// the uncertainty of the rate grows with it (the extended Kalman filter's Jacobian is 1 + sensitivity).
    public mutating func accelerate(by change: Double, sensitivity: Double) {
        rate += change
        rateVariance *= (1 + sensitivity) * (1 + sensitivity)
        covariance *= 1 + sensitivity
    }
}
