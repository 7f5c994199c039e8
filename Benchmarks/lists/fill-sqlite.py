#!/usr/bin/env python3
"""Fills the empty SQLite store of a fleet-sync with N alerts, spread over the last year.

usage: fill-sqlite.py STORE N    (fleet-sync has made STORE before, and does not run)

A thousand vehicles in four fleets; of the alerts 5 in 100 are critical, 1 in 10,000 is a landmark, and 2 in 100 arrived up to a day late.
"""
import sqlite3
import sys
import time

PAYLOAD = (
    """'{"at":"' || moment || '","boot":"0197f0a0-0000-7000-8000-00000000b007","clock":"gps",' || CASE kind"""
    """ WHEN 'collision' THEN '"collision":{"box":[0.41,0.52,0.12,0.16],"class":"car","closingMps":7.3,"distanceM":14,"distanceSdM":1.1,"""
    """"gates":["persistence","in-path"],"minTtcS":1.6,"track":3,"ttcS":1.9,"ttcSeries":[[-0.5,2.4],[0,1.9]]}'"""
    """ WHEN 'headway' THEN '"headway":{"leadSpeedMps":22,"timeHeadwayS":0.5}'"""
    """ WHEN 'landmark' THEN '"landmark":{"box":[0.1,0.2,0.05,0.05],"name":"gate","score":0.94}'"""
    """ ELSE '"overspeed":{"confidence":0.97,"distanceM":61,"durationS":4.2,"limit":{"unit":"km/h","value":50},"limitMinMps":null,"""
    """"limitMps":13.889,"maxSpeedMps":18.9,"meanSpeedMps":17,"source":"zone","toleranceMps":0.83}' END"""
    """ || ',"endReason":null,"endedAt":null,"fleet":"' || fleet || '","id":"' || id || '","kind":"' || kind || '","model":null,"""
    """"monotonicS":812.4,"origin":"live","phase":"start","position":{"accuracyM":4,"headingDeg":87,"lat":48.137,"lon":11.575},"""
    """"revision":1,"schema":"fleet.alert/1","seq":' || (n / 1000) || ',"severity":"' || word || '","software":"1.0.0","""
    """"speedMps":18.2,"startedAt":"' || moment || '","vehicle":"' || vehicle || '"}'"""
)

ROWS = """
WITH RECURSIVE numbers(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM numbers WHERE n < {last}),
drawn AS MATERIALIZED (
    SELECT n, {start} + n * {step} AS received_ms, abs(random()) AS a, abs(random()) AS b, abs(random()) AS c FROM numbers),
rows AS MATERIALIZED (
    SELECT n, received_ms, a % 50 = 0 AS late, received_ms - CASE WHEN a % 50 = 0 THEN b % 86400000 ELSE 1000 END AS started_ms,
        'fleet-' || (b % 4) AS fleet, 'truck-' || (b % 1000) AS vehicle,
        printf('%08x-%04x-7%03x-8%03x-%012x', received_ms / 65536, received_ms % 65536, a % 4096, b % 4096, c % 281474976710656) AS id,
        CASE WHEN c % 10000 = 0 THEN 'landmark' WHEN c % 100 < 60 THEN 'overspeed' WHEN c % 100 < 85 THEN 'headway' ELSE 'collision' END AS kind,
        CASE WHEN a % 100 < 5 THEN 3 WHEN a % 100 < 45 THEN 2 WHEN a % 100 < 90 THEN 1 ELSE 0 END AS severity
    FROM drawn)
"""


def main():
    path, count = sys.argv[1], int(sys.argv[2])
    start = int(time.time() * 1000) - 365 * 86_400_000
    step = 365 * 86_400_000 // count
    store = sqlite3.connect(path, isolation_level=None)
    store.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-1000000; PRAGMA temp_store=MEMORY;")
    for first in range(1, count + 1, 100_000):
        last = min(first + 99_999, count)
        rows = ROWS.format(first=first, last=last, start=start, step=step)
        store.executescript(f"""
            BEGIN;
            CREATE TEMP TABLE fresh AS {rows} SELECT *,
                strftime('%Y-%m-%dT%H:%M:%S', started_ms / 1000, 'unixepoch') || '.000Z' AS moment,
                CASE severity WHEN 3 THEN 'critical' WHEN 2 THEN 'warning' WHEN 1 THEN 'caution' ELSE 'info' END AS word FROM rows;
            INSERT INTO revisions(cursor, fleet, vehicle, id, revision, received_ms, late, payload)
                SELECT n, fleet, vehicle, id, 1, received_ms, late, CAST({PAYLOAD} AS BLOB) FROM fresh;
            INSERT INTO alerts(cursor, fleet, vehicle, id, revision, started_ms, kind, severity, origin, late)
                SELECT n, fleet, vehicle, id, 1, started_ms, kind, severity, 'live', late FROM fresh;
            DROP TABLE fresh;
            COMMIT;""")
        print(f"{last} alerts", end="\r", file=sys.stderr, flush=True)
    store.executescript(f"""
        INSERT INTO days SELECT started_ms / 86400000, min(cursor), max(cursor) FROM alerts GROUP BY 1;
        UPDATE counters SET cursor = {count}, alerts = {count}, revisions = {count},
            alert_bytes = (SELECT sum(length(payload) + 500) FROM revisions);
        PRAGMA journal_mode=WAL;""")
    print("", file=sys.stderr)


main()
