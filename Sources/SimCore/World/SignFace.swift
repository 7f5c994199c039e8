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
}
