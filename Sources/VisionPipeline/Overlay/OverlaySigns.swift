import FleetModel
import FleetRuntime
import Imaging

/// The signs that stand for open alerts in a picture: painted ones, or the user's own pictures. One thread at a time.
public struct OverlaySigns {
    private var own: [AlertKind: CanvasLayer] = [:]
    private let danger: CanvasLayer?
    private let distance: CanvasLayer?
    /// Side of the painted signs in pixels; they are drawn smaller.
    private static let side = 256.0

    /// Own pictures (PNG with or without transparency, JPEG) by kind. Throws `UserError` that names the one that cannot be read.
    public init(images: [AlertKind: String] = [:]) throws {
        for (kind, path) in images {
            do throws(ImagingError) { own[kind] = try CanvasLayer(contentsOf: path) } catch {
                throw UserError(.configuration, "overlay.images.\(kind.rawValue): \(path): \(error.detail)")
            }
        }
        danger = try? Self.triangle { (layer: CanvasLayer) throws(ImagingError) in
            let ink = CanvasColour.grey(16)
            try layer.fill(Self.rectangle(118, 96, 138, 168), top: ink)
            try layer.fill(Self.rectangle(118, 180, 138, 200), top: ink)
        }
        distance = try? Self.triangle { (layer: CanvasLayer) throws(ImagingError) in
            let ink = CanvasColour.grey(16)
            try layer.fill(Self.rectangle(110, 104, 146, 132), top: ink)
            try layer.fill(Self.rectangle(100, 172, 156, 204), top: ink)
        }
    }

    /// The sign of `alert`; nil for a kind that has none, and for a limit, which is painted with its number.
    func layer(for alert: Alert) -> CanvasLayer? {
        if let layer = own[alert.kind] { return layer }
        switch alert.kind {
        case .collision: return danger
        case .headway: return distance
        case .overspeed, .landmark: return nil
        }
    }

    /// The warning triangle with a red rim (Vienna Convention, sign A), its symbol by `paint`.
    private static func triangle(_ paint: (CanvasLayer) throws(ImagingError) -> Void) throws(ImagingError) -> CanvasLayer {
        let layer = try CanvasLayer(width: Int(side), height: Int(side))
        func corners(_ inset: Double) -> [CanvasPoint] {
            [
                CanvasPoint(x: 128, y: 16 + 2 * inset), CanvasPoint(x: 248 - 1.73 * inset, y: 232 - inset),
                CanvasPoint(x: 8 + 1.73 * inset, y: 232 - inset),
            ]
        }
        try layer.fill(corners(0), top: CanvasColour.grey(255))
        try layer.fill(corners(5), top: CanvasColour(red: 200, green: 16, blue: 32))
        try layer.fill(corners(24), top: CanvasColour.grey(255))
        try paint(layer)
        return layer
    }

    private static func rectangle(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> [CanvasPoint] {
        [(left, top), (right, top), (right, bottom), (left, bottom)].map { CanvasPoint(x: $0.0, y: $0.1) }
    }
}
