import FleetModel

extension OverspeedRule {
    /// When the own speed counts as too high. Every number is the operator's choice; the defaults are an operator's, not the law's.
    public struct Settings: Hashable, Sendable {
        /// Tolerated above the limit; the larger of this and `tolerancePercent` applies. Default 3 km/h: what police practice in
        /// Germany (PTB) takes off a measurement up to 100 km/h.
        public var tolerance = Speed(3, .kilometresPerHour)
        /// Tolerated above the limit, in percent of it. Default 3 %: the same practice above 100 km/h.
        public var tolerancePercent = 3.0
        /// How long the excess must last without a break, in s; 0 is at once. Default 2 s: overtakes a single wrong fix.
        public var minimumDurationS = 2.0
        /// How far below limit + tolerance the speed must fall before the episode ends. Default 2 km/h.
        public var hysteresis = Speed(2, .kilometresPerHour)
        /// Excess over the limit from which it is a warning. Default 10 km/h.
        public var warningExcess = Speed(10, .kilometresPerHour)
        /// Excess over the limit from which it is critical. Default 20 km/h: where fines turn into driving bans in many countries.
        public var criticalExcess = Speed(20, .kilometresPerHour)
        /// A caution that lasts this long becomes a warning, in s. Default 60 s: no longer an overtaking.
        public var longDurationS = 60.0
        /// An episode whose speed or limit is unknown for longer than this ends, in s. Default 5 s: a short bridge, not a tunnel.
        public var holdS = 5.0
        /// A new maximum is told at most once in this time, in s.
        public var updateIntervalS = 5.0

        public init() {}

        /// What is tolerated above `limit`, in the limit's own unit.
        func toleranceValue(above limit: Speed) -> Double {
            max(Speed.value(ofMps: tolerance.metresPerSecond, in: limit.unit), limit.value * tolerancePercent / 100)
        }
    }
}
