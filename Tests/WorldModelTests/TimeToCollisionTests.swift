import FleetModel
import Foundation
import Testing

@testable import WorldModel

@Suite struct TimeToCollisionTests {
    /// The box of a car of 1.8 m by 1.5 m at `distanceM`, straight ahead, focal length 1000 px.
    static func box(distanceM: Double, scatter: Double = 0) -> Box {
        let (w, h) = (1800 / distanceM * (1 + scatter), 1500 / distanceM * (1 + scatter))
        return Box(x: 640 - w / 2, y: 360 + 1300 / distanceM - h, width: w, height: h)
    }

    @Test("Boxes of a car that closes steadily give its time to collision within 10 %", arguments: [10.0, 30])
    func fromBoxes(rate: Double) throws {
        var estimator = TimeToCollisionEstimator()
        var noise = Lehmer(state: 11)
        var errors: [Double] = []
        for i in 0..<Int(2.5 * rate) {
            let t = Double(i) / rate
            let distance = 50 - 12 * t
            if i > 0 { estimator.predict(seconds: 1 / rate) }
            estimator.observe(box: Self.box(distanceM: distance, scatter: 0.01 * noise.normal()), of: .car, cut: [])
            if t > 1.5, let ttc = estimator.timeToCollision { errors.append(abs(ttc.seconds / (distance / 12) - 1)) }
        }
        #expect(errors.count >= Int(0.9 * rate))
        #expect(errors.sorted()[errors.count / 2] < 0.15)
    }

    @Test("Growth measured in the image gives the time to collision within 3 %")
    func fromImage() throws {
        var estimator = TimeToCollisionEstimator()
        var noise = Lehmer(state: 5)
        for i in 0..<60 {
            let (before, now) = (50 - 12 * (Double(i) - 1) / 30, 50 - 12 * Double(i) / 30)
            if i > 0 {
                estimator.predict(seconds: 1 / 30)
                let scale = log(before / now) + 0.0005 * noise.normal()
                estimator.observe(ImageMotion(logScale: scale, logScaleSd: 0.0005, shiftX: 0, shiftY: 0, intervalS: 1 / 30))
            }
            estimator.observe(box: Self.box(distanceM: now, scatter: 0.02 * noise.normal()), of: .car, cut: [])
        }
        let ttc = try #require(estimator.timeToCollision)
        let truth = (50 - 12 * 59 / 30.0) / 12
        #expect(abs(ttc.seconds / truth - 1) < 0.08)
        #expect(ttc.sdS < 0.5)
    }

    @Test(
        "C6 After a stop behind a standing car there is no time to collision any more, from boxes alone too",
        arguments: [(6.0, 10.0), (6, 30), (9, 10), (9, 30), (50, 30)], [0.0, 0.01])
    func stopped(braking: (mps2: Double, rate: Double), scatter: Double) {
        var estimator = TimeToCollisionEstimator()
        var noise = Lehmer(state: 31)
        let brakingM = 12 * 12 / (2 * braking.mps2)
        // 12 m/s towards a car that stands 45 m ahead, braking so as to stand 3 m behind it.
        let (startS, stopS) = ((45 - 3 - brakingM) / 12, (45 - 3 - brakingM) / 12 + 12 / braking.mps2)
        var told: [Double] = []
        for i in 0..<Int((stopS + 4) * braking.rate) {
            let t = Double(i) / braking.rate
            let since = min(max(0, t - startS), 12 / braking.mps2)
            let distance = 45 - 12 * min(t, startS) - (12 * since - braking.mps2 * since * since / 2)
            if i > 0 { estimator.predict(seconds: 1 / braking.rate) }
            estimator.observe(box: Self.box(distanceM: distance, scatter: scatter * noise.normal()), of: .car, cut: [])
            if t > stopS + 1.2, let ttc = estimator.timeToCollision, ttc.seconds < 3 { told.append(t - stopS) }
        }
        #expect(told.isEmpty, "still told \(told.last ?? 0) s after the stop")
    }

    /// As seen of a car 60 m away that turned off at a junction: 1 s at one size, then a third more within 0.6 s, at 30 Hz.
    @Test(
        "C5 A box of 16 pixels that grows by a few is not known to come near; one ten times as large that grows alike is",
        arguments: [(16.0, false), (160, true)])
    func farBoxes(sizePx: Double, isKnown: Bool) {
        var estimator = TimeToCollisionEstimator()
        var told = 0
        for i in 0..<50 {
            let side = sizePx * exp(0.53 * max(0, Double(i) / 30 - 1))
            if i > 0 { estimator.predict(seconds: 1 / 30) }
            estimator.observe(
                box: Box(x: 300, y: 200, width: side, height: side), of: .car, cut: [],
                errorPx: FrameSize(width: 640, height: 352).boxErrorPx)
            if let ttc = estimator.timeToCollision, ttc.seconds < 2.8, ttc.sdS < 0.25 * ttc.seconds { told += 1 }
        }
        #expect((told > 3) == isKnown, "told in \(told) frames")
    }

    @Test("Standing traffic with noisy boxes has no time to collision", arguments: 1...20)
    func standing(seed: Int) {
        var estimator = TimeToCollisionEstimator()
        var noise = Lehmer(state: UInt64(seed * 977))
        var told = 0
        for i in 0..<300 {
            if i > 0 { estimator.predict(seconds: 1 / 30) }
            estimator.observe(box: Self.box(distanceM: 8, scatter: 0.02 * noise.normal()), of: .car, cut: [])
            if let ttc = estimator.timeToCollision, ttc.seconds < 5 { told += 1 }
        }
        #expect(told <= 6, "told in \(told) of 300 frames")
    }

    @Test("A thing that goes away, and one never seen, has none")
    func receding() {
        var estimator = TimeToCollisionEstimator()
        #expect(estimator.timeToCollision == nil)
        for i in 0..<60 {
            estimator.predict(seconds: 1 / 30)
            estimator.observe(box: Self.box(distanceM: 20 + 5 * Double(i) / 30), of: .car, cut: [])
        }
        #expect(estimator.timeToCollision == nil)
    }

    @Test("Where the frame cuts the height, the width goes on without a jump")
    func cut() throws {
        var estimator = TimeToCollisionEstimator()
        for i in 0..<60 {
            let distance = 20 - 6 * Double(i) / 30
            var box = Self.box(distanceM: distance)
            if i >= 40 { box.height *= 0.6 }
            estimator.predict(seconds: 1 / 30)
            estimator.observe(box: box, of: .car, cut: i >= 40 ? .bottom : [])
        }
        let ttc = try #require(estimator.timeToCollision)
        #expect(abs(ttc.seconds / ((20 - 6 * 59 / 30.0) / 6) - 1) < 0.15)
    }

    @Test("The filter finds value and rate of a ramp, and knows its rate better the longer it looks")
    func rateFilter() {
        var filter = RateFilter(value: 0, valueSd: 1, rateSd: 5)
        var sds: [Double] = []
        for i in 0..<50 {
            filter.predict(seconds: 0.1, rateNoise: 0.01)
            filter.observe(value: 0.2 * Double(i + 1), sd: 0.05)
            sds.append(filter.rateSd)
        }
        #expect(abs(filter.rate - 2) < 0.01)
        #expect(abs(filter.value - 10) < 0.05)
        #expect(sds[40] < sds[10])
    }
}
