import FleetModel
import Foundation

/// Time to collision of one track from the growth of its image, filtered over the logarithm of its size.
///
/// For a thing of fixed size at distance d, image size s ~ 1/d, so d(ln s)/dt = -d'/d = 1/TTC (Lee 1976, "tau"). The filter's
/// state is ln s and its rate r; at constant closing speed r' = r². What it is fed: heights and widths of detections, and, where
/// frames are at hand, the growth measured inside the image, which is an order of magnitude sharper.
public struct TimeToCollisionEstimator: Hashable, Sendable {
    /// Numbers of the filter.
    public struct Settings: Hashable, Sendable {
        /// By how much r wanders within one second beyond r² (1/s): relative acceleration over distance. A lead that brakes with
        /// 3 m/s² at 20 m gives 0.15; tuned on kitti_lead_approach.
        public var rateNoise = 0.12
        /// Error of one growth measurement in the image beyond what its own scatter tells: 0.0008 against lidar at 10 Hz.
        public var imageFloor = 0.0008
        /// The same for boxes alone, in which the scatter of a detector must be told from growth.
        public var boxRateNoise = 0.25
        /// Growth in the image is disbelieved when it differs from the boxes' by this many of their standard deviations ...
        public var doubtSds = 2.0
        /// ... and this, in 1/s: far things, and gentle closing, are the image's to measure.
        public var doubtFloor = 0.1

        func doubt(_ boxRateSd: Double) -> Double { doubtSds * boxRateSd + doubtFloor }

        /// Errors of boxes that follow each other within this time are alike, in s: more frames a second do not tell more. Measured as
        /// above: the correlation after 0.2 s is 0.6.
        public var boxAlikeForS = 0.2
        /// Range in which the scatter of ln(box size) is believed; within it the filter learns it from its own innovations.
        public var boxScatter: ClosedRange<Double> = 0.015...0.15
        /// The rate counts as closing when it exceeds this many of its standard deviations: noise of standing traffic must not.
        public var significance = 2.0
        /// Nothing is told before a track has been watched for this long, in s: the first boxes of a track grow into place.
        public var leastWatchedS = 0.25
        /// Times beyond this are not told, in s: they say no more than "not soon".
        public var longestS = 30.0

        public init() {}
    }

    /// Which side of the box carries the size: where the frame cuts one, the other has to do.
    private enum Measure: Hashable, Sendable { case height, width, both }

    let settings: Settings
    private var filter: RateFilter?
    /// The same from boxes alone: coarse, but about this thing and nothing in front of it.
    private var boxFilter: RateFilter?
    private var measure: Measure?
    private var boxVariance = 0.05 * 0.05
    private var lastInnovation: Double?
    private var watchedS = 0.0
    /// Time since the latest box, in s.
    private var sinceBoxS = 0.0

    /// An estimator that has seen nothing.
    public init(settings: Settings = Settings()) { self.settings = settings }

    /// Growth of the logarithm of the size, in 1/s; nil before the first size.
    public var growthRate: Double? { filter?.rate }
    /// Standard deviation of the growth, in 1/s.
    public var growthRateSd: Double { filter?.rateSd ?? .infinity }

    /// The time to collision; nil when the thing is not, or not for sure, coming closer.
    public var timeToCollision: TimeToCollision? { filter.flatMap { timeToCollision(rate: $0.rate, sd: $0.rateSd) } }

    /// The same where something else, too, tells that it grows by `rate` ± `sd` per second.
    public func timeToCollision(expectingRate rate: Double, sd: Double) -> TimeToCollision? {
        guard var filter else { return nil }
        filter.observe(rate: rate, sd: sd)
        return timeToCollision(rate: filter.rate, sd: filter.rateSd)
    }

    private func timeToCollision(rate: Double, sd: Double) -> TimeToCollision? {
        guard watchedS >= settings.leastWatchedS - 1e-9, rate > settings.significance * sd, rate > 1 / settings.longestS else {
            return nil
        }
        return TimeToCollision(seconds: 1 / rate, sdS: sd / (rate * rate))
    }

