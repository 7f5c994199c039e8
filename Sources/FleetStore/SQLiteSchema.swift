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
        """,
        """
        -- The same again for millions of alerts. Keys begin with the id: ids grow with time, so that what is written lies together
        -- whatever number of vehicles it comes from, and an id alone is found by the same index. A row's number is its cursor: every
        -- index holds it and gives its rows in the order of the lists.
        CREATE TABLE revisions2(
            cursor INTEGER PRIMARY KEY,
            fleet TEXT NOT NULL, vehicle TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL,
            received_ms INTEGER NOT NULL, late INTEGER NOT NULL, payload BLOB NOT NULL);
        INSERT INTO revisions2 SELECT cursor, fleet, vehicle, id, revision, received_ms, late, payload FROM revisions ORDER BY cursor;
        CREATE TABLE alerts2(
            cursor INTEGER PRIMARY KEY,
            fleet TEXT NOT NULL, vehicle TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL,
            started_ms INTEGER NOT NULL, kind TEXT NOT NULL, severity INTEGER NOT NULL, origin TEXT NOT NULL);
        INSERT INTO alerts2 SELECT cursor, fleet, vehicle, id, revision, started_ms, kind, severity, origin FROM alerts ORDER BY cursor;
        -- One row: the last cursor that was given, and sums that nobody has to count again.
        CREATE TABLE counters(
            one INTEGER PRIMARY KEY CHECK(one = 1), cursor INTEGER NOT NULL, alerts INTEGER NOT NULL, revisions INTEGER NOT NULL,
            alert_bytes INTEGER NOT NULL, quarantined INTEGER NOT NULL, quarantined_bytes INTEGER NOT NULL);
        INSERT INTO counters SELECT 1, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'revisions'), 0),
            (SELECT count(*) FROM alerts), (SELECT count(*) FROM revisions),
            (SELECT coalesce(sum(length(payload) + 500), 0) FROM revisions),
            (SELECT count(*) FROM quarantine), (SELECT coalesce(sum(length(payload) + 256), 0) FROM quarantine);
        DROP TABLE revisions;
        DROP TABLE alerts;
        ALTER TABLE revisions2 RENAME TO revisions;
        ALTER TABLE alerts2 RENAME TO alerts;
        CREATE UNIQUE INDEX revisions_key ON revisions(id, revision, fleet, vehicle);
        CREATE UNIQUE INDEX alerts_key ON alerts(id, fleet, vehicle);
        CREATE INDEX alerts_vehicle ON alerts(fleet, vehicle);
        CREATE INDEX alerts_group ON alerts(kind, severity);
        CREATE INDEX alerts_started ON alerts(started_ms);
        """,
        """
        -- Where in the order of cursors the alerts lie that began on a day (of UTC, counted since 1970): the bounds may be too wide, never
        -- too narrow.
        CREATE TABLE days(day INTEGER PRIMARY KEY, first_cursor INTEGER NOT NULL, last_cursor INTEGER NOT NULL);
        INSERT INTO days SELECT started_ms / 86400000, min(cursor), max(cursor) FROM alerts GROUP BY 1;
        -- What makes the name of the group unknown to others in which the services on this store share the fleet's messages.
        ALTER TABLE counters ADD COLUMN share_key TEXT NOT NULL DEFAULT '';
        UPDATE counters SET share_key = lower(hex(randomblob(16)));
        """,
        """
        -- What people say of alerts: the last review of each beside the alert, all of them in their own table.
        ALTER TABLE alerts ADD COLUMN review INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE alerts ADD COLUMN late INTEGER NOT NULL DEFAULT 0;
        UPDATE alerts SET late = 1 WHERE cursor IN (SELECT cursor FROM revisions WHERE late = 1);
        CREATE INDEX alerts_review ON alerts(review) WHERE review > 0;
        CREATE INDEX alerts_late ON alerts(cursor) WHERE late = 1;
        CREATE TABLE reviews(
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, fleet TEXT NOT NULL, vehicle TEXT NOT NULL,
            state INTEGER NOT NULL, note TEXT NOT NULL, name TEXT NOT NULL, at_ms INTEGER NOT NULL);
        CREATE INDEX reviews_alert ON reviews(id);
        -- Where vehicles were (degrees in 1e-7, speed in mm/s) and how far they drove on each UTC day, counted from 1970.
        CREATE TABLE track(
            fleet TEXT NOT NULL, vehicle TEXT NOT NULL, at_ms INTEGER NOT NULL, lat_e7 INTEGER NOT NULL, lon_e7 INTEGER NOT NULL,
            speed_mmps INTEGER, PRIMARY KEY(fleet, vehicle, at_ms)) WITHOUT ROWID;
        CREATE INDEX track_at ON track(at_ms);
        CREATE TABLE mileage(
            fleet TEXT NOT NULL, vehicle TEXT NOT NULL, day INTEGER NOT NULL, odometer_mm INTEGER NOT NULL,
            distance_mm INTEGER NOT NULL, PRIMARY KEY(fleet, vehicle, day)) WITHOUT ROWID;
        """,
        """
        -- Who did what with the data.
        CREATE TABLE audit(
            number INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL,
            client TEXT NOT NULL, action TEXT NOT NULL, detail TEXT NOT NULL);
        -- What webhooks have been told and are to be told: one row a rule and alert.
        CREATE TABLE webhook_deliveries(
            number INTEGER PRIMARY KEY AUTOINCREMENT, rule TEXT NOT NULL, fleet TEXT NOT NULL, vehicle TEXT NOT NULL, id TEXT NOT NULL,
            created_ms INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, due_ms INTEGER NOT NULL,
            status INTEGER, detail TEXT NOT NULL, UNIQUE(rule, id, fleet, vehicle));
        CREATE INDEX webhook_due ON webhook_deliveries(rule, due_ms) WHERE state = 'waiting';
        -- How far each rule has looked.
        CREATE TABLE webhook_rules(rule TEXT PRIMARY KEY, cursor INTEGER NOT NULL) WITHOUT ROWID;
        """,
    ]
}
