import FleetModel
import FleetRuntime
import WorldModel

/// Reads the fixes of an NMEA 0183 log: RMC for time, place, speed and course, GGA for height and quality.
///
/// Sentences of any talker; damaged ones (wrong checksum, missing fields) are left out, and other text between them too.
enum NMEATrack {
    /// Longest sentence, bytes; the standard's bound is 82.
    private static let maximumSentence = 200
    /// Metres per second in a knot.
    private static let knot = SpeedUnit.knots.metresPerSecond

    /// The fixes in the order of the file, `timeS` 0. Throws `UserError` when there is no sentence at all.
    static func read(_ bytes: [UInt8], file: String) throws -> [PositionFix] {
        var fixes: [PositionFix] = []
        var sentences = 0
        var height: (time: Substring, altitudeM: Double?, hdop: Double?)?
        for line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) where line.count <= maximumSentence {
            guard let fields = fields(line), let kind = fields.first?.suffix(3) else { continue }
            sentences += 1
            switch kind {
            case "RMC":
                guard var fix = fix(fields) else { continue }
                if let height, height.time == fields[1] { (fix.altitudeM, fix.hdop) = (height.altitudeM, height.hdop) }
                fixes.append(fix)
            case "GGA" where fields.count >= 10:
                height = (fields[1], Double(fields[9]), Double(fields[8]))
                // It may come after the RMC of the same time.
                if let last = fixes.indices.last, let time = fixes[last].fixTime, clock(fields[1]) == clock(of: time) {
                    (fixes[last].altitudeM, fixes[last].hdop) = (Double(fields[9]), Double(fields[8]))
                }
            default: break
            }
        }
        guard sentences > 0 else { throw UserError(.badData, "\(file): holds no NMEA sentence and is no GPX file") }
        return fixes
    }

    /// The fields of a sentence whose checksum is right; one without a checksum is taken.
    private static func fields(_ line: ArraySlice<UInt8>) -> [Substring]? {
        guard line.first == UInt8(ascii: "$") else { return nil }
        let body = line.dropFirst()
        let star = body.lastIndex(of: UInt8(ascii: "*"))
        let content = star.map { body[..<$0] } ?? body
        if let star {
            let stated = UInt8(String(decoding: body[(star + 1)...].prefix(2), as: UTF8.self), radix: 16)
            guard stated == content.reduce(0, ^) else { return nil }
        }
        guard content.allSatisfy({ (32..<127).contains($0) }) else { return nil }
        return String(decoding: content, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
    }

    private static func fix(_ fields: [Substring]) -> PositionFix? {
        guard fields.count >= 10, let time = time(fields[1], date: fields[9]) else { return nil }
        var fix = PositionFix(mode: 1, timeS: 0)
        fix.fixTime = time
        guard fields[2] == "A" else { return fix }
        guard let latitude = degrees(fields[3], fields[4], whole: 2), let longitude = degrees(fields[5], fields[6], whole: 3),
            GeoPoint(latitude: latitude, longitude: longitude) != nil
        else { return nil }
        fix.mode = 3
        (fix.latitude, fix.longitude) = (latitude, longitude)
        fix.speedMps = Double(fields[7]).flatMap { (0...2000).contains($0) ? $0 * knot : nil }
        fix.headingDeg = Double(fields[8]).flatMap { (0...360).contains($0) ? $0 : nil }
        return fix
    }

    /// `ddmm.mmmm` and a letter.
    private static func degrees(_ text: Substring, _ side: Substring, whole: Int) -> Double? {
        guard text.count > whole + 2, let degrees = Double(text.prefix(whole)), let minutes = Double(text.dropFirst(whole)),
            (0..<60).contains(minutes)
        else { return nil }
        switch side {
        case "N", "E": return degrees + minutes / 60
        case "S", "W": return -degrees - minutes / 60
        default: return nil
        }
    }

    /// Seconds of the day of `hhmmss.ss`.
    private static func clock(_ text: Substring) -> Double? {
        guard text.count >= 6, let hours = Int(text.prefix(2)), let minutes = Int(text.dropFirst(2).prefix(2)),
            let seconds = Double(text.dropFirst(4)), (0..<24).contains(hours), (0..<60).contains(minutes),
            (0..<61).contains(seconds)
        else { return nil }
        return Double(hours * 3600 + minutes * 60) + seconds
    }

    private static func clock(of time: Timestamp) -> Double {
        let day: Int64 = 86_400_000
        return Double((time.millisecondsSinceEpoch % day + day) % day) / 1000
    }

    /// Time and `ddmmyy`; years 80 to 99 are those of the last century.
    private static func time(_ text: Substring, date: Substring) -> Timestamp? {
        guard let seconds = clock(text), date.count == 6, let day = Int(date.prefix(2)),
            let month = Int(date.dropFirst(2).prefix(2)),
            let year = Int(date.suffix(2))
        else { return nil }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let midnight = Timestamp("\(year >= 80 ? 1900 + year : 2000 + year)-\(two(month))-\(two(day))T00:00:00Z")
        return midnight?.advanced(bySeconds: seconds)
    }
}
