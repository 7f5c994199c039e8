/// The tables of the PostgreSQL store, step by step; a step that was released is never changed.
///
/// Keys begin with fleet and vehicle: what belongs to a vehicle can be kept together when the tables are distributed over several servers.
enum PostgreSQLSchema {
    static let steps = [
        """
        -- Every revision that ever arrived, as it came. The cursor is the store's own order.
        CREATE TABLE revisions(
            fleet text NOT NULL, vehicle text NOT NULL, id uuid NOT NULL, revision integer NOT NULL,
            cursor bigint NOT NULL, received_ms bigint NOT NULL, late boolean NOT NULL, payload bytea NOT NULL,
            PRIMARY KEY(fleet, vehicle, id, revision));
        -- The highest revision of each alert: what lists show.
        CREATE TABLE alerts(
            fleet text NOT NULL, vehicle text NOT NULL, id uuid NOT NULL, revision integer NOT NULL,
            cursor bigint NOT NULL, started_ms bigint NOT NULL, kind text NOT NULL, severity smallint NOT NULL, origin text NOT NULL,
            PRIMARY KEY(fleet, vehicle, id));
        CREATE INDEX alerts_cursor ON alerts(cursor);
        CREATE INDEX alerts_vehicle ON alerts(fleet, vehicle, cursor);
        CREATE INDEX alerts_group ON alerts(kind, severity, cursor);
        CREATE INDEX alerts_started ON alerts(started_ms, cursor);
        CREATE INDEX alerts_id ON alerts(id);
        -- Written at every heartbeat: room on each page keeps the changes there.
        CREATE TABLE vehicles(
            fleet text NOT NULL, vehicle text NOT NULL, seen_ms bigint NOT NULL,
            session bigint, status bytea, heartbeat bytea, heartbeat_ms bigint,
            PRIMARY KEY(fleet, vehicle)) WITH (fillfactor = 60);
        -- Which sequence numbers are accounted for.
        CREATE TABLE sequences(
            fleet text NOT NULL, vehicle text NOT NULL, seen int8multirange NOT NULL,
            PRIMARY KEY(fleet, vehicle)) WITH (fillfactor = 60);
        CREATE TABLE gaps(
            fleet text NOT NULL, vehicle text NOT NULL, id uuid NOT NULL, from_seq bigint NOT NULL, to_seq bigint NOT NULL,
            reason text NOT NULL, received_ms bigint NOT NULL,
            PRIMARY KEY(fleet, vehicle, id));
        CREATE TABLE quarantine(
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            received_ms bigint NOT NULL, topic text NOT NULL, reason text NOT NULL, payload bytea NOT NULL);
        -- One row: the last cursor that was given, and sums that nobody has to count again.
        CREATE TABLE counters(
            one boolean PRIMARY KEY DEFAULT true CHECK(one), cursor bigint NOT NULL, alerts bigint NOT NULL, revisions bigint NOT NULL,
            alert_bytes bigint NOT NULL, quarantined bigint NOT NULL, quarantined_bytes bigint NOT NULL) WITH (fillfactor = 10);
        INSERT INTO counters VALUES(true, 0, 0, 0, 0, 0, 0);
        """,
        """
        -- Where in the order of cursors the alerts lie that began on a day (of UTC, counted since 1970): the bounds may be too wide, never
        -- too narrow.
        CREATE TABLE days(day bigint PRIMARY KEY, first_cursor bigint NOT NULL, last_cursor bigint NOT NULL) WITH (fillfactor = 60);
        INSERT INTO days SELECT started_ms / 86400000, min(cursor), max(cursor) FROM alerts GROUP BY 1;
        -- What makes the name of the group unknown to others in which the services on this store share the fleet's messages.
        ALTER TABLE counters ADD COLUMN share_key text NOT NULL DEFAULT '';
        UPDATE counters SET share_key = replace(gen_random_uuid()::text, '-', '');
        """,
        """
        -- What people say of alerts: the last review of each beside the alert, all of them in their own table.
        ALTER TABLE alerts ADD COLUMN review smallint NOT NULL DEFAULT 0, ADD COLUMN late smallint NOT NULL DEFAULT 0;
        UPDATE alerts a SET late = 1 FROM revisions r
            WHERE r.late AND r.fleet = a.fleet AND r.vehicle = a.vehicle AND r.id = a.id AND r.revision = a.revision;
        CREATE INDEX alerts_review ON alerts(review, cursor) WHERE review > 0;
        CREATE INDEX alerts_late ON alerts(cursor) WHERE late = 1;
        CREATE TABLE reviews(
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid NOT NULL, fleet text NOT NULL, vehicle text NOT NULL,
            state smallint NOT NULL, note text NOT NULL, name text NOT NULL, at_ms bigint NOT NULL);
        CREATE INDEX reviews_alert ON reviews(id);
        -- Where vehicles were (degrees in 1e-7, speed in mm/s) and how far they drove on each UTC day, counted from 1970.
        CREATE TABLE track(
            fleet text NOT NULL, vehicle text NOT NULL, at_ms bigint NOT NULL, lat_e7 integer NOT NULL, lon_e7 integer NOT NULL,
            speed_mmps integer, PRIMARY KEY(fleet, vehicle, at_ms));
        CREATE INDEX track_at ON track(at_ms);
        CREATE TABLE mileage(
            fleet text NOT NULL, vehicle text NOT NULL, day bigint NOT NULL, odometer_mm bigint NOT NULL,
            distance_mm bigint NOT NULL, PRIMARY KEY(fleet, vehicle, day));
        """,
        """
        -- Who did what with the data.
        CREATE TABLE audit(
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at_ms bigint NOT NULL, name text NOT NULL, role text NOT NULL,
            client text NOT NULL, action text NOT NULL, detail text NOT NULL);
        -- What webhooks have been told and are to be told: one row a rule and alert.
        CREATE TABLE webhook_deliveries(
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, rule text NOT NULL, fleet text NOT NULL, vehicle text NOT NULL,
            id uuid NOT NULL, created_ms bigint NOT NULL, state text NOT NULL, attempts bigint NOT NULL, due_ms bigint NOT NULL,
            status bigint, detail text NOT NULL, UNIQUE(rule, fleet, vehicle, id));
        CREATE INDEX webhook_due ON webhook_deliveries(rule, due_ms) WHERE state = 'waiting';
        -- How far each rule has looked.
        CREATE TABLE webhook_rules(rule text PRIMARY KEY, cursor bigint NOT NULL);
        """,
    ]

    /// Held over a group commit by whoever gives out cursors: what is committed is always a beginning of the order, so that no reader
    /// skips a row that commits late. Any number will do as long as every instance takes the same.
    static let cursorLock: Int64 = 0x666C_6565_7431
    /// Held while the tables are brought up to date.
    static let migrationLock: Int64 = 0x666C_6565_7432
    /// The channel on which every commit is announced.
    static let channel = "fleet_changes"
}
