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
        /// Time between the two frames in s.
        public var intervalS: Double
        /// Corners that were followed, and how many of these agree with the fit.
        public var followed: Int
        public var inliers: Int
    }

    private let handle: OpaquePointer
    private var beforeS: Double?
    private var nowS: Double?
    private var isCurrent = false

    /// Nil when memory is short.
    public init?() {
        guard let handle = vision_motion_create() else { return nil }
        self.handle = handle
    }

    deinit { vision_motion_destroy(handle) }

    /// Offers the frame taken at `timeS`. False when it repeats the last one (a 25 Hz film in a 30 Hz file) or does not come later:
    /// then nothing can be measured, and the next measurement spans the time since the frame that was taken.
    public func offer(_ frame: borrowing Frame, atS timeS: Double) throws(ImagingError) -> Bool {
        isCurrent = false
        if let nowS, timeS <= nowS { return false }
        var repeated: Int32 = 0
        let image = frame.handle
        try ImagingError.check("measuring motion") { vision_motion_offer(handle, image, &repeated, $0) }
        guard repeated == 0 else { return false }
        beforeS = nowS
        nowS = timeS
        isCurrent = true
        return true
    }

    /// What happened inside the box (pixels) of the frame before; nil when too little can be followed there.
    public func measure(x: Double, y: Double, width: Double, height: Double) -> Measurement? {
        guard isCurrent, let beforeS, let nowS else { return nil }
        var motion = vision_motion()
        guard vision_motion_measure(handle, x, y, width, height, &motion, nil) == VISION_OK else { return nil }
        return Measurement(
            logScale: motion.log_scale, logScaleSd: motion.log_scale_sd, shiftX: motion.shift_x, shiftY: motion.shift_y,
            intervalS: nowS - beforeS, followed: Int(motion.followed), inliers: Int(motion.inliers))
    }
}
