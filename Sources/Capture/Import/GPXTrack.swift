import FleetModel
import FleetRuntime
import WorldModel

/// Reads the track points of a GPX file (versions 1.0 and 1.1, and the extensions of Garmin and others for speed and course).
///
/// Routes and way points are plans, not drives, and are left out. Speeds are m/s.
enum GPXTrack {
    /// The points in the order of the file, `timeS` 0. Throws `UserError` with file and line.
    static func read(_ bytes: [UInt8], file: String) throws -> [PositionFix] {
        var scanner = MarkupScanner(bytes)
        var fixes: [PositionFix] = []
        var current: PositionFix?
        var element = ""
        var sawRoot = false
        while let event = scanner.next() {
            switch event {
            case .start("gpx", _): sawRoot = true
            case .start("trkpt", let attributes):
                guard let latitude = attributes["lat"].flatMap(Double.init), let longitude = attributes["lon"].flatMap(Double.init),
                    GeoPoint(latitude: latitude, longitude: longitude) != nil
                else { throw UserError(.badData, "\(file):\(scanner.lineNumber): a trkpt without lat and lon in degrees") }
                var fix = PositionFix(mode: 3, timeS: 0)
                (fix.latitude, fix.longitude) = (latitude, longitude)
                current = fix
            case .start(let name, _): element = name
            case .text(let text):
                guard current != nil else { continue }
                note(text.filter { !$0.isWhitespace }, of: element, in: &current)
            case .end("trkpt"):
                if let fix = current { fixes.append(fix) }
                current = nil
            case .end: element = ""
            }
        }
        guard sawRoot else { throw UserError(.badData, "\(file): no GPX file") }
        return fixes
    }

    private static func note(_ text: String, of element: String, in fix: inout PositionFix?) {
        func number(_ range: ClosedRange<Double>) -> Double? { Double(text).flatMap { range.contains($0) ? $0 : nil } }
        switch element {
        case "time": fix?.fixTime = Timestamp(text)
        case "ele": fix?.altitudeM = number(-1000...20_000)
        case "speed": fix?.speedMps = number(0...1000)
        case "course", "bearing": fix?.headingDeg = number(0...360)
        case "hdop": fix?.hdop = number(0...1000)
        case "fix": if text == "2d" { fix?.mode = 2 }
        default: break
        }
    }
}
