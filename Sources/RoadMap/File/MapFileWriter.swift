import FoundationEssentials
import Glibc
import SQLite

/// Writes a map file: ways one after another, in transactions, in bounded memory.
///
/// The file is made beside its place and moved there by `finish`, so that a reader never sees half a map. One thread at a time.
public final class MapFileWriter {
    /// Ways within one transaction.
    private static let batch = 20_000
    /// Texts that are remembered so that they are stored once; beyond it a text may be stored again.
    private static let rememberedTexts = 200_000

    private let path: String
    private let unfinished: String
    private let database: Database
    private var limitTags: [String: Int64] = [:]
    private var names: [String: Int64] = [:]
    /// Ways written so far.
    public private(set) var wayCount = 0

    /// Begins the map file `path`; it may exist already, and is replaced when all is done. Throws `SQLiteError`.
    public init(path: String) throws {
        self.path = path
        unfinished = path + ".unfinished"
        unlink(unfinished)
        var options = Database.Options()
        options.writeAheadLog = false
        options.fullSync = false
        database = try Database(path: unfinished, options: options)
        // The unfinished file is thrown away after a crash, so nothing has to be undone in it; 64 MiB of pages keep the tree's upper levels.
        try database.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY")
        try database.execute("PRAGMA application_id=\(MapSchema.applicationID); PRAGMA user_version=\(MapSchema.version)")
        try database.execute(MapSchema.tables)
        try database.run("BEGIN")
    }

    deinit { unlink(unfinished) }

    /// Appends a road. A way of a class that is not driven on, or with fewer than two places, is left out; whether it was written.
    @discardableResult
    public func write(_ way: TaggedWay) throws -> Bool {
        guard let roadClass = way.tags["highway"].flatMap(RoadClass.init(tag:)), way.shape.count >= 2,
            way.shape.count <= WayShape.maximumPoints, let first = way.shape.first
        else { return false }
        var (west, east, south, north) = (first.x, first.x, first.y, first.y)
        for point in way.shape {
            (west, east) = (min(west, point.x), max(east, point.x))
            (south, north) = (min(south, point.y), max(north, point.y))
        }
        let tagsID = try id(of: way.limitTags, in: &limitTags, "INSERT INTO limit_tags(tags) VALUES (?)")
        let nameID = try id(of: way.name ?? "", in: &names, "INSERT INTO road_name(name) VALUES (?)")
        let flags = MapSchema.flags(traffic: way.traffic, isTunnel: way.isTunnel, isBridge: way.isBridge)
        wayCount += 1
        try database.run(
            "INSERT INTO way(id, osm_id, class, flags, limit_tags, road_name, shape) VALUES (?, ?, ?, ?, ?, ?, ?)",
            .integer(wayCount), .integer(way.id), .integer(roadClass.rawValue), .integer(flags), .integer(tagsID), .integer(nameID),
            .blob(WayShape.encode(way.shape)))
        try database.run(
            "INSERT INTO way_box VALUES (?, ?, ?, ?, ?)", .integer(wayCount), .real(Double(west) / 1e7), .real(Double(east) / 1e7),
            .real(Double(south) / 1e7), .real(Double(north) / 1e7))
        if wayCount.isMultiple(of: Self.batch) {
            try database.run("COMMIT")
            try database.run("BEGIN")
        }
        return true
    }

    /// Writes what the file is about and puts it in its place. Nothing can be written after it.
    public func finish(about: [String: String]) throws {
        for (key, value) in about.merging(["ways": String(wayCount)], uniquingKeysWith: { _, new in new }) {
            try database.run("INSERT INTO about VALUES (?, ?)", .text(key), .text(value))
        }
        try database.run("COMMIT")
        try database.execute("PRAGMA optimize")
        let descriptor = open(unfinished, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
        // What the map tells is public, unlike the fleet's own files.
        chmod(unfinished, 0o644)
        guard rename(unfinished, path) == 0 else {
            throw SQLiteError(
                code: .cannotOpen, operation: "rename", message: String(cString: strerror(errno)), path: path)
        }
    }

    /// The row of `text`; nil for an empty one.
    private func id(of text: String, in known: inout [String: Int64], _ insert: String) throws -> Int64? {
        guard !text.isEmpty else { return nil }
        if let id = known[text] { return id }
        try database.run(insert, .text(text))
        if known.count >= Self.rememberedTexts { known.removeAll(keepingCapacity: true) }
        known[text] = database.lastInsertRowID
        return database.lastInsertRowID
    }
}
