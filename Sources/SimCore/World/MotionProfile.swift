/// Motion along one axis as stretches of constant acceleration, in closed form: no steps to add up, so any time can be asked for.
public struct MotionProfile: Hashable, Sendable {
    /// Where a thing is and how it moves.
    public struct State: Hashable, Sendable {
        /// Metres from the axis' zero.
        public var positionM: Double
        /// Metres per second along the axis.
        public var speedMps: Double
        /// Metres per second squared along the axis.
        public var accelerationMps2: Double
    }

    private struct Stretch: Hashable, Sendable {
        var startS: Double
        var state: State
    }

    private var stretches: [Stretch]
    /// When the last change described so far is over; from here on the speed stays.
    public private(set) var endS: Double

    /// Starts at `positionM` with a speed that stays until something is appended.
    public init(positionM: Double, speedMps: Double = 0) {
        stretches = [Stretch(startS: 0, state: State(positionM: positionM, speedMps: speedMps, accelerationMps2: 0))]
        endS = 0
    }

    /// The state at `t` seconds; constant speed before the start and after the end.
    public func state(at t: Double) -> State {
        let stretch = stretches.last { $0.startS <= t } ?? stretches[0]
        let (dt, from) = (t - stretch.startS, stretch.state)
        return State(
            positionM: from.positionM + from.speedMps * dt + from.accelerationMps2 * dt * dt / 2,
            speedMps: from.speedMps + from.accelerationMps2 * dt, accelerationMps2: from.accelerationMps2)
    }

    /// The same, then the speed held until `t` (no effect when that is past).
    public func holding(until t: Double) -> MotionProfile { t > endS ? appending(0, for: t - endS) : self }

    /// The same, then `acceleration` (its sign is found) until the speed is `speedMps`.
    public func changing(to speedMps: Double, at accelerationMps2: Double) -> MotionProfile {
        let difference = speedMps - state(at: endS).speedMps
        guard difference != 0, accelerationMps2 != 0 else { return self }
        let acceleration = difference > 0 ? abs(accelerationMps2) : -abs(accelerationMps2)
        return appending(acceleration, for: difference / acceleration)
    }

    /// The same, then moved by `metres` within `durationS`: speeding up for one half and slowing down for the other.
    public func shifting(by metres: Double, within durationS: Double) -> MotionProfile {
        let acceleration = 4 * metres / (durationS * durationS)
        return appending(acceleration, for: durationS / 2).appending(-acceleration, for: durationS / 2)
    }

    private func appending(_ acceleration: Double, for durationS: Double) -> MotionProfile {
        var longer = self
        var start = state(at: endS)
        start.accelerationMps2 = acceleration
        longer.stretches.append(Stretch(startS: endS, state: start))
        longer.endS = endS + durationS
        var after = start
        after.positionM += start.speedMps * durationS + acceleration * durationS * durationS / 2
        after.speedMps += acceleration * durationS
        after.accelerationMps2 = 0
        longer.stretches.append(Stretch(startS: longer.endS, state: after))
        return longer
    }
}
