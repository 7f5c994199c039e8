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
    ]

    /// Held over a group commit by whoever gives out cursors: what is committed is always a beginning of the order, so that no reader
    /// skips a row that commits late. Any number will do as long as every instance takes the same.
    static let cursorLock: Int64 = 0x666C_6565_7431
    /// Held while the tables are brought up to date.
    static let migrationLock: Int64 = 0x666C_6565_7432
    /// The channel on which every commit is announced.
    static let channel = "fleet_changes"
}
