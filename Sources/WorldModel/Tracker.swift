import FleetModel

/// Turns the detections of one frame after the other into tracks with stable numbers.
///
/// Plain value, no clock: the same detections and times give the same tracks. Frames may come at any rate; all patience is in
/// seconds. Confident detections are matched first, then the weak ones to what is left of the tracks (ByteTrack, Zhang et al.
/// 2022): a weak detection keeps a track alive but never begins one.
public struct Tracker: Hashable, Sendable {
    /// Numbers of the tracker.
    public struct Settings: Hashable, Sendable {
        /// Confidence from which a detection may begin a track.
        public var birthScore = 0.45
        /// Smallest overlap (IoU, less a penalty for another class) at which a detection can be a track's.
        public var leastLikeness = 0.25
        /// A track is believed after this many detections ...
        public var confirmHits = 3
        /// ... and after this time, in s: the third frame at 10 Hz, the sixth at 30 Hz.
        public var confirmAfterS = 0.165
        /// An unbelieved track ends after this long without a detection, in s: two frames at 10 Hz.
        public var tentativePatienceS = 0.22
        /// A believed track ends after this long without a detection, in s: rain and night hide a car for some frames, not longer.
        public var patienceS = 0.8
        /// A detection covered by this share by a nearer one of its kind begins no track: a double, or hidden behind it.
        public var coveredShare = 0.8
        /// A track's own growth filter.
        public var approach = TimeToCollisionEstimator.Settings()

        public init() {}
    }

    private let settings: Settings
    private let frame: FrameSize
    private var tracks: [Track] = []
    private var lastID = 0
    private var timeS: Double?

    /// A tracker for frames of size `frame`.
    public init(frame: FrameSize, settings: Settings = Settings()) {
        self.frame = frame
        self.settings = settings
    }

    /// The tracks that are believed, in the order of their numbers.
    public var confirmed: [Track] { tracks.filter(\.isConfirmed) }
    /// All tracks, also those seen too shortly to be believed, in the order of their numbers.
    public var all: [Track] { tracks }

    /// Takes in the detections of the frame at `timeS`, and what the image says about the motion of tracks (by number) since the
    /// frame before. Returns the believed tracks. A time that does not grow counts as no time passed.
    @discardableResult
    public mutating func update(_ detections: [Detection], motions: [Int: ImageMotion] = [:], atS now: Double) -> [Track] {
        let elapsed = max(0, now - (timeS ?? now))
        timeS = max(now, timeS ?? now)
        let usable = detections.filter { $0.box.width >= 1 && $0.box.height >= 1 && $0.score.isFinite }
        for i in tracks.indices { tracks[i].predict(seconds: elapsed, motion: motions[tracks[i].id]) }
        let unmatched = match(usable, atS: now)
        end(atS: now)
        begin(unmatched, atS: now)
        return confirmed
    }

    /// Hands detections to the tracks they belong to; returns the confident ones that belong to none.
    private mutating func match(_ detections: [Detection], atS now: Double) -> [Detection] {
        let confident = detections.filter { $0.score >= settings.birthScore }
        let weak = detections.filter { $0.score < settings.birthScore }
        let first = Association.pairs(tracks: tracks, detections: confident, leastLikeness: settings.leastLikeness)
        for pair in first { tracks[pair.track].observe(confident[pair.detection], frame: frame, atS: now) }

        let open = tracks.indices.filter { i in !first.contains { $0.track == i } }
        let second = Association.pairs(tracks: open.map { tracks[$0] }, detections: weak, leastLikeness: settings.leastLikeness)
        for pair in second { tracks[open[pair.track]].observe(weak[pair.detection], frame: frame, atS: now) }

        for i in tracks.indices where !tracks[i].isConfirmed {
            tracks[i].isConfirmed =
                tracks[i].hits >= settings.confirmHits && now - tracks[i].firstSeenS >= settings.confirmAfterS - 1e-9
        }
        let taken = Set(first.map(\.detection))
        return confident.indices.filter { !taken.contains($0) }.map { confident[$0] }
    }

    private mutating func end(atS now: Double) {
        tracks.removeAll { track in
            let patience = track.isConfirmed ? settings.patienceS : settings.tentativePatienceS
            return now - track.lastSeenS > patience + 1e-9
                || track.box.clipped(width: frame.width, height: frame.height) == nil
        }
    }

    private mutating func begin(_ detections: [Detection], atS now: Double) {
        for detection in detections where !isCovered(detection) {
            lastID += 1
            tracks.append(Track(id: lastID, detection: detection, frame: frame, atS: now, approach: settings.approach))
        }
    }

    /// Whether a track of the same kind, reaching at least as far down (so: at least as near), covers the detection.
    private func isCovered(_ detection: Detection) -> Bool {
        tracks.contains { track in
            let box = track.box
            guard Association.penalty(track.roadUser, detection.roadUser) != nil,
                box.maxY >= detection.box.maxY - 0.1 * detection.box.height
            else { return false }
            return box.coverage(of: detection.box) >= settings.coveredShare
        }
    }
}

extension Box {
    /// The share of `other` that lies within this box, 0...1.
    func coverage(of other: Box) -> Double {
        let w = min(maxX, other.maxX) - max(x, other.x)
        let h = min(maxY, other.maxY) - max(y, other.y)
        guard w > 0, h > 0, other.area > 0 else { return 0 }
        return w * h / other.area
    }
}
