/// The tables of a map file.
enum MapSchema {
    /// `FLMP`, in SQLite's header.
    static let applicationID = 0x464C_4D50
    /// Version of the tables.
    static let version = 1

    static let tables = """
        CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE limit_tags(id INTEGER PRIMARY KEY, tags TEXT NOT NULL);
        CREATE TABLE road_name(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE way(
            id INTEGER PRIMARY KEY, osm_id INTEGER NOT NULL, class INTEGER NOT NULL, flags INTEGER NOT NULL,
            limit_tags INTEGER REFERENCES limit_tags, road_name INTEGER REFERENCES road_name, shape BLOB NOT NULL);
        CREATE VIRTUAL TABLE way_box USING rtree(id, west, east, south, north);
        """

    /// The ways whose boxes touch a rectangle: west, east, south, north.
    static let lookup = """
        SELECT way.id, osm_id, class, flags, limit_tags.tags, road_name.name, shape FROM way_box JOIN way USING (id)
        LEFT JOIN limit_tags ON limit_tags.id = way.limit_tags LEFT JOIN road_name ON road_name.id = way.road_name
        WHERE east >= ? AND west <= ? AND north >= ? AND south <= ?
        """

    /// Bits of `way.flags`: 0 and 1 the traffic, 2 tunnel, 3 bridge.
    static func flags(traffic: MapWay.Traffic, isTunnel: Bool, isBridge: Bool) -> Int {
        traffic.rawValue | (isTunnel ? 4 : 0) | (isBridge ? 8 : 0)
    }
}
