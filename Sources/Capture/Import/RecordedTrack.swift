import FleetModel
import FleetRuntime
import Foundation
import WorldModel

/// A drive's track from a GPX file or an NMEA log, in the order of its times.
public struct RecordedTrack: Sendable {
    /// Largest file that is read, in bytes: a day at 10 Hz in GPX.
    public static let maximumFileBytes = 256 * 1024 * 1024

    /// The fixes; each has its time, and the times grow.
    public private(set) var fixes: [PositionFix]
    /// Points without a time, or whose time ran back.
    public private(set) var leftOut = 0
    /// Whether the file had no speed, so that they come from the places.
    public private(set) var hasDerivedSpeeds = false

    /// Reads `path`: NMEA where a line begins with `$`, GPX otherwise. Throws `UserError`.
    public init(path: String) throws {
        let bytes = [UInt8](try FilePieces.contents(of: path, limit: Self.maximumFileBytes))
        guard bytes.prefix(2) != [0x1F, 0x8B] else { throw UserError(.badData, "\(path): is packed; unpack it first (gunzip)") }
        let isMarkup = bytes.prefix(256).contains(UInt8(ascii: "<"))
        let all = isMarkup ? try GPXTrack.read(bytes, file: path) : try NMEATrack.read(bytes, file: path)
        fixes = []
        for fix in all {
            if let time = fix.fixTime, fixes.last?.fixTime.map({ time > $0 }) ?? true {
                fixes.append(fix)
            } else {
                leftOut += 1
            }
        }
        guard fixes.count >= 2 else {
            throw UserError(
                .badData,
                "\(path): has \(all.count) track points, \(fixes.count) with a time of their own; two are needed to lay it beside a video"
            )
        }
        if fixes.allSatisfy({ $0.speedMps == nil }) { deriveSpeeds() }
    }

    /// Time of the first fix.
    public var startedAt: Timestamp { fixes.first?.fixTime ?? .epoch }
    /// Time of the last fix.
    public var endedAt: Timestamp { fixes.last?.fixTime ?? .epoch }

    /// The longest step over which a speed is derived, and over which points are put in between, s.
    private static let longestStepS = 10.0
    /// Shortest stretch from which a speed is derived, s: places are right to some metres only.
    private static let shortestBaseS = 4.0

    /// Speeds and headings from the places before and after, and a point a second in between: a logger that writes every few seconds,
    /// without speeds, is followed too.
    private mutating func deriveSpeeds() {
        hasDerivedSpeeds = true
        let given = fixes
        for i in fixes.indices {
            var (a, b) = (max(0, i - 1), min(given.count - 1, i + 1))
            while let step = Self.step(given[a], given[b]), step.seconds < Self.shortestBaseS, a > 0 || b < given.count - 1 {
                (a, b) = (max(0, a - 1), min(given.count - 1, b + 1))
            }
            guard let step = Self.step(given[a], given[b]), step.seconds <= 2 * Self.longestStepS else { continue }
            fixes[i].speedMps = step.metres / step.seconds
            fixes[i].headingDeg = step.headingDeg
        }
        var filled: [PositionFix] = []
        for fix in fixes {
            if let before = filled.last, let step = Self.step(before, fix), step.seconds > 1.5, step.seconds <= Self.longestStepS {
                let pieces = Int(step.seconds.rounded())
                for k in 1..<max(2, pieces) where k < pieces {
                    filled.append(Self.between(before, fix, Double(k) / Double(pieces)))
                }
            }
            filled.append(fix)
        }
        fixes = filled
    }

    private static func step(_ a: PositionFix, _ b: PositionFix) -> (seconds: Double, metres: Double, headingDeg: Double)? {
        guard let from = a.fixTime, let to = b.fixTime, to > from, let lat1 = a.latitude, let lon1 = a.longitude,
            let lat2 = b.latitude,
            let lon2 = b.longitude, let start = GeoPoint(latitude: lat1, longitude: lon1),
            let end = GeoPoint(latitude: lat2, longitude: lon2)
        else { return nil }
        let east = (lon2 - lon1) * cos(lat1 * .pi / 180)
        let degrees = atan2(east, lat2 - lat1) * 180 / .pi
        return (to.seconds(since: from), start.distanceM(to: end), degrees < 0 ? degrees + 360 : degrees)
    }

    private static func between(_ a: PositionFix, _ b: PositionFix, _ share: Double) -> PositionFix {
        func mix(_ x: Double?, _ y: Double?) -> Double? { x.flatMap { x in y.map { x + share * ($0 - x) } } }
        var fix = PositionFix(mode: min(a.mode, b.mode), timeS: 0)
        fix.fixTime = a.fixTime.flatMap { from in b.fixTime.map { from.advanced(bySeconds: share * $0.seconds(since: from)) } }
        fix.latitude = mix(a.latitude, b.latitude)
        fix.longitude = mix(a.longitude, b.longitude)
        fix.altitudeM = mix(a.altitudeM, b.altitudeM)
        fix.speedMps = mix(a.speedMps, b.speedMps)
        fix.headingDeg = step(a, b)?.headingDeg
        return fix
    }
}
