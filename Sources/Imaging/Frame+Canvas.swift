import CVision

extension Frame {
    /// A black picture with three channels, to be drawn on.
    public static func black(width: Int, height: Int) throws(ImagingError) -> Frame {
        guard let frame = Frame(width: width, height: height) else {
            throw ImagingError(VISION_BAD_ARGUMENT, "making a frame of \(width)x\(height)")
        }
        return frame
    }

    /// A second picture with the same samples.
    public func copied() throws(ImagingError) -> Frame {
        guard let frame = copy() else { throw ImagingError(VISION_OUT_OF_MEMORY, "copying a frame") }
        return frame
    }

    /// Draws the whole of `layer` into four corners: top left, top right, bottom right, bottom left. `haze` covers it by its alpha.
    public mutating func draw(
        _ layer: CanvasLayer, corners: [CanvasPoint], haze: CanvasColour = .grey(0, alpha: 0)
    ) throws(ImagingError) {
        guard corners.count == 4 else { throw ImagingError(VISION_BAD_ARGUMENT, "drawing a layer into \(corners.count) corners") }
        let (image, points) = (handle, corners.map(\.cValue))
        try ImagingError.check("drawing a layer") { vision_canvas_draw(image, layer.handle, points, haze.cValue, $0) }
    }

    /// Fills a polygon.
    public mutating func fill(_ points: [CanvasPoint], _ colour: CanvasColour) throws(ImagingError) {
        let (image, corners) = (handle, points.map(\.cValue))
        try ImagingError.check("drawing a polygon") {
            vision_canvas_polygon(image, corners, Int32(corners.count), colour.cValue, $0)
        }
    }

    /// Softens the picture by a Gaussian of `sigma` pixels.
    public mutating func blur(sigma: Double) throws(ImagingError) {
        let image = handle
        try ImagingError.check("softening a frame") { vision_canvas_blur(image, sigma, $0) }
    }

    /// Fills the picture with normal noise of `sigma` about 128; a function of the seed alone.
    public mutating func fillWithNoise(seed: UInt64, sigma: Double) throws(ImagingError) {
        let image = handle
        try ImagingError.check("making noise") { vision_canvas_fill_noise(image, seed, sigma, $0) }
    }

    /// Adds the part of `noise` (made by `fillWithNoise`) that begins at `x`, `y`; it must be that much larger than this frame.
    public mutating func addNoise(_ noise: borrowing Frame, x: Int, y: Int) throws(ImagingError) {
        let (image, other) = (handle, noise.handle)
        try ImagingError.check("adding noise") {
            vision_canvas_add_noise(image, other, Int32(clamping: x), Int32(clamping: y), $0)
        }
    }
}