    /// Moves on by `seconds` without looking.
    public mutating func predict(seconds: Double) {
        guard var filter, seconds > 0 else { return }
        watchedS += seconds
        sinceBoxS += seconds
        // r' = r² blows up when extrapolated; beyond 2 per second (TTC 0.5 s) and over gaps it is left alone.
        let rate = min(max(filter.rate, -0.5), 2)
        if rate > 0 {
            let span = min(seconds, 0.2)
            filter.accelerate(by: rate * rate * span, sensitivity: 2 * rate * span)
        }
        filter.predict(seconds: seconds, rateNoise: settings.rateNoise)
        boxFilter?.predict(seconds: seconds, rateNoise: settings.boxRateNoise)
        self.filter = filter
    }

    /// Takes in the box of a detection; `cut` tells which edges of the frame cut it, and `errorPx` by how many pixels its size is off
    /// at best.
    public mutating func observe(box: Box, of roadUser: RoadUserClass, cut: CutEdges, errorPx: Double = 0) {
        guard let now = Self.measure(of: roadUser, cut: cut) else { return }
        let size = log(Self.size(box, now))
        guard size.isFinite else { return }
        let sd = boxSd(errorPx / Self.size(box, now))
        sinceBoxS = 0
        guard var filter else {
            filter = RateFilter(value: size, valueSd: sd, rateSd: 0.3)
            boxFilter = filter
            measure = now
            return
        }
        if now != measure {
            measure = now
            lastInnovation = nil
            filter.restart(value: size, valueSd: sd)
            boxFilter?.restart(value: size, valueSd: sd)
        } else {
            boxFilter?.observe(value: size, sd: sd)
            let innovation = filter.observe(value: size, sd: sd)
            learnScatter(innovation)
        }
        self.filter = filter
    }

    /// Standard deviation of ln(size) of a box whose size is off by the share `error` at best: with what the track's boxes scatter by.
    private func boxSd(_ error: Double) -> Double {
        let alike = sinceBoxS > 0 ? max(1, settings.boxAlikeForS / sinceBoxS) : 1
        return ((boxVariance + error * error) * alike).squareRoot()
    }

    /// Takes in the growth measured inside the image, unless the boxes say clearly otherwise: then the corners sat on something else,
    /// such as the next car of a parked row that hides this one.
    public mutating func observe(_ motion: ImageMotion) {
        guard var filter else { return }
        if let boxFilter, abs(motion.logScale / motion.intervalS - boxFilter.rate) > settings.doubt(boxFilter.rateSd) { return }
        let sd = (motion.logScaleSd * motion.logScaleSd + settings.imageFloor * settings.imageFloor).squareRoot()
        filter.observe(rate: motion.logScale / motion.intervalS, sd: sd / motion.intervalS)
        self.filter = filter
    }

    /// Jumps of the box are the detector's, not the road's. They are learnt from the difference between two innovations in a row:
    /// what stays the same is no scatter but a rate that is wrong, and must not make the filter deaf to what corrects it.
    private mutating func learnScatter(_ innovation: Double) {
        defer { lastInnovation = innovation }
        guard let lastInnovation else { return }
        let jump = innovation - lastInnovation
        boxVariance += 0.1 * (jump * jump / 2 - boxVariance)
        let range = settings.boxScatter
        boxVariance = min(max(boxVariance, range.lowerBound * range.lowerBound), range.upperBound * range.upperBound)
    }

    private static func measure(of roadUser: RoadUserClass, cut: CutEdges) -> Measure? {
        let heightCut = cut.contains(.top) || cut.contains(.bottom)
        let widthCut = cut.contains(.side)
        // The width of a person changes with every step, that of a cycle with every turn.
        guard roadUser.isVehicle else { return heightCut ? nil : .height }
        switch (heightCut, widthCut) {
        case (false, false): return .both
        case (true, false): return .width
        case (false, true): return .height
        case (true, true): return nil
        }
    }

    private static func size(_ box: Box, _ measure: Measure) -> Double {
        switch measure {
        case .height: box.height
        case .width: box.width
        case .both: (box.height * box.width).squareRoot()
        }
    }
}
