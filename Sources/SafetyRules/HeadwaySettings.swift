import FleetModel

extension HeadwayRule {
    /// When a driver is told that the vehicle ahead is too near.
    public struct Settings: Hashable, Sendable {
        /// Time headway below which it is a caution, in s. Default 0.9: half of the "two seconds" that road authorities ask for is where German law
        /// (BKatV, table 2: less than 5/10 of half the speedometer, 0.9 s) begins to fine.
        public var cautionS = 0.9
        /// Below which it is a warning, in s. Default 0.6: less than 3/10 of half the speedometer (0.54 s), where a driving ban begins.
        public var warningS = 0.6
        /// For how long it must last, in s: who is overtaken and cut in on needs some time to fall back.
        public var persistenceS = 3.0
        /// Own speed below which nothing is told, in m/s: in town traffic queues close up. Default 50 km/h.
        public var minimumSpeedMps = 50 / 3.6
        /// The speed gate closes this far below the minimum, in m/s.
        public var speedHysteresisMps = 2.0
        /// An episode ends when the headway has been above the caution threshold times this ...
        public var clearFactor = 1.2
        /// ... or there has been no vehicle ahead, for this time, in s.
        public var clearAfterS = 2.0
        /// A vehicle that falls away faster than this is leaving: who was cut in on is not following too closely. In m/s.
        public var openingMps = 1.0
        /// The distance must be known to this share of itself (1 standard deviation).
        public var mostDistanceSd = 0.3
        /// After an episode nothing is told for this time, in s.
        public var refractoryS = 10.0
        /// Without a frame for longer than this an episode ends, in s.
        public var holdS = 2.0

        public init() {}

        /// The severity that a headway of `seconds` amounts to.
        func severity(atHeadwayS seconds: Double) -> Severity? {
            if seconds < warningS { return .warning }
            return seconds < cautionS ? .caution : nil
        }
    }
}
