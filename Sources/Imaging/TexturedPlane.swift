import CVision

/// A texture that repeats along the road, seen by a level pinhole camera that travels along it: the road itself or what lines it.
///
/// One thread at a time.
public final class TexturedPlane {
    /// How the plane lies.
    public enum Kind: Hashable, Sendable {
        /// The road; the texture's rows run from `from` to `to` metres right of the camera.
        case ground(from: Double, to: Double)
        /// A wall along the road, `offsetM` right of the camera (negative: left); rows run from `topM` down to the ground.
        case wall(offsetM: Double, topM: Double)
    }

    /// The camera: picture size and principal point in pixels, focal length in pixels, height above the road in m.
    public struct View: Hashable, Sendable {
        var width: Int
        var height: Int
        var focalLengthPx: Double
        var principalPoint: CanvasPoint
        var heightM: Double
        var curvaturePerM: Double

        /// A level camera on a road that bends by `curvaturePerM` (1 / radius, to the right positive).
        public init(
            width: Int, height: Int, focalLengthPx: Double, principalPoint: CanvasPoint, heightM: Double, curvaturePerM: Double = 0
        ) {
            self.width = width
            self.height = height
            self.focalLengthPx = focalLengthPx
            self.principalPoint = principalPoint
            self.heightM = heightM
            self.curvaturePerM = curvaturePerM
        }
    }

    private let handle: OpaquePointer

    /// A plane whose texture's columns span `lengthM` of road. Haze covers 1 - exp(-distance / `hazeLengthM`).
    public init(_ kind: Kind, texture: CanvasLayer, lengthM: Double, hazeLengthM: Double, view: View) throws(ImagingError) {
        var settings = vision_plane_view()
        settings.width = Int32(clamping: view.width)
        settings.height = Int32(clamping: view.height)
        settings.focal_px = view.focalLengthPx
        settings.centre_x = view.principalPoint.x
        settings.centre_y = view.principalPoint.y
        settings.camera_height_m = view.heightM
        settings.length_m = lengthM
        settings.curvature_per_m = view.curvaturePerM
        settings.haze_length_m = hazeLengthM
        switch kind {
        case .ground(let from, let to):
            settings.kind = VISION_PLANE_GROUND
            (settings.across_from, settings.across_to) = (from, to)
        case .wall(let offsetM, let topM):
            settings.kind = VISION_PLANE_WALL
            settings.offset_m = offsetM
            (settings.across_from, settings.across_to) = (topM, 0)
        }
        guard let handle = vision_plane_create(texture.handle, &settings) else {
            throw ImagingError(VISION_BAD_ARGUMENT, "making a textured plane")
        }
        self.handle = handle
    }

    deinit { vision_plane_destroy(handle) }

    /// Draws the plane as seen after `travelledM` of road.
    public func draw(on frame: inout Frame, travelledM: Double, haze: CanvasColour) throws(ImagingError) {
        let image = frame.handle
        try ImagingError.check("drawing a plane") { vision_plane_draw(image, handle, travelledM, haze.cValue, $0) }
    }
}
