import FleetModel
import FleetRuntime
import Imaging

/// Finds and reads the speed signs of a frame: candidates by colour and shape, the best of them read. Belongs to one thread at a time.
public struct SignDetector {
    /// Numbers that can be changed.
    public struct Settings: Hashable, Sendable {
        /// What the country's signs look like.
        public var profile = SignProfile.anywhere
        /// Candidates of each shape that are read in a frame, best first: bounds the time.
        public var mostRead = 6
        /// Smaller signs are left alone, in pixels of the frame.
        public var leastHeightPx = 14.0
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

    /// The signs in `frame` (three channels) that set or end a limit, surest first. Throws `ImagingError` or `ModelOutputError`.
    public mutating func detect(in frame: borrowing Frame) throws -> [SignSighting] {
        let start = MonotonicTime.now()
        // What stands on end is a phone's picture, not a windscreen's: its horizon may be anywhere.
        let isUpright = frame.height > frame.width
        let candidates = try finder.candidates(
            in: frame, rounds: settings.profile.hasRoundSigns ? settings.mostRead : 0,
            plates: settings.profile.hasPlates ? settings.mostRead : 0, leastHeight: settings.leastHeightPx,
            rows: isUpright ? 1 : settings.searchedRows)
        let found = MonotonicTime.now()
        var sightings: [SignSighting] = []
        for candidate in candidates {
            let box = Box(x: candidate.x, y: candidate.y, width: candidate.width, height: candidate.height)
            guard let reading = try reader.read(in: frame, at: box), reading.kind != .other,
                settings.profile.allows(reading.shape),
                let inside = box.clipped(width: Double(frame.width), height: Double(frame.height))
            else { continue }
            let unit = reading.unit(onRoundSigns: settings.profile.roundUnit)
            let limit = reading.value.flatMap { value in unit.map { Speed(Double(value), $0) } }
            sightings.append(SignSighting(reading: reading, limit: limit, box: inside))
        }
        latestTimes = Times(
            findMs: (found - start) * 1000, readMs: (MonotonicTime.now() - found) * 1000, readings: candidates.count)
        return Self.distinct(sightings)
    }

    /// Leaves out what overlaps a surer sighting: two candidates of one sign.
    static func distinct(_ sightings: [SignSighting]) -> [SignSighting] {
        let sorted = sightings.enumerated().sorted { ($1.element.reading.score, $0.offset) < ($0.element.reading.score, $1.offset) }
        return sorted.reduce(into: []) { kept, next in
            if !kept.contains(where: { $0.box.iou(next.element.box) > 0.3 || $0.box.coverage(of: next.element.box) > 0.7 }) {
                kept.append(next.element)
            }
        }
    }
}

extension Box {
    /// Share of `other` that lies within this box.
    fileprivate func coverage(of other: Box) -> Double {
        let width = min(maxX, other.maxX) - max(x, other.x)
        let height = min(maxY, other.maxY) - max(y, other.y)
        return width > 0 && height > 0 ? width * height / other.area : 0
    }
}
