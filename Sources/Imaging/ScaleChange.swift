import CVision

/// Measures how the picture of a thing grows and moves from one frame to the next, from the picture itself.
///
/// Corners inside the thing's box are followed with sub-pixel precision; the detector's box only says where to look. An object
/// keeps the last frame in grey and belongs to one thread at a time.
public final class ScaleChange {
    /// What was measured inside one box.
    public struct Measurement: Hashable, Sendable {
        /// Natural logarithm of size now over size before.
        public var logScale: Double
        /// Its standard deviation, from the scatter of the corners about the fit.
        public var logScaleSd: Double
        /// Movement of the box's centre in pixels, right and down.
        public var shiftX: Double
        public var shiftY: Double
        /// Time between the two pictures in s.
        public var intervalS: Double
        /// Corners that were followed, and how many of these agree with the fit.
        public var followed: Int
        public var inliers: Int
    }

    private let handle: OpaquePointer
    /// Times of the latest frames that were taken, oldest first, and whether a repetition came between each and the one before.
    private var taken: [(timeS: Double, afterRepetition: Bool)] = []
    private var repetition = false
    private var isCurrent = false
    private var fieldTimeS: Double?

    /// Enough to span one cycle of 25 pictures in 30 frames.
    private static let longestCycle = 6

    /// Nil when memory is short.
    public init?() {
        guard let handle = vision_motion_create() else { return nil }
        self.handle = handle
    }

    deinit { vision_motion_destroy(handle) }

    /// Offers the frame taken at `timeS`. False when it repeats the last one (a 25 Hz film in a 30 Hz file) or does not come later:
    /// then nothing can be measured, and the next measurement is from the last picture that was taken.
    public func offer(_ frame: borrowing Frame, atS timeS: Double) throws(ImagingError) -> Bool {
        isCurrent = false
        if let last = taken.last, timeS <= last.timeS { return false }
        var repeated: Int32 = 0
        let image = frame.handle
        try ImagingError.check("measuring motion") { vision_motion_offer(handle, image, &repeated, $0) }
        guard repeated == 0 else {
            repetition = true
            return false
        }
        taken.append((timeS, repetition))
        if taken.count > Self.longestCycle { taken.removeFirst() }
        repetition = false
        isCurrent = true
        return true
    }

    /// Time between the last two pictures. Where frames repeat, the pictures were taken more evenly than their times say: then it
    /// is the mean over a cycle.
    private var intervalS: Double? {
        guard taken.count >= 2, let first = taken.first, let last = taken.last else { return nil }
        if taken.dropFirst().contains(where: \.afterRepetition) {
            return (last.timeS - first.timeS) / Double(taken.count - 1)
        }
        return last.timeS - taken[taken.count - 2].timeS
    }

    /// A part of a frame, pixels.
    public struct Rectangle: Hashable, Sendable {
        var x, y, width, height: Double
        /// A part whose upper left corner is at `x`, `y`.
        public init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
        fileprivate var raw: vision_rectangle { vision_rectangle(x: x, y: y, width: width, height: height) }
    }

    /// What happened inside `box` of the frame before; nil when too little can be followed there. What lies in `covers` is left
    /// out: something nearer is in front of the thing there, and moves otherwise.
    public func measure(_ box: Rectangle, covers: [Rectangle] = []) -> Measurement? {
        guard isCurrent, let intervalS else { return nil }
        var motion = vision_motion()
        let raw = covers.map(\.raw)
        guard vision_motion_measure(handle, box.raw, raw, raw.count, &motion, nil) == VISION_OK else { return nil }
        return Measurement(
            logScale: motion.log_scale, logScaleSd: motion.log_scale_sd, shiftX: motion.shift_x, shiftY: motion.shift_y,
            intervalS: intervalS, followed: Int(motion.followed), inliers: Int(motion.inliers))
    }

    /// How one point of the scene moved in the picture: where it was and how far it went, in pixels, right and down.
    public struct Flow: Hashable, Sendable {
        public var x: Double
        public var y: Double
        public var dx: Double
        public var dy: Double
    }

    /// The most flows of one field; the grid of corners gives no more.
    private static let mostFlows = 256

    /// How points all over the frame moved since the frame of the last call, and in what time; nil for the first call and where
    /// nothing could be followed. Points in `covers` (things that move by themselves) are left out. Cheap enough for 10 Hz.
    public func field(covers: [Rectangle]) -> (flows: [Flow], intervalS: Double)? {
        guard isCurrent, let now = taken.last?.timeS else { return nil }
        defer { fieldTimeS = now }
        let raw = covers.map(\.raw)
        var found = 0
        let flows = [vision_flow](unsafeUninitializedCapacity: Self.mostFlows) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            let status = vision_motion_field(handle, raw, raw.count, base, Self.mostFlows, &found, nil)
            count = status == VISION_OK ? found : 0
        }
        guard let before = fieldTimeS, now > before, !flows.isEmpty else { return nil }
        return (flows.map { Flow(x: $0.x, y: $0.y, dx: $0.dx, dy: $0.dy) }, now - before)
    }
}
