import FleetModel
import Imaging

/// Paints signs on their posts, and stickers without.
enum SignPainter {
    /// Diameter inside built-up areas (German VwV-StVO, size 2), m.
    static let diameterM = 0.60
    /// Middle of the disc above the road, m.
    static let centreM = 2.30
    /// The same of a sticker on the back of a lorry.
    static let stickerDiameterM = 0.25
    static let stickerCentreM = 1.10

    private static let red = CanvasColour(red: 200, green: 25, blue: 35)
    private static let lowerRed = CanvasColour(red: 180, green: 20, blue: 30)
    private static let blue = CanvasColour(red: 20, green: 80, blue: 165)

    /// The disc as the camera sees it, not cut to the frame; nil when it is not ahead.
    static func plate(of sign: WorldSnapshot.Sign, camera: PinholeCamera) -> Box? {
        guard sign.distanceM >= PinholeCamera.nearestM else { return nil }
        let r = diameterM / 2
        let corner = camera.project(xM: sign.lateralM - r, yM: centreM + r, zM: sign.distanceM)
        let size = diameterM * camera.focalLengthPx / sign.distanceM
        return Box(x: corner.x, y: corner.y, width: size, height: size)
    }

    static func sprite(_ face: SignFace) throws(ImagingError) -> SpriteBrush {
        let brush = try SpriteBrush(x: -0.4...0.4, y: -0.05...2.7, scale: 200)
        let r = diameterM / 2
        if case .sticker(let number) = face {
            let r = stickerDiameterM / 2
            try brush.ellipse((0, stickerCentreM), r, r, .grey(25))
            try brush.ellipse((0, stickerCentreM), r * 0.94, r * 0.94, .grey(240), to: .grey(225))
            try brush.write(String(number), centreM: stickerCentreM, height: 0.5 * stickerDiameterM * 0.8)
            return brush
        }
        try brush.rectangle(-0.03, 0, 0.03, centreM, .grey(150), to: .grey(120), corner: 0.01)
        switch face {
        case .limit(let limit): try self.limit(limit, on: brush)
        case .restrictedLimit(let limit, let annex):
            try self.limit(limit, on: brush)
            try SignPlatePainter.paint(annex, under: centreM - r, on: brush)
        case .plate(let plate): try SignPlatePainter.paint(plate, on: brush)
        case .weight(let tonnes):
            try ring(brush)
            try brush.write("\(tonnes)t", centreM: centreM, height: 0.17)
        case .height(let decimetres):
            try ring(brush)
            try brush.write("\(decimetres / 10).\(decimetres % 10)m", centreM: centreM, height: 0.12)
            for (tip, base) in [(0.12, 0.20), (-0.12, -0.20)] {
                try brush.fill(
                    [(-0.07, centreM + base), (0.07, centreM + base), (0, centreM + tip)], .grey(20), smoothing: 0)
            }
        case .endOfLimit(let number):
            try brush.ellipse((0, centreM), r, r, .grey(40))
            try brush.ellipse((0, centreM), r * 0.95, r * 0.95, .grey(245), to: .grey(228))
            try brush.write(String(number), centreM: centreM, height: 0.22, colour: .grey(120))
            for offset in [-0.06, -0.03, 0, 0.03, 0.06] {
                try brush.line(
                    (-0.19 + offset, centreM - 0.19 - offset), (0.19 + offset, centreM + 0.19 - offset), width: 0.012, .grey(30))
            }
        case .minimumSpeed(let number):
            try brush.ellipse((0, centreM), r, r, .grey(240))
            try brush.ellipse((0, centreM), r * 0.96, r * 0.96, blue)
            try brush.write(String(number), centreM: centreM, height: 0.25, colour: .grey(245))
        case .roadNumber(let number):
            try brush.rectangle(-0.3, centreM - 0.18, 0.3, centreM + 0.18, .grey(245))
            try brush.rectangle(-0.285, centreM - 0.165, 0.285, centreM + 0.165, blue)
            try brush.write(String(number), centreM: centreM, height: 0.2, colour: .grey(245))
        case .sticker: break
        }
        return brush
    }

    private static func limit(_ limit: Speed, on brush: SpriteBrush) throws(ImagingError) {
        try ring(brush)
        let text = String(Int(limit.value))
        try brush.write(text, centreM: centreM, height: text.count > 2 ? 0.19 : 0.25)
    }

    private static func ring(_ brush: SpriteBrush) throws(ImagingError) {
        let r = diameterM / 2
        try brush.ellipse((0, centreM), r, r, red, to: lowerRed)
        try brush.ellipse((0, centreM), r * 0.78, r * 0.78, .grey(245), to: .grey(228))
    }
}
