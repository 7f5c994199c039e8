import SimCore
import Testing

@Suite struct MotionProfileTests {
    /// 10 m/s for 2 s (20 m), then -5 m/s² to 0 within 2 s (10 m), then standing.
    private let braking = MotionProfile(positionM: 0, speedMps: 10).holding(until: 2).changing(to: 0, at: 5)

    @Test(
        "a profile follows the formulas of constant acceleration",
        arguments: [(0.0, 0.0, 10.0, 0.0), (1, 10, 10, 0), (3, 27.5, 5, -5), (4, 30, 0, 0), (9, 30, 0, 0)])
    func states(t: Double, positionM: Double, speedMps: Double, accelerationMps2: Double) {
        let state = braking.state(at: t)
        #expect(abs(state.positionM - positionM) < 1e-9)
        #expect(abs(state.speedMps - speedMps) < 1e-9)
        #expect(state.accelerationMps2 == accelerationMps2)
    }

    @Test func `a shift ends at rest where it should and is half way at half time`() {
        let shift = MotionProfile(positionM: -3.5).holding(until: 1).shifting(by: 3.5, within: 2)
        #expect(abs(shift.state(at: 2).positionM + 1.75) < 1e-9)
        #expect(abs(shift.state(at: 3).positionM) < 1e-9)
        #expect(abs(shift.state(at: 5).speedMps) < 1e-9)
    }

    @Test func `holding until a moment that is past changes nothing`() {
        #expect(braking.holding(until: 1) == braking)
    }
}
