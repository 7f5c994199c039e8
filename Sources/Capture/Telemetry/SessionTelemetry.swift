import FleetModel
import FleetRuntime
import Foundation
import WorldModel

/// The reports of a session's `telemetry.jsonl`, read line by line as the replay advances. One thread at a time.
///
/// A malformed line is a `UserError` with file, line number and reason. A line whose time is before that of a line above it is
/// late: it is left out and counted, because live it would have arrived after what was already decided. Empty lines are skipped.
public final class SessionTelemetry: TelemetrySource {
    /// Lines left out because their time ran back.
    public private(set) var lateLines = 0
    /// Lines taken so far.
    public private(set) var acceptedLines = 0

    private let lines: LineReader?
    private var ahead: PositionFix?
    private var latestS = -Double.infinity

    /// The telemetry of `session`; none at all where it has no such file.
    public convenience init(_ session: Session) throws { try self.init(path: session.telemetryPath) }

    init(path: String?) throws { lines = try path.map(LineReader.init) }

    /// Nothing can be wrong with a recording but its lines.
    public var degraded: [DegradedCode] { [] }

    /// The reports that are not later than `timeS` and were not returned before.
    public func fixes(upTo timeS: Double) throws -> [PositionFix] {
        var fixes: [PositionFix] = []
        while let fix = try ahead ?? read() {
            guard fix.timeS <= timeS else {
                ahead = fix
                break
            }
            ahead = nil
            fixes.append(fix)
        }
        return fixes
    }

    private func read() throws -> PositionFix? {
        while let line = try lines?.next() {
            if line.isEmpty { continue }
            let fix: PositionFix
            do {
                fix = try TelemetryRecord.fix(from: line)
            } catch {
                throw lines?.malformed(error.reason) ?? error
            }
            guard fix.timeS >= latestS else {
                lateLines += 1
                continue
            }
            latestS = fix.timeS
            acceptedLines += 1
            return fix
        }
        return nil
    }

    /// Reads the file once, so that a damaged line is told before anything is decided on the lines above it.
    static func check(path: String) throws {
        let telemetry = try SessionTelemetry(path: path)
        while try telemetry.read() != nil {}
    }

    /// Whether the file at `path` holds no line.
    public static func isEmpty(path: String) throws -> Bool { try SessionTelemetry(path: path).read() == nil }

    /// Lines taken, lines left out, first and last time of the file at `path`.
    static func extent(path: String) throws -> (lines: Int, late: Int, firstS: Double?, lastS: Double?) {
        let telemetry = try SessionTelemetry(path: path)
        let first = try telemetry.read()?.timeS
        while try telemetry.read() != nil {}
        return (telemetry.acceptedLines, telemetry.lateLines, first, first == nil ? nil : telemetry.latestS)
    }
}
