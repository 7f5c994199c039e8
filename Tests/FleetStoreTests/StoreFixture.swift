import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import SharedStore
import Testing

/// The engines that every test of `AlertStore` runs against; a new engine joins here and nowhere else.
enum Engine: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite, postgresql

    var testDescription: String { rawValue }

    /// Those that this machine has; `PostgreSQLStoreTests` says when one is missing.
    static var present: [Engine] { PostgreSQLServer.isInstalled ? allCases : [.sqlite] }
}

/// An empty store of one engine and what to fill it with.
struct StoreFixture {
    let store: any AlertStore
    let folder: TemporaryFolder

    /// The moment at which the sample alerts happen.
    static let at = Timestamp(secondsSinceEpoch: 1_772_352_000)

    init(_ engine: Engine, quarantineBytes: Int64 = 64 << 20) throws {
        folder = try TemporaryFolder()
        switch engine {
        case .sqlite:
            var settings = SQLiteStore.Settings()
            settings.quarantineBytes = quarantineBytes
            store = try SQLiteStore(path: folder.path("fleet.db"), settings: settings)
        case .postgresql:
            var settings = PostgreSQLStore.Settings()
            settings.quarantineBytes = quarantineBytes
            store = try PostgreSQLStore(url: PostgreSQLServer.shared().newDatabase(), password: nil, settings: settings)
        }
    }

    /// Stores one item and says what became of it.
    @discardableResult
    func store(_ item: IncomingItem) async throws -> StoreOutcome { try await store.store([item])[0] }

    /// An alert as it arrives `delayS` after it happened.
    static func arriving(_ alert: Alert, delayS: Double = 1) throws -> IncomingItem {
        .alert(alert, payload: try WireCodec.encode(alert), receivedAt: alert.at.advanced(bySeconds: delayS))
    }

    /// A status of session `session`.
    static func status(_ session: Int64, _ state: VehicleStatus.State, reason: VehicleStatus.Reason? = nil) -> VehicleStatus {
        VehicleStatus(
            identity: SampleAlerts.identity, state: state, reason: reason, boot: "boot", session: session,
            connectedAt: at.advanced(bySeconds: Double(session)))
    }
}
