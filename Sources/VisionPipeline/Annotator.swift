import FleetModel
import Imaging
import WorldModel

/// Draws on a frame what the pipeline made of it: boxes with class, time to collision and distance, collision objects in red, own
/// speed and limit, and a limit sign in the corner while the vehicle is too fast.
///
/// Follows the alerts from frame to frame to know which episodes are open. One thread at a time.
public struct Annotator {
    private var collisionTracks: Set<Int> = []
    private var openCollisions: [AlertID: Int] = [:]
    private var openOverspeeds: Set<AlertID> = []

    /// An annotator with no episode open.
    public init() {}

    /// Draws `result` on the frame it was made from. Alerts that came between frames go into `otherAlerts`.
    public mutating func annotate(
        _ frame: inout Frame, with result: FrameResult, otherAlerts: [Alert] = []
    ) throws(ImagingError) {
        for alert in otherAlerts + result.alerts { follow(alert) }
        let scale = max(0.6, Double(frame.height) / 720)
        // What matters most comes last, so that no other label lies over its own.
        let told = collisionTracks
        let urgency = { (object: WorldObject) in (told.contains(object.track) ? 2 : 0) + (object.isInPath ? 1 : 0) }
        for object in result.world.objects.sorted(by: { (urgency($0), $0.track) < (urgency($1), $1.track) }) {
            try draw(object, on: &frame, scale: scale)
        }
        try drawSpeed(of: result.world, on: &frame, scale: scale)
        if !openOverspeeds.isEmpty, let limit = result.world.limit?.limit { try drawSign(limit, on: &frame, scale: scale) }
    }

    private mutating func follow(_ alert: Alert) {
        switch (alert.kind, alert.phase) {
        case (.collision, .end): openCollisions[alert.id] = nil
        case (.collision, _): openCollisions[alert.id] = alert.collision?.track
        case (.overspeed, .end): openOverspeeds.remove(alert.id)
        case (.overspeed, _): openOverspeeds.insert(alert.id)
        default: break
        }
        collisionTracks = Set(openCollisions.values)
    }

    private func draw(_ object: WorldObject, on frame: inout Frame, scale: Double) throws(ImagingError) {
        let isCollision = collisionTracks.contains(object.track)
        let colour = isCollision ? Palette.red : object.isInPath ? Palette.yellow : Palette.green
        try frame.outline(object.box, thickness: (isCollision ? 4 : 2) * scale, colour: colour)
        var label = object.roadUser.rawValue
        if let ttc = object.timeToCollision, ttc.seconds < 10 { label += " \(ttc.seconds.rounded(toPlaces: 1)) s" }
        if let distanceM = object.distanceM { label += " \(Int(distanceM.rounded())) m" }
        let height = 13 * scale
        try frame.label(
            label, left: object.box.x, bottom: max(object.box.y - 2 * scale, height * 1.9), capHeight: height, ink: Palette.black,
            ground: colour)
    }

    private func drawSpeed(of world: WorldState, on frame: inout Frame, scale: Double) throws(ImagingError) {
        let unit = world.limit?.limit.unit ?? .kilometresPerHour
        let speed = world.ego.speedMps.map { String(Int(Speed.value(ofMps: $0, in: unit).rounded())) } ?? "--"
        let limit = world.limit.map { "limit \($0.limit)" } ?? "limit unknown"
        try frame.label(
            "\(speed) \(unit.rawValue)  \(limit)", left: 12 * scale, bottom: Double(frame.height) - 12 * scale,
            capHeight: 18 * scale,
            ink: Palette.white, ground: Palette.shade)
    }

    /// The round sign with the red ring (Vienna Convention C 14), in the upper right corner.
    private func drawSign(_ limit: Speed, on frame: inout Frame, scale: Double) throws(ImagingError) {
        let radius = 56 * scale
        let centre = CanvasPoint(x: Double(frame.width) - radius * 1.25, y: radius * 1.25)
        try frame.disc(centre, radius: radius, colour: Palette.white)
        try frame.disc(centre, radius: radius * 0.97, colour: Palette.signRed)
        try frame.disc(centre, radius: radius * 0.76, colour: Palette.white)
        let text = limit.value == limit.value.rounded() ? String(Int(limit.value)) : String(limit.value)
        try frame.write(
            text, centre: centre, capHeight: radius * (text.count > 2 ? 0.58 : 0.74), stroke: 0.17, colour: Palette.black)
    }
}

/// The colours of annotations.
private enum Palette {
    static let red = CanvasColour(red: 255, green: 48, blue: 40)
    static let yellow = CanvasColour(red: 255, green: 208, blue: 40)
    static let green = CanvasColour(red: 80, green: 220, blue: 110)
    static let signRed = CanvasColour(red: 200, green: 16, blue: 32)
    static let black = CanvasColour.grey(0)
    static let white = CanvasColour.grey(255)
    static let shade = CanvasColour.grey(0, alpha: 0.6)
}
