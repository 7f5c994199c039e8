import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation

/// A folder, a clock that stands still, and an outbox in the folder.
struct OutboxFixture {
    let folder: TemporaryFolder
    let clock = ManualClock()
    var path: String { folder.path("outbox.db") }

    init() throws { folder = try TemporaryFolder() }

    func open(_ change: (inout OutboxSettings) -> Void = { _ in }) throws -> DurableOutbox {
        try Self.open(path, clock: clock, change)
    }

    static func open(
        _ path: String, clock: ManualClock = ManualClock(), _ change: (inout OutboxSettings) -> Void = { _ in }
    ) throws -> DurableOutbox {
        var settings = OutboxSettings(path: path, identity: SampleAlerts.identity)
        // The machine that tests may be short of room itself.
        settings.freeBytes = { _ in 1 << 40 }
        settings.diskReserveBytes = 0
        change(&settings)
        return try DurableOutbox(settings: settings, clock: clock)
    }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path())) ?? [] }
}

/// Everything that waits, without marking it as sent.
struct Waiting {
    var alerts: [Alert] = []
    var gaps: [GapEvent] = []
    var snapshots: [OutboxRow] = []
    var numbers: Set<Int64> { Set(alerts.map(\.seq)) }
    /// Numbers that gap events tell of.
    var told: Set<Int64> { gaps.reduce(into: []) { $0.formUnion($1.fromSeq...$1.toSeq) } }

    /// Takes all of it; the outbox's windows must be wide enough.
    init(_ outbox: DurableOutbox, nowS: Double = 0) async throws { try self.init(await outbox.handOver(nowS: nowS)) }

    init(_ rows: [OutboxRow]) throws {
        for row in rows {
            switch row.content {
            case .alert: alerts.append(try WireCodec.decodeAlert(from: row.payload))
            case .gap: gaps.append(try WireCodec.decode(GapEvent.self, from: row.payload))
            case .snapshot: snapshots.append(row)
            }
        }
    }
}

/// Opens an outbox again whose last owner may still be on its way out: an actor goes when its executor lets go of it.
func reopened(_ open: () throws -> DurableOutbox) async throws -> DurableOutbox {
    var outbox: DurableOutbox?
    _ = try await eventually {
        do { outbox = try open() } catch let error as UserError where error.code == .unavailable { return false }
        return true
    }
    return try outbox ?? open()
}
