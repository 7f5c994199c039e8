import CVision

/// A frame in grey at halving sizes, made once for all templates that are looked for in it. One thread at a time.
public final class GreyPyramid {
    fileprivate let handle: OpaquePointer

    /// The pyramid of `frame`.
    public init(_ frame: borrowing Frame) throws(ImagingError) {
        let image = frame.handle
        handle = try ImagingError.make("preparing a frame for templates") { vision_pyramid_create(image, $0, $1) }
    }

    deinit { vision_pyramid_destroy(handle) }
}

/// A picture that is looked for in frames, by normalised cross-correlation over place, scale and angle. One thread at a time.
public final class LandmarkTemplate {
    /// Sizes and angles at which it is looked for.
    public struct Range: Hashable, Sendable {
        /// Smallest size in the frame over the picture's own size.
        public var smallest: Double
        /// Largest size in the frame over the picture's own size.
        public var largest: Double
        /// Degrees that it may be turned, either way.
        public var angleDeg: Double

        /// Half to twice the size, turned by up to 8 degrees.
        public init(smallest: Double = 0.5, largest: Double = 2, angleDeg: Double = 8) {
            (self.smallest, self.largest, self.angleDeg) = (smallest, largest, angleDeg)
        }
    }

    /// Where and how well it was found.
    public struct Sighting: Hashable, Sendable {
        /// Normalised correlation, -1...1.
        public var score: Double
        /// The upright rectangle around it, pixels; may reach beyond the frame.
        public var box: PictureRectangle
        /// Its size over the picture's own.
        public var scale: Double
        /// Degrees that it is turned clockwise.
        public var angleDeg: Double
    }

    private let handle: OpaquePointer

    /// Prepares `picture`. Throws `.badArgument` when it is smaller than 16 pixels or shows nothing; the detail says which.
    public init(_ picture: borrowing Frame, range: Range = Range()) throws(ImagingError) {
        let image = picture.handle
        let limits = vision_landmark_range(smallest: range.smallest, largest: range.largest, angle_deg: range.angleDeg)
        handle = try ImagingError.make("preparing a template") { vision_landmark_create(image, limits, $0, $1) }
    }

    deinit { vision_landmark_destroy(handle) }

    /// The best place in `pyramid`; nil when none reaches `leastScore`.
    ///
    /// Looks where it was found last and, unless `thoroughly`, at a third of the sizes and angles, another third at every call: three calls
    /// make a whole search. In a frame of 1280 pixels what is smaller than about 30 pixels is not found.
    public func find(in pyramid: GreyPyramid, leastScore: Double, thoroughly: Bool = false) throws(ImagingError) -> Sighting? {
        var found = vision_sighting()
        var error = vision_error()
        switch vision_landmark_find(handle, pyramid.handle, leastScore, thoroughly ? 1 : 0, &found, &error) {
        case VISION_OK:
            let box = PictureRectangle(x: found.box.x, y: found.box.y, width: found.box.width, height: found.box.height)
            return Sighting(score: found.score, box: box, scale: found.scale, angleDeg: found.angle_deg)
        case VISION_NOT_FOUND: return nil
        case let status: throw ImagingError(status, "looking for a template", error)
        }
    }
}
