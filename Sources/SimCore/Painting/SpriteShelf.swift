import FleetModel
import Imaging

/// Keeps the sprites of a drive: each is painted when it is first needed.
final class SpriteShelf {
    /// Which picture of which thing.
    enum Key: Hashable {
        case carRear(paint: Int, braking: Bool)
        case carFront(paint: Int)
        case carBody(paint: Int)
        case carGlasshouse(paint: Int)
        case lorryRear(paint: Int, braking: Bool)
        case lorryFront(paint: Int)
        case lorrySide(paint: Int)
        case person(clothes: Int, phase: Int)
        case sign(SignFace)
        case shadow
    }

    private var sprites: [Key: SpriteBrush] = [:]

    /// The sprite of `key`.
    func sprite(_ key: Key) throws(ImagingError) -> SpriteBrush {
        if let sprite = sprites[key] { return sprite }
        let sprite = try Self.paint(key)
        sprites[key] = sprite
        return sprite
    }

    private static func paint(_ key: Key) throws(ImagingError) -> SpriteBrush {
        switch key {
        case .carRear(let paint, let braking): try CarFacePainter.rear(VehiclePaint.colour(paint), braking: braking)
        case .carFront(let paint): try CarFacePainter.front(VehiclePaint.colour(paint))
        case .carBody(let paint): try CarSidePainter.body(VehiclePaint.colour(paint))
        case .carGlasshouse(let paint): try CarSidePainter.glasshouse(VehiclePaint.colour(paint))
        case .lorryRear(let paint, let braking): try LorryPainter.rear(VehiclePaint.colour(paint), braking: braking)
        case .lorryFront(let paint): try LorryPainter.front(VehiclePaint.colour(paint))
        case .lorrySide(let paint): try LorryPainter.side(VehiclePaint.colour(paint))
        case .person(let clothes, let phase): try PersonPainter.sprite(clothes: clothes, phase: phase)
        case .sign(let face): try SignPainter.sprite(face)
        case .shadow: try shadow()
        }
    }

    /// The shadow that a thing of 1 m by 1 m throws on the road under a bright sky; stretched to its size.
    private static func shadow() throws(ImagingError) -> SpriteBrush {
        let brush = try SpriteBrush(x: -0.7...0.7, y: -0.7...0.7, scale: 100)
        try brush.rectangle(-0.5, -0.5, 0.5, 0.5, .grey(16, alpha: 0.72), softness: 0.05, corner: 0.08)
        return brush
    }
}
