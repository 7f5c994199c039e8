import FleetModel
import Imaging

/// Paints speed-limit signs (Vienna Convention C,14: white disc, red ring, black number) on their posts.
enum SignPainter {
    /// Diameter inside built-up areas (German VwV-StVO, size 2), m.
    static let diameterM = 0.60
    /// Middle of the disc above the road, m.
    static let centreM = 2.30

    /// The disc as the camera sees it, not cut to the frame; nil when it is not ahead.
    static func plate(of sign: WorldSnapshot.Sign, camera: PinholeCamera) -> Box? {
        guard sign.distanceM >= PinholeCamera.nearestM else { return nil }
        let r = diameterM / 2
        let corner = camera.project(xM: sign.lateralM - r, yM: centreM + r, zM: sign.distanceM)
        let size = diameterM * camera.focalLengthPx / sign.distanceM
        return Box(x: corner.x, y: corner.y, width: size, height: size)
    }

    static func sprite(_ limit: Speed) throws(ImagingError) -> SpriteBrush {
        let brush = try SpriteBrush(x: -0.4...0.4, y: -0.05...2.7, scale: 200)
        let r = diameterM / 2
        try brush.rectangle(-0.03, 0, 0.03, centreM, .grey(150), to: .grey(120), corner: 0.01)
        try brush.ellipse(
            (0, centreM), r, r, CanvasColour(red: 200, green: 25, blue: 35), to: CanvasColour(red: 180, green: 20, blue: 30))
        try brush.ellipse((0, centreM), r * 0.78, r * 0.78, .grey(245), to: .grey(228))
        let text = String(Int(limit.value))
        let centre = CanvasPoint(x: (0 - brush.left) * brush.scale, y: (brush.top - centreM) * brush.scale)
        let height = text.count > 2 ? 0.19 : 0.25
        try brush.layer.write(
            text, centre: centre, capHeight: height * brush.scale, stroke: 0.042 * brush.scale, colour: .grey(20))
        return brush
    }
}
