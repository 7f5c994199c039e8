import FleetModel

/// Width and height of the frames that boxes are measured in, in pixels.
public struct FrameSize: Hashable, Sendable {
    public var width: Double
    public var height: Double

    /// A frame of `width` × `height` pixels.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// `box` (pixels) relative to the frame (0...1), as the wire has it.
    public func relative(_ box: Box) -> Box { box.scaled(x: 1 / width, y: 1 / height) }

    /// By how many pixels the size of a small thing's box is off (1 standard deviation): a detector looks at a picture of some 400 pixels
    /// across, and half of such a pixel is what is left. Measured on 2,700 boxes of 8 to 48 pixels in drawn drives 640 pixels wide: 0.5 to
    /// 0.8 pixels.
    public var boxErrorPx: Double { 0.0012 * width }

    /// Which edges of the frame cut `box`: within 0.5 % of the frame of the edge, at least 2 pixels.
    public func cuts(_ box: Box) -> CutEdges {
        let (marginX, marginY) = (max(2, 0.005 * width), max(2, 0.005 * height))
        var edges: CutEdges = []
        if box.x <= marginX || box.maxX >= width - marginX { edges.insert(.side) }
        if box.y <= marginY { edges.insert(.top) }
        if box.maxY >= height - marginY { edges.insert(.bottom) }
        return edges
    }
}

/// The edges of the frame at which a box ends because the frame does.
public struct CutEdges: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let side = CutEdges(rawValue: 1)
    public static let top = CutEdges(rawValue: 2)
    public static let bottom = CutEdges(rawValue: 4)
}
