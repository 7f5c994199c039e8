import FleetModel
import FleetRuntime
import Imaging
import WorldModel

/// Finds and reads the speed signs of a frame: candidates by colour and shape, the best of them read. Belongs to one thread at a time.
public struct SignDetector {
    /// Numbers that can be changed.
    public struct Settings: Hashable, Sendable {
        /// What the country's signs look like.
        public var profile = SignProfile.anywhere
        /// Candidates of each shape that are read in a frame, best first: bounds the time.
        public var mostRead = 6
        /// A limit or an end is believed from this score on.
        public var leastScore = 0.8
        /// Round candidates with lower log odds by shape are not read.
        public var leastShapeScore = -1.0
        /// Plates with lower log odds by shape are not read.
        public var leastPlateScore = -4.0
        /// Smaller signs are left alone, in pixels of the frame.
        public var leastHeightPx = 14.0
        /// Plates at smaller signs are not looked for, in pixels of the frame.
        public var leastAnnexedHeightPx = 20.0
        /// Share of a frame's rows that is searched, from the top: signs stand above the road.
        public var searchedRows = 0.8

        /// The defaults.
        public init() {}
    }

    /// Time spent in the latest `detect`, in ms; decides nothing.
    public struct Times: Hashable, Sendable {
        /// Looking for candidates.
        public var findMs = 0.0
        /// Reading them.
        public var readMs = 0.0
        /// How many were read.
        public var readings = 0
    }

    /// Numbers that can be changed.
    public var settings: Settings
    /// Times of the latest `detect`.
    public private(set) var latestTimes = Times()
    /// Reads one candidate; its threshold can be changed.
    public var reader: SignReader

    private let finder: SignFinder

    /// A detector with `reader`. Throws `UserError` when memory is short.
    public init(reader: SignReader, settings: Settings = Settings()) throws {
        guard let finder = SignFinder() else { throw UserError(.software, "too little memory to look for signs") }
        self.finder = finder
        self.reader = reader
        self.settings = settings
    }

    /// What was found and read in `frame` (three channels): signs that set or end a limit, surest first, then other things. Throws
    /// `ImagingError` or `ModelOutputError`.
    public mutating func detect(in frame: borrowing Frame) throws -> [SignSighting] {
        let start = MonotonicTime.now()
        // What stands on end is a phone's picture, not a windscreen's: its horizon may be anywhere.
        let isUpright = frame.height > frame.width
        let profile = settings.profile
        let candidates = try finder.candidates(
            in: frame, rounds: profile.hasRoundSigns ? settings.mostRead : 0, plates: profile.hasPlates ? settings.mostRead : 0,
            leastHeight: settings.leastHeightPx, rows: isUpright ? 1 : settings.searchedRows
        ).filter { $0.score >= ($0.isPlate ? settings.leastPlateScore : settings.leastShapeScore) }
        let found = MonotonicTime.now()
        var sightings: [SignSighting] = []
        for candidate in candidates {
            guard let reading = try reader.read(in: frame, at: Box(candidate)) else { continue }
            var (seen, place) = (sighting(reading, at: Box(candidate)), candidate)
            // A round sign can be found as a plate.
            let isPlate = candidate.isPlate && reading.shape != .round
            if isPlate, seen.kind == .limit { place = try SignFinder.outlined(candidate, in: frame) }
            guard let inside = Box(place).clipped(width: Double(frame.width), height: Double(frame.height)) else { continue }
            seen.box = inside
            if seen.kind == .limit, inside.height >= settings.leastAnnexedHeightPx {
                seen.hasAnnex = try hasAnnex(Box(place), isPlate: isPlate, among: candidates, in: frame)
            }
            sightings.append(seen)
        }
        latestTimes = Times(
            findMs: (found - start) * 1000, readMs: (MonotonicTime.now() - found) * 1000, readings: candidates.count)
        return Self.distinct(sightings)
    }

    /// Whether a plate under the sign at `box`, or over one that is a plate, says for whom or when it holds. A round sign under it is none.
    private func hasAnnex(
        _ box: Box, isPlate: Bool, among candidates: [SignFinder.Candidate], in frame: borrowing Frame
    ) throws -> Bool {
        let isOverAnother = candidates.contains { other in
            !other.isPlate && abs(other.x + other.width / 2 - box.midX) < 0.35 * box.width
                && (0.75...1.4).contains((other.y - box.y) / box.height) && (0.55...1.5).contains(other.height / box.height)
        }
        func looks(_ side: SignFinder.Side) throws -> Bool {
            try finder.hasAnnex(
                side, ofSignAt: box.x, box.y, width: box.width, height: box.height, isPlate: isPlate, in: frame)
        }
        if !isOverAnother, try looks(.below) { return true }
        return try isPlate && looks(.above)
    }

    private func sighting(_ reading: SignReading, at box: Box) -> SignSighting {
        let unit = reading.unit(onRoundSigns: settings.profile.roundUnit)
        let limit = reading.value.flatMap { value in unit.map { Speed(Double(value), $0) } }
        guard reading.score >= settings.leastScore, settings.profile.allows(reading.shape) else {
            return SignSighting(kind: .other, limit: nil, score: 1 - reading.score, box: box)
        }
        let kind: SignSighting.Kind =
            switch reading.kind {
            case .speedLimit: .limit
            case .endOfLimit: limit == nil ? .endOfAll : .endOfLimit
            case .other: .other
            }
        return SignSighting(kind: kind, limit: kind == .other ? nil : limit, score: reading.score, box: box)
    }

    /// Leaves out what lies within a larger sign that sets or ends a limit (a letter of a plate reads as a 5), and of two candidates of one
    /// sign the one less sure. What sets or ends a limit goes before other things.
    static func distinct(_ sightings: [SignSighting]) -> [SignSighting] {
        func rank(_ s: SignSighting) -> (Int, Double) { (s.kind == .other ? 0 : 1, s.score) }
        let sorted = sightings.enumerated().sorted {
            let (a, b) = (rank($0.element), rank($1.element))
            return a == b ? $0.offset < $1.offset : a > b
        }.map(\.element)
        let whole = sorted.filter { part in
            !sorted.contains { $0.kind != .other && $0.box.area > 5 * part.box.area && $0.box.coverage(of: part.box) > 0.7 }
        }
        return whole.reduce(into: []) { kept, next in
            let box = next.box
            if !kept.contains(where: { $0.box.iou(box) > 0.3 || $0.box.coverage(of: box) > 0.7 }) { kept.append(next) }
        }
    }
}

extension Box {
    fileprivate init(_ candidate: SignFinder.Candidate) {
        self.init(x: candidate.x, y: candidate.y, width: candidate.width, height: candidate.height)
    }

    /// Share of `other` that lies within this box.
    fileprivate func coverage(of other: Box) -> Double {
        let width = min(maxX, other.maxX) - max(x, other.x)
        let height = min(maxY, other.maxY) - max(y, other.y)
        return width > 0 && height > 0 ? width * height / other.area : 0
    }
}
