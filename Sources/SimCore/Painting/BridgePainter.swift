import Imaging

/// Bridges over the road: a beam across it on abutments, and the shadow below.
extension SceneryPainter {
    /// Clear height of bridges over German roads (RAA: 4.70 m), height of the beam with its railing, and length of road that is covered, m.
    private static let clearanceM = 4.7
    private static let topM = 7.2
    private static let depthM = 11.0
    /// Where the abutments stand.
    private static let (leftPierM, rightPierM) = (-9.0, 8.0)

    /// The shadow that a bridge whose near edge is `distanceM` ahead throws on the road, with a high sun: as dark as new asphalt.
    func paintBridgeShadow(on frame: inout Frame, distanceM: Double) throws(ImagingError) {
        let (near, far) = (max(distanceM - 1.5, PinholeCamera.nearestM), distanceM + Self.depthM - 1.5)
        guard far > near, near < 200 else { return }
        let corners = [(-14.0, far), (14.0, far), (14.0, near), (-14.0, near)]
        try frame.fill(corners.map { camera.project(xM: $0.0, yM: 0, zM: $0.1) }, .grey(18, alpha: 0.55))
    }

    /// The bridge itself.
    func paintBridge(on frame: inout Frame, distanceM: Double) throws(ImagingError) {
        guard distanceM > PinholeCamera.nearestM, distanceM < 250 else { return }
        let concrete = CanvasColour.grey(148).mixed(with: Self.haze, share: Self.hazeShare(distanceM))
        let dark = CanvasColour.grey(62).mixed(with: Self.haze, share: Self.hazeShare(distanceM))
        func wall(_ left: Double, _ right: Double, _ top: Double, _ foot: Double, _ colour: CanvasColour) throws(ImagingError) {
            let corners = [(left, top), (right, top), (right, foot), (left, foot)]
            try frame.fill(corners.map { camera.project(xM: $0.0, yM: $0.1, zM: distanceM) }, colour)
        }
        // The underside, from its far edge to its near one.
        let under = [(-40.0, distanceM + Self.depthM), (40.0, distanceM + Self.depthM), (40.0, distanceM), (-40.0, distanceM)]
        try frame.fill(under.map { camera.project(xM: $0.0, yM: Self.clearanceM, zM: $0.1) }, dark)
        try wall(-40, Self.leftPierM, Self.clearanceM, 0, concrete)
        try wall(Self.rightPierM, 40, Self.clearanceM, 0, concrete)
        try wall(-40, 40, Self.topM, Self.clearanceM, concrete)
        try wall(-40, 40, Self.clearanceM + 0.35, Self.clearanceM, dark)
    }
}
