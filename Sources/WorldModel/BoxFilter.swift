import FleetModel
import Foundation

/// Where a track's box is and where it goes: filters over centre and logarithm of width and height.
struct BoxFilter: Hashable, Sendable {
    private var centreX: RateFilter
    private var centreY: RateFilter
    private var logWidth: RateFilter
    private var logHeight: RateFilter

    /// A detector's box edge scatters by about this share of the box's size (measured on parked cars: 0.02 to 0.06).
    private static let edgeScatter = 0.04
    /// A box's centre may change its speed by this many box sizes per second within a second.
    private static let centreWander = 1.0
    /// Growth may change by this much per second within a second: a hard braking lead at 10 m gives 0.8.
    private static let growthWander = 0.5

    init(_ box: Box) {
        let scatter = Self.edgeScatter * Self.size(box)
        centreX = RateFilter(value: box.midX, valueSd: scatter, rateSd: Self.size(box))
        centreY = RateFilter(value: box.midY, valueSd: scatter, rateSd: Self.size(box))
        logWidth = RateFilter(value: log(box.width), valueSd: Self.edgeScatter, rateSd: 0.3)
        logHeight = RateFilter(value: log(box.height), valueSd: Self.edgeScatter, rateSd: 0.3)
    }

    var box: Box {
        let (width, height) = (exp(logWidth.value), exp(logHeight.value))
        return Box(x: centreX.value - width / 2, y: centreY.value - height / 2, width: width, height: height)
    }

    mutating func predict(seconds: Double) {
        let size = Self.size(box)
        centreX.predict(seconds: seconds, rateNoise: Self.centreWander * size)
        centreY.predict(seconds: seconds, rateNoise: Self.centreWander * size)
        logWidth.predict(seconds: seconds, rateNoise: Self.growthWander)
        logHeight.predict(seconds: seconds, rateNoise: Self.growthWander)
    }

    mutating func observe(_ seen: Box) {
        let scatter = Self.edgeScatter * Self.size(seen)
        centreX.observe(value: seen.midX, sd: scatter)
        centreY.observe(value: seen.midY, sd: scatter)
        logWidth.observe(value: log(seen.width), sd: Self.edgeScatter)
        logHeight.observe(value: log(seen.height), sd: Self.edgeScatter)
    }

    mutating func observe(_ motion: ImageMotion) {
        let pixelSd = 0.1 + motion.logScaleSd * Self.size(box)
        centreX.observe(rate: motion.shiftX / motion.intervalS, sd: pixelSd / motion.intervalS)
        centreY.observe(rate: motion.shiftY / motion.intervalS, sd: pixelSd / motion.intervalS)
        let growth = motion.logScale / motion.intervalS
        let growthSd = (motion.logScaleSd + 0.002) / motion.intervalS
        logWidth.observe(rate: growth, sd: growthSd)
        logHeight.observe(rate: growth, sd: growthSd)
    }

    private static func size(_ box: Box) -> Double { (box.width * box.height).squareRoot() }
}
