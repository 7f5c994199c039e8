/// An upright rectangle: top left corner, width and height; on the wire `[x, y, w, h]`.
///
/// In files and `--tracks` the unit is the pixel of the full frame; on the wire it is relative to the frame (0...1).
public struct Box: Hashable, Sendable {
    /// Left edge.
    public var x: Double
    /// Upper edge (y grows downwards).
    public var y: Double
    /// Extent to the right.
    public var width: Double
    /// Extent downwards.
    public var height: Double

    /// A box from its top left corner and its size.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Right edge.
    public var maxX: Double { x + width }
    /// Lower edge.
    public var maxY: Double { y + height }
    /// Horizontal middle.
    public var midX: Double { x + width / 2 }
    /// Vertical middle.
    public var midY: Double { y + height / 2 }
    /// Width × height; 0 for an empty box.
    public var area: Double { max(0, width) * max(0, height) }

    /// Whether all four numbers are: comparing with one that is not gives anything.
    private var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }

    /// Intersection over union with `other`, 0...1.
    public func iou(_ other: Box) -> Double {
        let w = min(maxX, other.maxX) - max(x, other.x)
        let h = min(maxY, other.maxY) - max(y, other.y)
        guard w > 0, h > 0, isFinite, other.isFinite else { return 0 }
        return w * h / (area + other.area - w * h)
    }

    /// The part of the box that lies within a frame of `width` × `height`; nil when nothing does.
    public func clipped(width frameWidth: Double, height frameHeight: Double) -> Box? {
        let left = max(0, x)
        let top = max(0, y)
        let right = min(frameWidth, maxX)
        let bottom = min(frameHeight, maxY)
        guard right > left, bottom > top, isFinite else { return nil }
        return Box(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The box in other units: every number multiplied by the factor of its axis.
    public func scaled(x factorX: Double, y factorY: Double) -> Box {
        Box(x: x * factorX, y: y * factorY, width: width * factorX, height: height * factorY)
    }
}

extension Box: Codable {
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        x = try container.decode(Double.self)
        y = try container.decode(Double.self)
        width = try container.decode(Double.self)
        height = try container.decode(Double.self)
        guard container.isAtEnd, [x, y, width, height].allSatisfy(\.isFinite) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a box is [x, y, width, height]")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in [x, y, width, height] { try container.encode(value.rounded(toPlaces: 4)) }
    }
}
