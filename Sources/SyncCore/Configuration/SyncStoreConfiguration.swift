import FleetModel
import FleetRuntime
import FleetStore
import SharedStore

/// The section `store`: where alerts are kept, and how much of them.
public struct SyncStoreConfiguration: Sendable {
    /// The engine and where its data is.
    public enum Place: Sendable {
        /// An SQLite file of this service alone.
        case file(String)
        /// A PostgreSQL database that several instances share, and the file whose first line is its password.
        case database(url: String, passwordFile: String?)
    }

    /// Where.
    public var place: Place
    /// Seconds after which an arriving alert counts as late.
    public var lateAfterS: Double
    /// Bound on the bytes in quarantine.
    public var quarantineBytes: Int64
    /// How much is kept.
    public var retention: Retention
    /// The folder of the alerts' pictures.
    public var snapshotPath: String
    /// Seconds that a picture is kept; nil as long as its alert.
    public var pictureAgeS: Double?
    /// Seconds after which pictures go: their own bound, or that of the alerts.
    var pictureMaximumAgeS: Double? { [pictureAgeS, retention.maximumAgeS].compactMap(\.self).min() }
    /// Seconds that the audit log is kept.
    public var auditAgeS: Double

    /// Two years: as long as somebody may ask who has seen what.
    static let defaultAuditAgeS = 730 * 86_400.0

    /// Reads the section of `root`, or its short form: `store: postgres://...` (or a file) with `storePasswordFile` beside it.
    init(_ root: ConfigurationSection) throws {
        if root.isText("store") {
            let text = try root.requiredString("store")
            place = try Self.place(
                url: PostgreSQLStore.isAddress(text) ? text : nil, path: root.path("store"),
                passwordFile: root.path("storePasswordFile"), root, "store", "storePasswordFile")
            (lateAfterS, quarantineBytes, retention) = (60, 64 << 20, Retention())
            snapshotPath = Self.snapshotPath(beside: place)
            auditAgeS = Self.defaultAuditAgeS
            return
        }
        let store = try root.section("store")
        if store.has("url"), store.has("path") { throw store.error("path", "a store has either a path or a url") }
        place = try Self.place(
            url: store.string("url"), path: store.path("path"), passwordFile: store.path("passwordFile"), store, "url",
            "passwordFile")
        lateAfterS = try store.duration("lateAfter", in: 1...86_400) ?? 60
        quarantineBytes = try store.byteCount("quarantineBytes", in: 65_536...1_099_511_627_776) ?? 64 << 20
        retention = Retention(
            maximumAgeS: try store.duration("keepFor", in: 86_400...3_153_600_000),
            maximumBytes: try store.byteCount("keepBytes", in: 1 << 20...1 << 50),
            trackAgeS: try store.duration("keepTracksFor", in: 3600...31_536_000) ?? Retention.defaultTrackAgeS)
        snapshotPath = try store.path("snapshots") ?? Self.snapshotPath(beside: place)
        pictureAgeS = try store.duration("keepPicturesFor", in: 3600...3_153_600_000)
        auditAgeS = try store.duration("keepAuditFor", in: 86_400...3_153_600_000) ?? Self.defaultAuditAgeS
    }

    /// Beside an SQLite file; where there is none, in the service's own folder.
    private static func snapshotPath(beside place: Place) -> String {
        if case .file(let path) = place { path + ".snapshots" } else { "/var/lib/fleet-sync/snapshots" }
    }

    private static func place(
        url: String?, path: String?, passwordFile: String?, _ section: ConfigurationSection, _ urlKey: String, _ passwordKey: String
    ) throws -> Place {
        if let url {
            if let reason = PostgreSQLStore.refusal(of: url) { throw section.error(urlKey, reason) }
            return .database(url: url, passwordFile: passwordFile)
        }
        guard let path else {
            throw UserError(
                .configuration, "\(section.file):\(section.line): store.path (a file) or store.url (postgres://...) is missing")
        }
        if passwordFile != nil { throw section.error(passwordKey, "an SQLite file has no password") }
        return .file(path)
    }

    /// Opens the store. `isSole` says that this is the one service on an SQLite file. Throws `UserError`.
    func open(isSole: Bool) throws -> any AlertStore {
        switch place {
        case .file(let path):
            var settings = SQLiteStore.Settings()
            settings.lateAfterS = lateAfterS
            settings.quarantineBytes = quarantineBytes
            settings.isSole = isSole
            return try SQLiteStore(path: path, settings: settings)
        case .database(let url, let passwordFile):
            var settings = PostgreSQLStore.Settings()
            settings.lateAfterS = lateAfterS
            settings.quarantineBytes = quarantineBytes
            return try PostgreSQLStore(url: url, password: passwordFile.map(SecretFile.read), settings: settings)
        }
    }

    /// Copies the store, while it is in use, into the new file `copy`, and the pictures into the folder `copy.snapshots`. The store comes
    /// first: a picture whose alert is in the copy is then there too. Returns how many pictures. Throws `UserError`.
    func backup(to copy: String) async throws -> Int {
        switch place {
        case .file(let path): try await backup(path, to: copy)
        case .database: try await open(isSole: false).backup(to: copy)
        }
        return try await SnapshotFolder(path: snapshotPath).copy(to: copy + ".snapshots")
    }

    private func backup(_ path: String, to copy: String) async throws {
        // The copy appears by renaming; onto the store it would take the file away from under the running service.
        let own = ["", "-wal", "-shm", "-journal", ".lock"].compactMap { FileIdentity(path + $0) }
        if let file = FileIdentity(copy), own.contains(file) {
            throw UserError(.usage, "\(copy): is the store itself; name another file for the copy")
        }
        if let folder = FileIdentity(copy + ".snapshots"), folder == FileIdentity(snapshotPath) {
            throw UserError(.usage, "\(copy).snapshots: is the folder of the pictures itself; name another file for the copy")
        }
        var settings = SQLiteStore.Settings()
        settings.isReadOnly = true
        try await SQLiteStore(path: path, settings: settings).backup(to: copy)
    }
}
