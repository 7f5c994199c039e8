import FleetModel

/// The world at one moment, relative to the ego vehicle's camera: what painters draw and what the truth states.
public struct WorldSnapshot: Sendable {
    /// A road user.
    public struct Object: Hashable, Sendable {
        /// As in the scenario.
        public var id: Int
        public var shape: ActorShape
        public var facing: Actor.Facing
        /// From the camera to the nearest face, along the road, m.
        public var distanceM: Double
        /// From the camera to its middle, m to the right.
        public var lateralM: Double
        /// From the middle of the ego lane to its middle, m to the right; in a bend that is not straight ahead.
        public var fromPathM: Double
        /// How fast the distance shrinks, m/s.
        public var closingMps: Double
        /// Its own speed along the road, m/s; negative towards the ego vehicle.
        public var speedMps: Double
        /// Whether its brake lights are on.
        public var isBraking: Bool
        /// How far it has moved across the road, m; drives the steps of a walking person.
        public var acrossM: Double

        /// Distance over closing speed, s; nil when the distance does not shrink (by 0.05 m/s at least, as the lidar truth has it).
        public var ttcS: Double? { closingMps > 0.05 ? distanceM / closingMps : nil }

        /// Whether it overlaps the strip that the ego vehicle sweeps, with 0.2 m of room on each side.
        public var isInPath: Bool { abs(fromPathM) - shape.sizeM.width / 2 < Street.egoWidthM / 2 + 0.2 }
    }

    /// A sign at the road.
    public struct Sign: Hashable, Sendable {
        /// What it says.
        public var face: SignFace
        /// From the camera, m ahead.
        public var distanceM: Double
        /// From the camera to its middle, m to the right.
        public var lateralM: Double

        /// A sign.
        public init(face: SignFace, distanceM: Double, lateralM: Double) {
            (self.face, self.distanceM, self.lateralM) = (face, distanceM, lateralM)
        }
    }

    /// Seconds since the drive began.
    public var timeS: Double
    /// The ego vehicle: position along the road, speed, acceleration.
    public var ego: MotionProfile.State
    /// Road users ahead, in the order of their ids.
    public var objects: [Object]
    /// Signs ahead.
    public var signs: [Sign]
    /// Pedestrian crossings ahead: distance of their near edge, m.
    public var crossingsM: [Double]
    /// Bridges over the road ahead: distance of their near edge, m.
    public var bridgesM: [Double]
    /// The limit that holds here.
    public var limit: Speed
}
