import FleetModel

/// What a sign at the road shows: a limit, or something that looks like one.
public enum SignFace: Hashable, Sendable {
    /// A limit: red ring, black number (Vienna Convention C 14).
    case limit(Speed)
    /// The end of a limit: grey number under a black stroke (C 17a).
    case endOfLimit(Int)
    /// A weight limit: red ring, number and t (C 7).
    case weight(tonnes: Int)
    /// A height limit: red ring, number and m between arrowheads (C 6).
    case height(decimetres: Int)
    /// A minimum speed: white number on a blue disc (D 7).
    case minimumSpeed(Int)
    /// A number on the back of a lorry: white disc with a thin black rim, on no post.
    case sticker(Int)
    /// A road number: white on a blue board.
    case roadNumber(Int)
    /// A limit with a plate under it: it holds for some vehicles or at some times only.
    case restrictedLimit(Speed, by: Annex)
    /// A plate of North America.
    case plate(Plate)

    /// Plates of the United States, in miles per hour.
    public enum Plate: Hashable, Sendable {
        /// SPEED LIMIT (MUTCD R2-1).
        case limit(Int)
        /// SPEED LIMIT under SCHOOL and over WHEN FLASHING (S4-3P, S4-4P).
        case schoolLimit(Int)
        /// SPEED LIMIT under TRUCKS.
        case truckLimit(Int)
        /// MINIMUM SPEED (R2-4P).
        case minimum(Int)
        /// An advisory speed: black on yellow, for a ramp or a bend (W13-1P, W13-3).
        case advice(Int, isRamp: Bool)
        /// The number of an interstate: white on a blue shield with a red head (M1-1).
        case routeShield(Int)
    }

    /// What the plate under a limit says.
    public enum Annex: Hashable, Sendable, CaseIterable {
        /// A lorry as a picture.
        case lorries
        /// A car with a trailer as a picture.
        case trailers
        /// Only when wet.
        case wet
        /// Hours of the day.
        case hours
    }
}
