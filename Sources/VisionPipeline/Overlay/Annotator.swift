import FleetModel
import Imaging
import WorldModel

/// Draws on a frame what the pipeline made of it: boxes with class, time to collision and distance, own speed and limit, a banner and a
/// sign for every open alert.
///
/// Follows the alerts from frame to frame to know which episodes are open. One thread at a time.
public struct Annotator {
    private var alerts = OpenAlerts()
    private let signs: OverlaySigns

    /// An annotator with no episode open.
    public init(signs: OverlaySigns) { self.signs = signs }

    /// Draws `result` on the frame it was made from. Alerts that came between frames go into `otherAlerts`.
    public mutating func annotate(
        _ frame: inout Frame, with result: FrameResult, otherAlerts: [Alert] = []
    ) throws(ImagingError) {
        for alert in otherAlerts + result.alerts { alerts.follow(alert) }
        let scale = max(0.6, Double(frame.height) / 720)
        let open = alerts.all
        let bannerHeight = open.isEmpty ? 0 : 56 * scale
        try draw(result.world.objects, on: &frame, below: bannerHeight, scale: scale)
        for landmark in result.world.landmarks {
            let box = landmark.box.scaled(x: Double(frame.width), y: Double(frame.height))
            try frame.outline(box, thickness: 3 * scale, colour: Palette.blue)
            try frame.label(
                landmark.name, left: box.x, bottom: max(box.y, 30 * scale), capHeight: 13 * scale, ink: Palette.white,
                ground: Palette.blue)
        }
        try drawSpeed(of: result.world, on: &frame, scale: scale)
        if let worst = open.first { try drawBanner(worst, on: &frame, height: bannerHeight) }
        try drawSigns(open, on: &frame, below: bannerHeight, scale: scale)
    }

    /// Boxes first, the least urgent at the bottom; then the labels, which never cover each other. What matters most is drawn last.
    private func draw(_ objects: [WorldObject], on frame: inout Frame, below top: Double, scale: Double) throws(ImagingError) {
        let urgent = objects.sorted { (rank($1), $0.track) < (rank($0), $1.track) }
        let capHeight = 13 * scale
        var layout = LabelLayout(
            width: Double(frame.width), height: Double(frame.height),
            reserved: [Box(x: 0, y: 0, width: Double(frame.width), height: top)])
        let places = urgent.map { object in
            layout.place(
                width: Frame.textWidth(label(object), capHeight: capHeight), height: 1.8 * capHeight, at: object.box)
        }
        for object in urgent.reversed() {
            let colour = colour(object)
            try frame.outline(object.box, thickness: (rank(object) >= 2 ? 4 : 2) * scale, colour: colour)
        }
        for (object, place) in zip(urgent, places).reversed() {
            guard let place else { continue }
            try frame.label(
                label(object), left: place.x, bottom: place.maxY, capHeight: capHeight, ink: Palette.black, ground: colour(object))
        }
    }

    /// How urgent: 2 and more with an open alert, 1 in the path, 0 elsewhere.
    private func rank(_ object: WorldObject) -> Int {
        guard let alert = alerts.alert(ofTrack: object.track) else { return object.isInPath ? 1 : 0 }
        return 2 + (Severity.allCases.firstIndex(of: alert.severity) ?? 0)
    }

    private func colour(_ object: WorldObject) -> CanvasColour {
        alerts.alert(ofTrack: object.track).map { Palette.colour($0.severity) }
            ?? (object.isInPath ? Palette.yellow : Palette.green)
    }

    private func label(_ object: WorldObject) -> String {
        var label = object.roadUser.rawValue
        if let ttc = object.timeToCollision, ttc.seconds < 10 { label += " \(OpenAlerts.shortSeconds(ttc.seconds))" }
        if let distanceM = object.distanceM { label += " \(Int(distanceM.rounded())) m" }
        return label
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

    private func drawBanner(_ alert: Alert, on frame: inout Frame, height: Double) throws(ImagingError) {
        let colour = Palette.colour(alert.severity)
        try frame.fill(
            [(0, 0), (Double(frame.width), 0), (Double(frame.width), height), (0, height)].map { CanvasPoint(x: $0.0, y: $0.1) },
            colour.withAlpha(0.88))
        // A narrow frame gets smaller letters rather than fewer.
        let words = OpenAlerts.words(alert)
        let capHeight = min(0.46 * height, 0.46 * height * Double(frame.width) / Frame.textWidth(words, capHeight: 0.46 * height))
        try frame.write(
            words, centre: CanvasPoint(x: Double(frame.width) / 2, y: height / 2), capHeight: capHeight, stroke: 0.15,
            colour: alert.severity <= .caution ? Palette.black : Palette.white)
    }

    /// The signs of all open alerts in the upper right corner, one below another, each kind once.
    private func drawSigns(_ open: [Alert], on frame: inout Frame, below top: Double, scale: Double) throws(ImagingError) {
        let side = 112 * scale
        var y = top + 14 * scale
        var shown: Set<AlertKind> = []
        for alert in open where shown.insert(alert.kind).inserted {
            let left = Double(frame.width) - side - 14 * scale
            if let layer = signs.layer(for: alert) {
                let (w, h) = layer.fitted(into: side)
                let (x0, y0) = (left + (side - w) / 2, y + (side - h) / 2)
                try frame.draw(
                    layer,
                    corners: [(x0, y0), (x0 + w, y0), (x0 + w, y0 + h), (x0, y0 + h)].map { CanvasPoint(x: $0.0, y: $0.1) })
            } else if let limit = alert.overspeed?.limit {
                try drawSign(limit, centre: CanvasPoint(x: left + side / 2, y: y + side / 2), radius: side / 2, on: &frame)
            } else {
                continue
            }
            y += side + 10 * scale
        }
    }

    /// The round sign with the red ring (Vienna Convention C 14).
    private func drawSign(_ limit: Speed, centre: CanvasPoint, radius: Double, on frame: inout Frame) throws(ImagingError) {
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
    static let red = CanvasColour(red: 235, green: 36, blue: 30)
    static let orange = CanvasColour(red: 255, green: 122, blue: 20)
    static let yellow = CanvasColour(red: 255, green: 208, blue: 40)
    static let green = CanvasColour(red: 80, green: 220, blue: 110)
    static let blue = CanvasColour(red: 40, green: 110, blue: 220)
    static let signRed = CanvasColour(red: 200, green: 16, blue: 32)
    static let black = CanvasColour.grey(0)
    static let white = CanvasColour.grey(255)
    static let shade = CanvasColour.grey(0, alpha: 0.6)

    static func colour(_ severity: Severity) -> CanvasColour {
        switch severity {
        case .info: blue
        case .caution: yellow
        case .warning: orange
        case .critical: red
        }
    }
}
