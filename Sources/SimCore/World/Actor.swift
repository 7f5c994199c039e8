import FleetModel

/// What a road user looks like and how large it is.
public enum ActorShape: Hashable, Sendable {
    /// A passenger car; the paint is an index into the painter's list.
    case car(paint: Int)
    /// A box lorry.
    case lorry(paint: Int)
    /// A grown-up; the clothes are an index into the painter's list.
    case person(clothes: Int)

    /// The word of the contract for it.
    public var roadUserClass: RoadUserClass {
        switch self {
        case .car: .car
        case .lorry: .truck
        case .person: .person
        }
    }

    /// Width, height and length in m. Car and lorry: a compact hatchback and a 7.5 t box; person: shoulder to stride, average height.
    public var sizeM: (width: Double, height: Double, length: Double) {
        switch self {
        case .car: (1.80, 1.48, 4.20)
        case .lorry: (2.40, 3.20, 7.00)
        case .person: (0.60, 1.75, 0.45)
        }
    }
}

/// A road user of a scenario: what it is and how it moves.
public struct Actor: Hashable, Sendable {
    /// Which way it shows to the ego vehicle.
    public enum Facing: Hashable, Sendable {
        /// Same direction: its rear is seen.
        case away
        /// Against the ego vehicle: its front is seen.
        case towards
        /// Crossing to the left or right; for persons.
        case left, right
    }

    /// Number in `truth.jsonl`, unique within a drive.
    public var id: Int
    /// Its looks and size.
    public var shape: ActorShape
    /// Which side is seen.
    public var facing: Facing
    /// Along the road: the position of its face towards the ego vehicle.
    public var along: MotionProfile
    /// Across the road: its middle, metres to the right of the ego lane's middle.
    public var across: MotionProfile

    /// A road user.
    public init(id: Int, shape: ActorShape, facing: Facing, along: MotionProfile, across: MotionProfile) {
        self.id = id
        self.shape = shape
        self.facing = facing
        self.along = along
        self.across = across
    }
}
