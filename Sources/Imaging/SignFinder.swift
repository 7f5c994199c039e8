import CVision

/// Finds places in a picture where a speed sign may be, by colour and shape. Keeps its buffers; one thread at a time.
public final class SignFinder {
    /// One place.
    public struct Candidate: Hashable, Sendable {
        /// Upper left corner and size in pixels; may reach over the picture's edge.
        public var x, y, width, height: Double
        /// Log odds of a speed sign by shape alone; only the order among one shape's candidates counts.
        public var score: Double
        /// A plate; round otherwise.
        public var isPlate: Bool

        /// A place in pixels, `score` as log odds.
        public init(x: Double, y: Double, width: Double, height: Double, score: Double, isPlate: Bool) {
            (self.x, self.y, self.width, self.height, self.score, self.isPlate) = (x, y, width, height, score, isPlate)
        }
    }

    private let handle: OpaquePointer

    /// Nil when memory is short.
    public init?() {
        guard let handle = vision_sign_finder_create() else { return nil }
        self.handle = handle
    }

    deinit { vision_sign_finder_destroy(handle) }

    /// The most promising places in `frame` (three channels): at most `rounds` round ones, then at most `plates` plates, each best
    /// first, from `leastHeight` pixels. Only the share `rows` of the picture's rows is searched, from the top.
    public func candidates(
        in frame: borrowing Frame, rounds: Int, plates: Int, leastHeight: Double, rows: Double
    ) throws(ImagingError) -> [Candidate] {
        let search = vision_sign_search(
            rounds: Int32(clamping: rounds), plates: Int32(clamping: plates), least_height: leastHeight, rows: rows)
        var found = [vision_sign_candidate](repeating: vision_sign_candidate(), count: max(0, rounds) + max(0, plates) + 1)
        var count: Int32 = 0
        let image = frame.handle
        try ImagingError.check("looking for signs") { vision_sign_finder_search(handle, image, search, &found, &count, $0) }
        return found.prefix(Int(count)).map {
            Candidate(x: $0.x, y: $0.y, width: $0.width, height: $0.height, score: $0.score, isPlate: $0.is_plate != 0)
        }
    }

    /// `plate` of `frame` (three channels) with the sides that are seen there: mostly within a twentieth of its height, where the search is
    /// up to a sixth of it off. As it was where no sides are seen.
    public static func outlined(_ plate: Candidate, in frame: borrowing Frame) throws(ImagingError) -> Candidate {
        var outlined = plate
        let image = frame.handle
        try ImagingError.check("outlining a sign") {
            vision_plate_outline(image, &outlined.x, &outlined.y, &outlined.width, &outlined.height, $0)
        }
        return outlined
    }

    /// Where an annex plate stands that says for whom or when a sign holds.
    public enum Side: Hashable, Sendable, CaseIterable {
        /// Right under the sign, as everywhere.
        case below
        /// Right over it: SCHOOL, TRUCKS in North America.
        case above
    }

    /// Whether an annex plate stands on `side` of the sign at `x`, `y`, `width`, `height` of `frame` (three channels); `isPlate` says
    /// that the sign is a plate itself. What it says is not read.
    public func hasAnnex(
        _ side: Side, ofSignAt x: Double, _ y: Double, width: Double, height: Double, isPlate: Bool, in frame: borrowing Frame
    ) throws(ImagingError) -> Bool {
        var isSeen: Int32 = 0
        let image = frame.handle
        try ImagingError.check("looking for a plate at a sign") {
            vision_sign_finder_annex(handle, image, x, y, width, height, isPlate ? 1 : 0, side == .above ? 1 : 0, &isSeen, $0)
        }
        return isSeen != 0
    }
}
