import CVision

/// What one look at a whole picture tells.
public struct PictureLook: Hashable, Sendable {
    /// Mean grey level, 0...255.
    public var mean: Double
    /// Share of 16 × 9 tiles without structure, 0...1.
    public var flatShare: Double
    /// Gradient energy at fine over that at a quarter of the size, per real length: 1 when all is smooth, 3 and more when sharp.
    public var sharpness: Double
}

/// How a whole picture moved from one to the next.
public struct PictureDrift: Hashable, Sendable {
    /// Corners that were followed and moved.
    public var moving: Int
    /// Share of these that move away from the focus, 0...1.
    public var expanding: Double
    /// The focus of expansion, relative to the frame: 0...1 is inside.
    public var focusX: Double
    public var focusY: Double
}

extension Frame {
    /// A number that equal pictures share and others hardly ever.
    public var digest: UInt64 { vision_inspect_digest(handle) }

    /// Looks at the whole picture; it must be at least 16 × 9 pixels.
    public func look() throws(ImagingError) -> PictureLook {
        var look = vision_look()
        try ImagingError.check("looking at a frame") { vision_inspect(handle, &look, $0) }
        return PictureLook(mean: look.mean, flatShare: look.flat_share, sharpness: look.sharpness)
    }

    /// How the picture moved since `before`; nil when too little can be followed, or hardly anything moves.
    public func drift(since before: borrowing Frame) throws(ImagingError) -> PictureDrift? {
        var drift = vision_drift()
        var error = vision_error()
        switch vision_inspect_drift(before.handle, handle, &drift, &error) {
        case VISION_OK:
            return PictureDrift(
                moving: Int(drift.moving), expanding: drift.expanding, focusX: drift.focus_x, focusY: drift.focus_y)
        case VISION_NOT_FOUND: return nil
        case let status: throw ImagingError(status, "following the picture", error)
        }
    }

    /// Parts that may be number plates, pixels; at most 64. Other rows of writing are found as well.
    public func plateCandidates() throws(ImagingError) -> [PictureRectangle] {
        var found = [vision_rectangle](repeating: vision_rectangle(), count: 64)
        var count = 0
        try ImagingError.check("looking for number plates") { error in
            found.withUnsafeMutableBufferPointer { buffer in
                buffer.baseAddress.map { vision_find_plates(handle, $0, buffer.count, &count, error) } ?? VISION_BAD_ARGUMENT
            }
        }
        return found.prefix(count).map { PictureRectangle(x: $0.x, y: $0.y, width: $0.width, height: $0.height) }
    }
}

/// A part of a picture: pixels, from the top left corner.
public struct PictureRectangle: Hashable, Sendable {
    /// Left edge.
    public var x: Double
    /// Upper edge.
    public var y: Double
    /// Extent to the right.
    public var width: Double
    /// Extent downwards.
    public var height: Double

    /// A part whose top left corner is at `x`, `y`.
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
}
