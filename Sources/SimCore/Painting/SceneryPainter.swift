import FleetRuntime
import Foundation
import Imaging

/// Paints sky, road and what lines it.
final class SceneryPainter {
    /// Colour of far things in the haze, and of the sky at the horizon.
    static let haze = CanvasColour(red: 206, green: 212, blue: 218)
    /// At this distance 63 % of a thing's colour is haze's, m.
    static let hazeLengthM = 330.0

    private let ground: TexturedPlane
    private let fronts: [TexturedPlane]
    private let backdrop: Frame
    /// The same as a layer, for a bend: there the far things move across the picture.
    private let farAway: CanvasLayer
    private let curvaturePerM: Double
    let camera: PinholeCamera

    init(camera: PinholeCamera, seed: UInt64, curvaturePerM: Double = 0) throws(ImagingError) {
        self.camera = camera
        self.curvaturePerM = curvaturePerM
        let view = TexturedPlane.View(
            width: camera.width, height: camera.height, focalLengthPx: camera.focalLengthPx, principalPoint: camera.principalPoint,
            heightM: camera.heightM, curvaturePerM: curvaturePerM)
        let textures = StreetTextures(seed: seed)
        ground = try TexturedPlane(
            .ground(from: Street.leftFrontM, to: Street.rightFrontM), texture: textures.ground(),
            lengthM: StreetTextures.groundLengthM,
            hazeLengthM: Self.hazeLengthM, view: view)
        var planes: [TexturedPlane] = []
        for (side, offset) in [Street.leftFrontM, Street.rightFrontM].enumerated() {
            planes.append(
                try TexturedPlane(
                    .wall(offsetM: offset, topM: StreetTextures.frontTopM), texture: textures.fronts(side: UInt64(side)),
                    lengthM: StreetTextures.frontLengthM, hazeLengthM: Self.hazeLengthM, view: view))
        }
        // The side towards which the road bends is nearer wherever both are seen: it is painted last.
        fronts = curvaturePerM < 0 ? planes.reversed() : planes
        farAway = try Self.paintBackdrop(camera, seed)
        var frame = try Frame.black(width: camera.width, height: camera.height)
        try Self.draw(farAway, at: 0, on: &frame)
        backdrop = frame
    }

    /// A new frame with everything that does not move by itself, as seen after `travelledM` of road.
    func frame(travelledM: Double) throws(ImagingError) -> Frame {
        var frame = try backdrop.copied()
        if curvaturePerM != 0 { try turnBackdrop(on: &frame, travelledM: travelledM) }
        try ground.draw(on: &frame, travelledM: travelledM, haze: Self.haze)
        // The two sides start at different houses.
        for (side, front) in fronts.enumerated() {
            try front.draw(on: &frame, travelledM: travelledM + 61 * Double(curvaturePerM < 0 ? 1 - side : side), haze: Self.haze)
        }
        return frame
    }

    /// A crossing for persons (StVO sign 293): bars 0.5 m wide, 0.5 m apart, 4 m long, from kerb to kerb.
    func paintCrossing(on frame: inout Frame, distanceM: Double) throws(ImagingError) {
        let (near, far) = (max(distanceM, PinholeCamera.nearestM), distanceM + 4)
        guard far > near, near < 150 else { return }
        let paint = CanvasColour(red: 220, green: 220, blue: 216, alpha: 0.88).mixed(
            with: Self.haze.withAlpha(0.88), share: Self.hazeShare(near))
        for left in stride(from: Street.leftKerbM + 0.3, to: Street.rightKerbM - 0.5, by: 1.0) {
            let corners = [(left, far), (left + 0.5, far), (left + 0.5, near), (left, near)]
            try frame.fill(corners.map { camera.project(xM: $0.0, yM: 0, zM: $0.1) }, paint)
        }
    }

    /// The share of haze at a distance, after Beer and Lambert.
    static func hazeShare(_ distanceM: Double) -> Double { 1 - exp(-distanceM / hazeLengthM) }

    /// Blue above, bright at the horizon, some cloud, a line of far trees.
    private static func paintBackdrop(_ camera: PinholeCamera, _ seed: UInt64) throws(ImagingError) -> CanvasLayer {
        let (w, h) = (Double(camera.width), Double(camera.height))
        let brush = try SpriteBrush(x: 0...w, y: 0...h, scale: 1)
        let horizon = h / 2
        try brush.rectangle(0, horizon, w, h, CanvasColour(red: 132, green: 168, blue: 208), to: haze, corner: 0)
        try brush.rectangle(0, 0, w, horizon, haze, corner: 0)
        try brush.layer.grain(seed: seed &+ 40, cellWidth: w / 5, cellHeight: h / 14, amplitude: 0.10)
        try brush.layer.grain(seed: seed &+ 41, cellWidth: w / 16, cellHeight: h / 40, amplitude: 0.05)
        var random = SeededGenerator(seed: seed, purpose: "far trees")
        for x in stride(from: 0.0, to: w, by: w / 90) {
            let rise = h * random.uniform(0.012...0.035)
            let green = CanvasColour(red: 118, green: 132, blue: 120).shaded(random.uniform(0.85...1.1))
            try brush.ellipse((x, horizon), w / 60, rise, green, to: green, softness: 1.5)
        }
        return brush.layer
    }

    /// Far things shift by the angle that the road has turned; beyond the picture's edge comes its mirror image, so that nothing breaks off.
    private func turnBackdrop(on frame: inout Frame, travelledM: Double) throws(ImagingError) {
        let width = Double(camera.width)
        let shift = -curvaturePerM * travelledM * camera.focalLengthPx
        let first = (-shift / width).rounded(.down)
        for panel in [first, first + 1] {
            let isMirrored = Int(panel) % 2 != 0
            try Self.draw(farAway, at: panel * width + shift, isMirrored: isMirrored, on: &frame)
        }
    }

    private static func draw(
        _ layer: CanvasLayer, at left: Double, isMirrored: Bool = false, on frame: inout Frame
    ) throws(ImagingError) {
        let (w, h) = (Double(frame.width), Double(frame.height))
        let (x0, x1) = isMirrored ? (left + w, left) : (left, left + w)
        let corners = [(x0, 0), (x1, 0), (x1, h), (x0, h)].map { CanvasPoint(x: $0.0, y: $0.1) }
        try frame.draw(layer, corners: corners)
    }
}
