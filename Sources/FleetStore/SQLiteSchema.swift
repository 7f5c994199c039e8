/// The tables of the SQLite store, step by step; a step that was released is never changed.
enum SQLiteSchema {
    static let steps = [
        """
        -- Every revision that ever arrived, as it came. The cursor is the store's own order.
        CREATE TABLE revisions(
            cursor INTEGER PRIMARY KEY AUTOINCREMENT,
            fleet TEXT NOT NULL, vehicle TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL,
            received_ms INTEGER NOT NULL, late INTEGER NOT NULL, payload BLOB NOT NULL,
            UNIQUE(fleet, vehicle, id, revision));
        -- The highest revision of each alert: what lists show.
        CREATE TABLE alerts(
            fleet TEXT NOT NULL, vehicle TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL,
            cursor INTEGER NOT NULL, started_ms INTEGER NOT NULL, kind TEXT NOT NULL, severity INTEGER NOT NULL, origin TEXT NOT NULL,
            PRIMARY KEY(fleet, vehicle, id)) WITHOUT ROWID;
        CREATE UNIQUE INDEX alerts_cursor ON alerts(cursor);
        CREATE INDEX alerts_started ON alerts(started_ms);
        CREATE INDEX alerts_id ON alerts(id);
        CREATE TABLE vehicles(
            fleet TEXT NOT NULL, vehicle TEXT NOT NULL, seen_ms INTEGER NOT NULL,
            session INTEGER, status BLOB, heartbeat BLOB, heartbeat_ms INTEGER,
            PRIMARY KEY(fleet, vehicle)) WITHOUT ROWID;
        -- Which sequence numbers are accounted for, as ranges that never touch.
        CREATE TABLE sequences(
            fleet TEXT NOT NULL, vehicle TEXT NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL,
            PRIMARY KEY(fleet, vehicle, from_seq)) WITHOUT ROWID;
        CREATE TABLE gaps(
            fleet TEXT NOT NULL, vehicle TEXT NOT NULL, id TEXT NOT NULL, from_seq INTEGER NOT NULL, to_seq INTEGER NOT NULL,
            reason TEXT NOT NULL, received_ms INTEGER NOT NULL,
            PRIMARY KEY(fleet, vehicle, id)) WITHOUT ROWID;
        CREATE TABLE quarantine(
            number INTEGER PRIMARY KEY, received_ms INTEGER NOT NULL, topic TEXT NOT NULL, reason TEXT NOT NULL, payload BLOB NOT NULL);
        """
    ]
}
