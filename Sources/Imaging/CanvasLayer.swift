import CVision

/// A picture with transparency: a sprite or a texture, painted once and drawn on many frames.
///
/// Painting is a function of its arguments: equal calls give equal pixels. One thread at a time.
public final class CanvasLayer {
    let handle: OpaquePointer
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int

    /// A transparent layer; sizes are 1...32768.
    public init(width: Int, height: Int) throws(ImagingError) {
        guard let handle = vision_layer_create(Int32(clamping: width), Int32(clamping: height)) else {
            throw ImagingError(VISION_BAD_ARGUMENT, "making a layer of \(width)x\(height)")
        }
        self.handle = handle
        self.width = width
        self.height = height
    }

    /// Takes over a handle that CVision made.
    init(adopting handle: OpaquePointer) {
        self.handle = handle
        width = Int(vision_layer_width(handle))
        height = Int(vision_layer_height(handle))
    }

    deinit { vision_layer_destroy(handle) }

    /// Fills a polygon; the colour runs from its upper end to its lower end, the edge is softened by a Gaussian of `softness` pixels.
    public func fill(
        _ points: [CanvasPoint], top: CanvasColour, bottom: CanvasColour? = nil, softness: Double = 0
    ) throws(ImagingError) {
        let corners = points.map(\.cValue)
        try ImagingError.check("painting a polygon") {
            vision_layer_polygon(handle, corners, Int32(corners.count), top.cValue, (bottom ?? top).cValue, softness, $0)
        }
    }

    /// Writes ASCII text with round strokes, its middle at `centre`, its capitals `capHeight` pixels tall.
    public func write(
        _ text: String, centre: CanvasPoint, capHeight: Double, stroke: Double, colour: CanvasColour
    ) throws(ImagingError) {
        try ImagingError.check("painting text") {
            vision_layer_text(handle, text, centre.x, centre.y, capHeight, stroke, colour.cValue, $0)
        }
    }

    /// Roughens the colours: each is multiplied by 1 ± `amplitude`, in smooth cells of the given size, seamless across the edges.
    public func grain(seed: UInt64, cellWidth: Double, cellHeight: Double, amplitude: Double) throws(ImagingError) {
        try ImagingError.check("roughening a layer") {
            vision_layer_grain(handle, seed, cellWidth, cellHeight, amplitude, $0)
        }
    }
}

extension CanvasLayer {
    /// A layer from a picture file; transparency is kept. Throws `.unreadable` or `.notFound`.
    public convenience init(contentsOf path: String) throws(ImagingError) {
        Silence.once
        let handle = try ImagingError.make("reading \(path)") { vision_layer_read(path, $0, $1) }
        self.init(adopting: handle)
    }

    /// Its size when drawn as large as fits into a square of the given side.
    public func fitted(into side: Double) -> (width: Double, height: Double) {
        let scale = side / Double(max(width, height))
        return (Double(width) * scale, Double(height) * scale)
    }
}
