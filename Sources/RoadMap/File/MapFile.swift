import FleetRuntime
import FoundationEssentials
import Glibc
import SQLite
import Synchronization
import WorldModel

/// A map file, open for looking up roads. Safe from every thread; a look-up blocks on the disk.
public final class MapFile: RoadSource {
    /// Who made the map; to be shown where it is used (Open Database License 1.0).
    public static let attribution = "© OpenStreetMap contributors, ODbL 1.0, https://www.openstreetmap.org/copyright"
    /// Ways that one look-up returns at most; a square kilometre of a dense city has about 2,000.
    public static let maximumWays = 20_000

    /// The file.
    public let path: String
    private let store: Mutex<Store>

    private struct Store: ~Copyable {
        let database: Database
        /// Read tags, by their text: a country has a few thousand different ones.
        var limits: [String: RoadLimits] = [:]
        static let rememberedLimits = 4096

        init(database: Database) { self.database = database }

        mutating func limits(of text: String) -> RoadLimits {
            if let known = limits[text] { return known }
            if limits.count >= Self.rememberedLimits { limits.removeAll(keepingCapacity: true) }
            let new = RoadLimits(tags: TaggedWay.tags(of: text))
            limits[text] = new
            return new
        }
    }

    /// Opens `path`. Throws `UserError` when it is no map file.
    public init(path: String) throws {
        self.path = path
        guard access(path, R_OK) == 0 else {
            throw UserError(errno == ENOENT ? .noInput : .ioError, "\(path): \(String(cString: strerror(errno)))")
        }
        do {
            let database = try Database(path: path, options: .reading)
            let kind = try database.first("PRAGMA application_id") { $0.int(0) } ?? 0
            let version = try database.first("PRAGMA user_version") { $0.int(0) } ?? 0
            guard kind == MapSchema.applicationID else {
                throw UserError(.badData, "\(path): no map file; `fleet-cli map import REGION.osm.pbf --out FILE` makes one")
            }
            guard version == MapSchema.version else {
                throw UserError(
                    .badData, "\(path): map version \(version), this program reads \(MapSchema.version); import the map again")
            }
            // Bounds the memory: 8 MiB of pages.
            try database.execute("PRAGMA cache_size=-8192; PRAGMA query_only=ON")
            store = Mutex(Store(database: database))
        } catch let error as SQLiteError {
            throw UserError(.badData, "\(path): no usable map file (\(error.message))")
        }
    }

    /// What the file says about itself: `source`, `importedAt`, `ways`, `attribution`.
    public func about() throws -> [String: String] {
        try store.withLock { store in
            let pairs = try store.database.query("SELECT key, value FROM about LIMIT 100") { ($0.string(0), $0.string(1)) }
            return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        }
    }

    public func ways(around place: GeoPoint, radiusM: Double) throws -> [MapWay] {
        let north = radiusM / MapPlane.metresPerDegree
        let east = north / max(0.01, cosine(place.latitude * .pi / 180))
        // A square over the date line touches what lies on either side of it.
        let shifts = place.longitude + east > 180 ? [0.0, -360] : place.longitude - east < -180 ? [0.0, 360] : [0.0]
        return try store.withLock { store in
            var ways: [MapWay] = []
            for shift in shifts {
                let longitude = place.longitude + shift
                try store.database.forEach(
                    MapSchema.lookup,
                    [
                        .real(longitude - east), .real(longitude + east), .real(place.latitude - north),
                        .real(place.latitude + north),
                    ]
                ) { row in
                    if let way = Self.way(row, &store) { ways.append(way) }
                    return ways.count < Self.maximumWays
                }
            }
            return ways
        }
    }

    /// A road's line, for drawing.
    public struct Line: Hashable, Sendable {
        /// What kind of road it is.
        public var roadClass: RoadClass
        /// Its line, at least two places.
        public var shape: [MapPoint]
    }

    /// Lines of the roads whose boxes touch a rectangle (degrees), of `least` and the greater classes, these first; at most `limit`.
    public func lines(west: Double, east: Double, south: Double, north: Double, upTo least: RoadClass, limit: Int) throws -> [Line]
    {
        try lines(
            "way_box JOIN way USING (id) WHERE east >= ? AND west <= ? AND north >= ? AND south <= ? AND",
            [.real(west), .real(east), .real(south), .real(north)], least, limit)
    }

    /// Lines of all roads of `least` and the greater classes, these first; at most `limit`. Reads the whole file.
    public func lines(upTo least: RoadClass, limit: Int) throws -> [Line] { try lines("way WHERE", [], least, limit) }

    private func lines(_ source: String, _ values: [SQLiteValue], _ least: RoadClass, _ limit: Int) throws -> [Line] {
        try store.withLock { store in
            var lines: [Line] = []
            try store.database.forEach(
                "SELECT class, shape FROM \(source) class <= ? ORDER BY class LIMIT ?",
                values + [.integer(least.rawValue), .integer(limit)]
            ) { row in
                if let roadClass = RoadClass(rawValue: row.int(0)), let shape = WayShape.decode(row.data(1)) {
                    lines.append(Line(roadClass: roadClass, shape: shape))
                }
                return true
            }
            return lines
        }
    }

    /// A row of the look-up; nil for one that is damaged.
    private static func way(_ row: borrowing Row, _ store: inout Store) -> MapWay? {
        guard let roadClass = RoadClass(rawValue: row.int(2)), let shape = WayShape.decode(row.data(6)) else { return nil }
        let flags = row.int(3)
        var way = MapWay(id: row.int64(1), roadClass: roadClass, limits: store.limits(of: row.string(4)), shape: shape)
        way.traffic = MapWay.Traffic(rawValue: flags & 3) ?? .bothWays
        way.isTunnel = flags & 4 != 0
        way.isBridge = flags & 8 != 0
        way.name = row.stringIfPresent(5)
        return way
    }
}
