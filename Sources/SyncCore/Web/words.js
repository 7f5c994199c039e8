// What an alert or a vehicle says, in plain words.

import * as format from "/web/format.js";

/** What `table` says of a name that comes from a message: "constructor" and the like are in no table. */
const told = (table, name) => (Object.hasOwn(table, name) ? table[name] : undefined);

const sources = { sign: "read from a sign", map: "from the map", zone: "from a configured zone", default: "the configured limit" };
export const source = (name) => told(sources, name) ?? name;
/** Below this a limit counts as unconfirmed; as in fleet-cli. */
const confirmedFrom = 0.9;
const roadUsers = { person: "a person", bicycle: "a cyclist", motorcycle: "a motorcyclist", car: "a car", bus: "a bus", truck: "a truck" };
const roadUser = (name) => told(roadUsers, name) ?? name;
const kinds = { overspeed: "Too fast", collision: "Collision warning", headway: "Too close", landmark: "Landmark" };
export const kind = (name) => told(kinds, name) ?? name;

/** What happened, in a sentence without its end. */
export function what(alert) {
  if (alert.overspeed) {
    const o = alert.overspeed;
    const doubt = o.confidence < confirmedFrom ? ", unconfirmed" : "";
    return `Drove up to ${format.speed(o.maxSpeedMps)} where ${format.limit(o.limit, o.limitMps)} applies (${source(o.source)}${doubt})` +
      (o.durationS < 1 ? "" : `, for ${format.span(o.durationS)}`);
  }
  if (alert.collision) {
    const c = alert.collision;
    const ttc = c.minTtcS == null ? "" : `: ${format.span(c.minTtcS)} to a collision at the least`;
    return `Came close to ${roadUser(c.class)}${ttc}${c.distanceM == null ? "" : `, ${format.metres(c.distanceM)} ahead`}`;
  }
  if (alert.headway) return `Drove ${format.span(alert.headway.timeHeadwayS)} behind the vehicle ahead`;
  if (alert.landmark) return `Saw ${alert.landmark.name}`;
  return alert.kind;
}

const endings = {
  cleared: "ended: the condition no longer held", lost: "ended: no longer in sight", limit_changed: "ended: another limit began",
  unknown: "ended: speed, limit or picture no longer known", stopped: "ended with the drive", interrupted: "ended: the vehicle's agent was interrupted",
};
export const state = (alert) => (alert.phase === "end" ? told(endings, alert.endReason) ?? "ended" : "going on");

const reviews = { new: "not reviewed", confirmed: "confirmed", false_alarm: "false alarm", coached: "driver coached" };
export const review = (name) => told(reviews, name) ?? name;

const clocks = { gps: "set by satellites", ntp: "set by the network", unsynchronised: "not set: the times are not trustworthy" };
export const clockState = (name) => told(clocks, name) ?? name;

const gates = {
  class: "it is a road user that is warned of", score: "the detector is sure enough", "in-path": "it is in the vehicle's path",
  speed: "the vehicle is fast enough", closing: "the gap closes fast enough", oncoming: "it does not come the other way",
  persistence: "all of this held long enough",
};
export const gate = (name) => told(gates, name) ?? name;

/** Alerts for every 100 km or miles; below 10 km too little is known. */
export function rate(alerts, distanceM) {
  if (distanceM == null || distanceM < 10000) return distanceM == null ? "–" : "too little";
  return ((alerts / distanceM) * (format.isMiles() ? 160934.4 : 100000)).toFixed(1);
}

/** Why the rule spoke, one reason a line. */
export function reasons(alert) {
  if (alert.overspeed) {
    const o = alert.overspeed;
    return [
      `The speed was above ${format.speed(o.limitMps + o.toleranceMps, 1)}: the limit of ${format.limit(o.limit, o.limitMps)} and a tolerance of ` +
        `${format.speed(o.toleranceMps, 1)}.`,
      `The limit is ${source(o.source)}, with a confidence of ${Math.round(o.confidence * 100)} %` +
        (o.confidence < confirmedFrom ? ": treat it as unconfirmed." : "."),
      ...(o.limitMinMps == null ? [] : [`Another source says ${format.speed(o.limitMinMps)}; the higher one was used.`]),
      `On average ${format.speed(o.meanSpeedMps)} over ${format.metres(o.distanceM)}.`,
    ];
  }
  if (alert.collision) return alert.collision.gates.filter(Boolean).map((name) => `${gate(name).charAt(0).toUpperCase()}${gate(name).slice(1)}.`);
  if (alert.headway) {
    const lead = alert.headway.leadSpeedMps;
    return [`The distance to the vehicle ahead was driven in ${format.span(alert.headway.timeHeadwayS)}` +
      (lead == null ? "." : `; that one drove ${format.speed(lead)}.`)];
  }
  if (alert.landmark) return [`The picture matches the template by ${Math.round(alert.landmark.score * 100)} %.`];
  return [];
}

// What stands before the colon is the cause, what follows is what it means; `stops` is what the vehicle cannot warn of.
const degraded = {
  camera_missing: ["no camera", "collisions"], camera_stalled: ["camera delivers no frames", "collisions"],
  camera_frozen: ["camera repeats one frame", "collisions"], camera_covered: ["camera covered", "collisions"],
  camera_misdirected: ["camera does not look ahead", "collisions"],
  camera_blurred: ["picture blurred, collision warnings unreliable"], detector_failed: ["detector does not run", "collisions"],
  not_calibrated: ["camera not calibrated, distances unknown"], gps_missing: ["no connection to the receiver", "overspeed"],
  gps_no_fix: ["no satellite fix", "overspeed"], gps_stale: ["receiver repeats an old fix", "overspeed"],
  gps_rejected: ["contradicting satellite fixes are not used"], speed_unknown: ["own speed unknown, vision alone decides"],
  limit_unknown: ["no speed limit known here", "overspeed"], clock_unsynchronised: ["clock not set, times are not trustworthy"],
  outbox_full: ["memory for alerts full, less important ones are dropped"], disk_full: ["disk full, alerts may not be stored"],
  broker_refused: ["broker refuses the connection or messages"], client_id_taken: ["another client connects as this vehicle"],
  alerts_rejected: ["the server rejected alerts of this vehicle"],
};

/** What the vehicle cannot warn of because of `code`; undefined when it still can. */
export const stops = (code) => told(degraded, code)?.[1];

/** "Cannot warn of collisions since 08:12: camera covered". */
export function degradation(entry) {
  const [cause, stopped] = told(degraded, entry.code) ?? ["reports " + entry.code + ", which this page does not know"];
  const from = format.since(entry.since);
  return stopped ? `Cannot warn of ${stopped} since ${from}: ${cause}` : `Since ${from}: ${cause}`;
}
