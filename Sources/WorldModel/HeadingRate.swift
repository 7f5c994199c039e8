import Foundation

/// How fast the vehicle turns, from the direction of travel that the receiver reports: coarse and late, but needs no picture.
struct HeadingRate: Hashable, Sendable {
    /// Slower than this the direction of travel is noise, in m/s.
    static let leastSpeedMps = 3.0
    /// Fixes farther apart say nothing about the turn now, in s.
    static let longestGapS = 2.5
    /// Faster turns are errors of the receiver, in rad/s: 0.6 g at 20 km/h is 1.06.
    static let fastestRadPerS = 1.1

    /// To the right positive, in rad/s; nil while it is not known.
    private(set) var radPerS: Double?
    private var last: (timeS: Double, deg: Double)?

    /// Takes in what is believed of the own vehicle; the same fix may come many times.
    mutating func observe(_ ego: EgoState) {
        guard let timeS = ego.fixTimeS, let deg = ego.headingDeg, let speed = ego.speedMps, speed >= Self.leastSpeedMps else {
            (radPerS, last) = (nil, nil)
            return
        }
        guard let last, timeS - last.timeS <= Self.longestGapS else {
            (radPerS, self.last) = (nil, (timeS, deg))
            return
        }
        guard timeS > last.timeS else { return }
        let turned = (deg - last.deg + 540).truncatingRemainder(dividingBy: 360) - 180
        let rate = turned * .pi / 180 / (timeS - last.timeS)
        self.last = (timeS, deg)
        guard abs(rate) <= Self.fastestRadPerS else {
            radPerS = nil
            return
        }
        radPerS = radPerS.map { $0 + 0.5 * (rate - $0) } ?? rate
    }

    static func == (a: HeadingRate, b: HeadingRate) -> Bool {
        a.radPerS == b.radPerS && a.last?.timeS == b.last?.timeS && a.last?.deg == b.last?.deg
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(radPerS)
        hasher.combine(last?.timeS)
    }
}
