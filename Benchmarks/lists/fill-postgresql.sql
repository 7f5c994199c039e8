-- Fills the empty PostgreSQL store of a fleet-sync with :count alerts, spread over the last year, as fill-sqlite.py does.
--
-- usage: psql -v count=10000000 -f fill-postgresql.sql postgres://...    (fleet-sync has made the tables before, and does not run)
\set ON_ERROR_STOP on
SET synchronous_commit = off;
SET maintenance_work_mem = '512MB';
-- Indexes are made afterwards, which is quicker.
DROP INDEX alerts_cursor, alerts_vehicle, alerts_group, alerts_started, alerts_id;
CREATE UNLOGGED TABLE fresh AS
SELECT n, received_ms, a % 50 = 0 AS late, received_ms - CASE WHEN a % 50 = 0 THEN b % 86400000 ELSE 1000 END AS started_ms,
    'fleet-' || (b % 4) AS fleet, 'truck-' || (b % 1000) AS vehicle,
    (lpad(to_hex(received_ms / 65536), 8, '0') || lpad(to_hex(received_ms % 65536), 4, '0') || '7' || lpad(to_hex(a % 4096), 3, '0') || '8'
        || lpad(to_hex(b % 4096), 3, '0') || lpad(to_hex(c), 12, '0'))::uuid AS id,
    CASE WHEN c % 10000 = 0 THEN 'landmark' WHEN c % 100 < 60 THEN 'overspeed' WHEN c % 100 < 85 THEN 'headway' ELSE 'collision' END AS kind,
    CASE WHEN a % 100 < 5 THEN 3 WHEN a % 100 < 45 THEN 2 WHEN a % 100 < 90 THEN 1 ELSE 0 END AS severity
FROM (
    SELECT n, (extract(epoch FROM now()) * 1000)::bigint - 31536000000 + n * (31536000000 / :count) AS received_ms,
        (random() * 1e9)::bigint AS a, (random() * 1e12)::bigint AS b, (random() * 2.8e14)::bigint AS c
    FROM generate_series(1::bigint, :count) n) drawn;
INSERT INTO revisions(fleet, vehicle, id, revision, cursor, received_ms, late, payload)
SELECT fleet, vehicle, id, 1, n, received_ms, late, convert_to(
    '{"at":"' || moment || '","boot":"0197f0a0-0000-7000-8000-00000000b007","clock":"gps",' || CASE kind
    WHEN 'collision' THEN '"collision":{"box":[0.41,0.52,0.12,0.16],"class":"car","closingMps":7.3,"distanceM":14,"distanceSdM":1.1,'
        || '"gates":["persistence","in-path"],"minTtcS":1.6,"track":3,"ttcS":1.9,"ttcSeries":[[-0.5,2.4],[0,1.9]]}'
    WHEN 'headway' THEN '"headway":{"leadSpeedMps":22,"timeHeadwayS":0.5}'
    WHEN 'landmark' THEN '"landmark":{"box":[0.1,0.2,0.05,0.05],"name":"gate","score":0.94}'
    ELSE '"overspeed":{"confidence":0.97,"distanceM":61,"durationS":4.2,"limit":{"unit":"km/h","value":50},"limitMinMps":null,'
        || '"limitMps":13.889,"maxSpeedMps":18.9,"meanSpeedMps":17,"source":"zone","toleranceMps":0.83}' END
    || ',"endReason":null,"endedAt":null,"fleet":"' || fleet || '","id":"' || id || '","kind":"' || kind || '","model":null,'
    || '"monotonicS":812.4,"origin":"live","phase":"start","position":{"accuracyM":4,"headingDeg":87,"lat":48.137,"lon":11.575},'
    || '"revision":1,"schema":"fleet.alert/1","seq":' || n / 1000 || ',"severity":"'
    || (ARRAY['info', 'caution', 'warning', 'critical'])[severity + 1] || '","software":"1.0.0","speedMps":18.2,"startedAt":"'
    || moment || '","vehicle":"' || vehicle || '"}', 'UTF8')
FROM (SELECT *, to_char(to_timestamp(started_ms / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') AS moment FROM fresh) f;
INSERT INTO alerts(fleet, vehicle, id, revision, cursor, started_ms, kind, severity, origin, late)
SELECT fleet, vehicle, id, 1, n, started_ms, kind, severity, 'live', late::integer FROM fresh;
DROP TABLE fresh;
CREATE INDEX alerts_cursor ON alerts(cursor);
CREATE INDEX alerts_vehicle ON alerts(fleet, vehicle, cursor);
CREATE INDEX alerts_group ON alerts(kind, severity, cursor);
CREATE INDEX alerts_started ON alerts(started_ms, cursor);
CREATE INDEX alerts_id ON alerts(id);
INSERT INTO days SELECT started_ms / 86400000, min(cursor), max(cursor) FROM alerts GROUP BY 1;
UPDATE counters SET cursor = :count, alerts = :count, revisions = :count,
    alert_bytes = (SELECT sum(octet_length(payload) + 500) FROM revisions);
VACUUM ANALYZE;
