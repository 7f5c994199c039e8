import FleetModel
import Imaging

/// Draws road users and signs where the camera sees them.
struct ActorPainter {
    let camera: PinholeCamera
    let shelf: SpriteShelf

    /// Draws `object` with its shadow.
    func paint(_ object: WorldSnapshot.Object, on frame: inout Frame) throws(ImagingError) {
        guard object.distanceM >= PinholeCamera.nearestM, object.distanceM < 250 else { return }
        switch object.shape {
        case .car(let paint):
            try paintShadow(object, on: &frame)
            try paintCarSide(object, paint, on: &frame)
            let key: SpriteShelf.Key =
                object.facing == .towards ? .carFront(paint: paint) : .carRear(paint: paint, braking: object.isBraking)
            try paintUpright(shelf.sprite(key), object.lateralM, object.distanceM, on: &frame)
        case .lorry(let paint):
            try paintShadow(object, on: &frame)
            try paintLorrySide(object, paint, on: &frame)
            let key: SpriteShelf.Key =
                object.facing == .towards ? .lorryFront(paint: paint) : .lorryRear(paint: paint, braking: object.isBraking)
            try paintUpright(shelf.sprite(key), object.lateralM, object.distanceM, on: &frame)
        case .person(let clothes):
            let strides = abs(object.acrossM) / PersonPainter.strideM
            let phase = Int((strides * Double(PersonPainter.phases)).rounded(.down)) % PersonPainter.phases
            let sprite = try shelf.sprite(.person(clothes: clothes, phase: phase))
            try paintUpright(sprite, object.lateralM, object.distanceM, isMirrored: object.facing == .left, on: &frame)
        }
    }

    /// Draws a sign with its post.
    func paint(_ sign: WorldSnapshot.Sign, on frame: inout Frame) throws(ImagingError) {
        guard sign.distanceM >= PinholeCamera.nearestM, sign.distanceM < 200 else { return }
        try paintUpright(shelf.sprite(.sign(sign.face)), sign.lateralM, sign.distanceM, on: &frame)
    }

    private func paintUpright(
        _ sprite: SpriteBrush, _ lateralM: Double, _ distanceM: Double, isMirrored: Bool = false, on frame: inout Frame
    ) throws(ImagingError) {
        let (left, right) = (lateralM + sprite.left, lateralM + sprite.left + sprite.widthM)
        let (top, bottom) = (sprite.top, sprite.top - sprite.heightM)
        var corners = [(left, top), (right, top), (right, bottom), (left, bottom)].map {
            camera.project(xM: $0.0, yM: $0.1, zM: distanceM)
        }
        if isMirrored { corners = [corners[1], corners[0], corners[3], corners[2]] }
        try frame.draw(sprite.layer, corners: corners, haze: haze(distanceM))
    }

    private func paintShadow(_ object: WorldSnapshot.Object, on frame: inout Frame) throws(ImagingError) {
        let size = object.shape.sizeM
        // The sprite's shadow is 1 m of its 1.4 m.
        let (halfWidth, margin) = (size.width * 0.7, size.length * 0.2)
        let (near, far) = (max(PinholeCamera.nearestM, object.distanceM - margin), object.distanceM + size.length + margin)
        let corners = [(-halfWidth, far), (halfWidth, far), (halfWidth, near), (-halfWidth, near)].map {
            camera.project(xM: object.lateralM + $0.0, yM: 0, zM: $0.1)
        }
        try frame.draw(shelf.sprite(.shadow).layer, corners: corners, haze: haze(object.distanceM))
    }

    private func paintCarSide(_ object: WorldSnapshot.Object, _ paint: Int, on frame: inout Frame) throws(ImagingError) {
        let waist = CarSidePainter.waistM
        try paintSide(shelf.sprite(.carBody(paint: paint)), object, low: (0, 0.89), high: (waist, 0.84), on: &frame)
        try paintSide(shelf.sprite(.carGlasshouse(paint: paint)), object, low: (waist, 0.80), high: (1.47, 0.54), on: &frame)
    }

    private func paintLorrySide(_ object: WorldSnapshot.Object, _ paint: Int, on frame: inout Frame) throws(ImagingError) {
        try paintSide(shelf.sprite(.lorrySide(paint: paint)), object, low: (0, 1.2), high: (3.2, 1.2), on: &frame)
    }

    /// Draws the side that the camera sees, if it sees one: a plane whose lower and upper edge have a height and a distance from the middle.
    private func paintSide(
        _ sprite: SpriteBrush, _ object: WorldSnapshot.Object, low: (heightM: Double, outM: Double),
        high: (heightM: Double, outM: Double),
        on frame: inout Frame
    ) throws(ImagingError) {
        let towardsCamera = object.lateralM > 0 ? -1.0 : 1.0
        guard abs(object.lateralM) > high.outM else { return }
        let near = object.distanceM + 0.02
        let (atX0, atX1) = object.facing == .towards ? (near + sprite.widthM, near) : (near, near + sprite.widthM)
        let corners = [(high, atX0), (high, atX1), (low, atX1), (low, atX0)].map { edge, z in
            camera.project(xM: object.lateralM + towardsCamera * edge.outM, yM: edge.heightM, zM: z)
        }
        try frame.draw(sprite.layer, corners: corners, haze: haze(object.distanceM))
    }

    private func haze(_ distanceM: Double) -> CanvasColour {
        SceneryPainter.haze.withAlpha(SceneryPainter.hazeShare(distanceM))
    }
}
