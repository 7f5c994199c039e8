import FleetModel

extension CollisionRule {
    /// When a driver is warned of a collision.
    public struct Settings: Hashable, Sendable {
        /// Road users that are warned of.
        public var classes = Set(RoadUserClass.allCases)
        /// Time to collision below which it is a caution, in s. Default 3.4: reaction 1.5 s, then braking at 0.6 g from 80 km/h.
        public var cautionTtcS = 3.4
        /// Below which it is a warning, in s. Default 2.8: the NHTSA NCAP forward collision warning tests ask for a warning before 2.4 s
        /// (braking lead), 2.1 s (stopped) and 2.0 s (slower); the rest is for what 10 frames a second, the filter and two frames that
        /// must agree take.
        public var warningTtcS = 2.8
        /// Below which it is critical, in s. Default 1.5: the last moment at which full braking still helps at town speeds
        /// (Euro NCAP's time to react is 1.2 s and more).
        public var criticalTtcS = 1.5
        /// Braking that would just avoid the collision, in m/s², from which it is a warning however much time is left: closing speed over twice the
        /// time to collision (a gap of v·T is braked away by v²/2d). It matters where the gap closes faster than some 100 km/h, for which 2.8 s
        /// are too few. Default 5: what drivers brake with in an emergency, half of what tyres give on a dry road.
        public var warningDecelerationMps2 = 5.0
        /// The same from which it is critical. Default 7: all that tyres give on a wet road.
        public var criticalDecelerationMps2 = 7.0
        /// For how long the closing must have been seen before anything is told, in s. After that a worse severity needs two frames only:
        /// the thing is known to be real by then.
        public var persistenceS = 0.3
        /// A severity that is reached even with the time to collision longer by this many standard deviations needs one frame only: a lead
        /// that brakes hard takes 0.35 s off it in a tenth of a second.
        public var sureSds = 2.0
        /// It counts as closing for that purpose below the caution threshold times this: a lead that brakes hard goes from 5 s to 2.5 s in
        /// half a second.
        public var persistenceFactor = 1.5
        /// What would be reached sooner than this, in s, begins no episode: nobody can react, and what seems to come so near at once is a
        /// vehicle that passes beside and fills the picture.
        public var leastTtcS = 0.6
        /// The time to collision must be known to this share of itself (1 standard deviation) before an episode begins.
        public var mostTtcSd = 0.25
        /// An episode begins only with something that was detected within this time, in s: a lost track's box drifts and grows by itself.
        /// Three frames at 20 Hz; one that has begun goes on without.
        public var longestUnseenS = 0.15
        /// Own speed below which nothing is warned of, m/s; not applied while the speed is unknown. Default 10 km/h.
        public var minimumSpeedMps = 10 / 3.6
        /// The speed gate opens at the minimum and closes this far below it, in m/s.
        public var speedHysteresisMps = 1.0
        /// Least closing speed where it is known, in m/s: in stop-and-go the gap closes slower (field case C6).
        public var minimumClosingMps = 1.0
        /// What closes faster than the own speed times this ...
        public var oncomingFactor = 1.1
        /// ... and this, in m/s, by more than a standard deviation, is oncoming traffic in its own lane (field cases C2, C3): a speed
        /// of 5 % and a distance of 15 % that are off leave a standing lead below it.
        public var oncomingMarginMps = 2.0
        /// Least smoothed confidence of the detector.
        public var minimumScore = 0.4
        /// The same for persons: detectors take poles, shadows and markings for persons more than anything for a car.
        public var minimumPersonScore = 0.5
        /// Who has been followed for this long, in s, is no shadow: for persons too the lower confidence then is enough.
        public var longKnownS = 1.0
        /// An episode ends when the time to collision has been above the caution threshold times this ...
        public var clearFactor = 1.3
        /// ... or not in the path, or not closing, for this time, in s.
        public var clearAfterS = 0.7
        /// After an episode the same thing, or one in its place, is told again only after this time or when it is worse, in s.
        public var refractoryS = 4.0
        /// Unless the time to collision had risen above the caution threshold times this when the episode ended: what closes again after
        /// that is another danger.
        public var settledFactor = 2.0
        /// Without a frame for longer than this an episode ends, in s: the camera does not see.
        public var holdS = 2.0

        public init() {}

        /// The severity that a time to collision of `seconds` amounts to, and the braking that is needed at least (0 where that is unknown).
        func severity(atTtcS seconds: Double, decelerationMps2: Double = 0) -> Severity? {
            if seconds < criticalTtcS || decelerationMps2 >= criticalDecelerationMps2 { return .critical }
            if seconds < warningTtcS || decelerationMps2 >= warningDecelerationMps2 { return .warning }
            return seconds < cautionTtcS ? .caution : nil
        }
    }
}
