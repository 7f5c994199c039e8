"use strict";
// The fleet view: what the API knows, kept up to date by Server-Sent Events. Everything that comes from a vehicle is set as text.

const maximumRows = 200;
const vehiclePollMs = 5000;
const alerts = new Map(); // fleet/vehicle/id → alert, its highest revision
const element = (id) => document.getElementById(id);
let source = null;
let pollTimer = null;

function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

const kmh = (mps) => (mps * 3.6).toFixed(0);
const seconds = (s) => (s < 10 ? s.toFixed(1) : s.toFixed(0)) + " s";
const time = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

function ago(iso, now) {
  const s = Math.max(0, (now - new Date(iso)) / 1000);
  if (s < 90) return Math.round(s) + " s ago";
  if (s < 5400) return Math.round(s / 60) + " min ago";
  if (s < 129600) return Math.round(s / 3600) + " h ago";
  return Math.round(s / 86400) + " days ago";
}

const sources = { sign: "read from a sign", map: "from the map", zone: "from a zone", default: "the configured limit" };

/** What happened, in plain words. */
function words(alert) {
  if (alert.overspeed) {
    const o = alert.overspeed;
    return `Drove up to ${kmh(o.maxSpeedMps)} km/h where ${o.limit.value} ${o.limit.unit} applies (${sources[o.source] || o.source}), ` +
      `${seconds(o.durationS)}, ${o.distanceM.toFixed(0)} m`;
  }
  if (alert.collision) {
    const c = alert.collision;
    const ttc = c.minTtcS === null ? "" : `, collision was ${seconds(c.minTtcS)} away at the closest`;
    const distance = c.distanceM === null ? "" : `, ${c.distanceM.toFixed(0)} m ahead`;
    return `Closing in on a ${c.class}${ttc}${distance}`;
  }
  if (alert.headway) return `Only ${seconds(alert.headway.timeHeadwayS)} behind the vehicle ahead`;
  if (alert.landmark) return `Passed ${alert.landmark.name}`;
  return alert.kind;
}

function state(alert) {
  if (alert.phase !== "end") return "going on";
  const reasons = { interrupted: "ended: agent restarted", lost: "ended: lost from sight", limit_changed: "ended: limit changed", unknown: "ended: speed or limit unknown", stopped: "ended with the drive" };
  return reasons[alert.endReason] || "ended";
}

function row(alert, isFresh) {
  const tr = make("tr", isFresh ? "fresh" : "");
  const when = make("td");
  const stamp = make("time", "", time.format(new Date(alert.startedAt)));
  stamp.dateTime = alert.startedAt;
  when.append(stamp);
  const severity = make("td");
  severity.append(make("span", "severity " + alert.severity, alert.severity));
  const last = make("td", "", state(alert));
  if (alert.late) last.append(make("span", "tag", " · arrived late"));
  if (alert.origin === "replay") last.append(make("span", "tag", " · replay"));
  tr.append(when, make("td", "", alert.fleet + "/" + alert.vehicle), severity, make("td", "", words(alert)), last);
  return tr;
}

function showAlerts(fresh) {
  const sorted = [...alerts.values()].sort((a, b) => b.cursor - a.cursor);
  for (const old of sorted.slice(maximumRows)) alerts.delete(key(old));
  element("alert-rows").replaceChildren(...sorted.slice(0, maximumRows).map((a) => row(a, key(a) === fresh)));
  element("alerts").hidden = sorted.length === 0;
  element("no-alerts").hidden = sorted.length !== 0;
}

const key = (alert) => `${alert.fleet}/${alert.vehicle}/${alert.id}`;

function take(alert) {
  const known = alerts.get(key(alert));
  if (!known || known.revision <= alert.revision) alerts.set(key(alert), alert);
}

const degradedWords = {
  camera_missing: "No camera: cannot warn of collisions", camera_stalled: "Camera delivers no frames: cannot warn of collisions",
  camera_frozen: "Camera repeats one frame: cannot warn of collisions", camera_covered: "Camera covered: cannot warn of collisions",
  camera_blurred: "Picture blurred: collision warnings unreliable", detector_failed: "Detector does not run: cannot warn of collisions",
  not_calibrated: "Camera not calibrated: distances unknown", gps_missing: "No gpsd: cannot warn of overspeed",
  gps_no_fix: "No satellite fix: cannot warn of overspeed", gps_stale: "Receiver repeats an old fix: cannot warn of overspeed",
  gps_rejected: "Contradicting fixes are not used", speed_unknown: "Own speed unknown: vision alone decides",
  limit_unknown: "No speed limit known here", clock_unsynchronised: "Clock not set: times are not trustworthy",
  outbox_full: "Outbox full: less important alerts are dropped", disk_full: "Disk full: alerts cannot be stored",
  broker_refused: "Broker refuses the connection or messages", alerts_rejected: "The server rejected alerts of this vehicle",
};

function card(vehicle, now) {
  const li = make("li");
  li.append(make("h3", "", vehicle.fleet + "/" + vehicle.vehicle));
  const seen = make("p");
  seen.append(make("span", "presence " + vehicle.presence, vehicle.presence), make("span", "tag", " · last heard of " + ago(vehicle.lastSeenAt, now)));
  li.append(seen);
  const beat = vehicle.heartbeat;
  if (beat) {
    const speed = beat.speedMps === null ? "speed unknown" : kmh(beat.speedMps) + " km/h";
    const limit = beat.limit === null ? "limit unknown" : `limit ${beat.limit.value} ${beat.limit.unit}`;
    li.append(make("p", "", speed + " · " + limit));
    if (beat.queue.alerts > 0) li.append(make("p", "", `${beat.queue.alerts} alert messages wait in the vehicle`));
    if (beat.degraded.length > 0) {
      const list = make("ul", "degraded");
      for (const d of beat.degraded) list.append(make("li", "", `${degradedWords[d.code] || "Reports " + d.code + ", which this page does not know"} (since ${time.format(new Date(d.since))})`));
      li.append(list);
    }
  }
  for (const gap of vehicle.missing) {
    const which = gap.fromSeq === gap.toSeq ? `Message ${gap.fromSeq}` : `Messages ${gap.fromSeq} to ${gap.toSeq}`;
    li.append(make("p", "degraded", which + " never arrived"));
  }
  if (vehicle.droppedByVehicle > 0) li.append(make("p", "degraded", `${vehicle.droppedByVehicle} messages were dropped in the vehicle`));
  return li;
}

class SignInNeeded extends Error {}

async function get(path) {
  const response = await fetch(path, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  if (response.status === 401) throw new SignInNeeded();
  if (!response.ok) throw new Error("HTTP " + response.status);
  return response.json();
}

async function showVehicles() {
  const list = await get("/api/v1/vehicles");
  const now = new Date(list.at);
  element("vehicles").replaceChildren(...list.vehicles.map((v) => card(v, now)));
  element("no-vehicles").hidden = list.vehicles.length !== 0;
}

function connection(text, isLost) {
  element("connection").textContent = text;
  element("connection").className = isLost ? "lost" : "";
}

function listen(cursor) {
  if (source) source.close();
  source = new EventSource("/api/v1/stream?cursor=" + cursor);
  source.onopen = () => connection("Live", false);
  source.onerror = () => connection("Connection lost: what is shown may be old. Trying again …", true);
  source.addEventListener("alert", (event) => {
    const alert = JSON.parse(event.data);
    take(alert);
    // What happened long ago must not look like news.
    showAlerts(alert.late ? undefined : key(alert));
  });
}

async function poll() {
  try {
    await showVehicles();
  } catch (error) {
    if (error instanceof SignInNeeded) return askForToken();
  }
  pollTimer = setTimeout(poll, vehiclePollMs);
}

function askForToken() {
  if (source) source.close();
  clearTimeout(pollTimer);
  element("sign-in").hidden = false;
  element("main").hidden = true;
  connection("Signed out", false);
  element("token").focus();
}

async function start() {
  try {
    const page = await get("/api/v1/alerts?limit=" + maximumRows);
    element("sign-in").hidden = true;
    element("main").hidden = false;
    page.alerts.forEach(take);
    showAlerts();
    listen(page.nextCursor);
    clearTimeout(pollTimer);
    poll();
  } catch (error) {
    if (error instanceof SignInNeeded) return askForToken();
    connection("The server does not answer. Trying again …", true);
    setTimeout(start, vehiclePollMs);
  }
}

element("sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = element("token").value;
  element("token").value = "";
  try {
    const response = await fetch("/api/v1/session", {
      method: "POST", headers: { "Content-Type": "application/json" }, credentials: "same-origin", body: JSON.stringify({ token }),
    });
    element("sign-in-error").textContent = response.ok ? "" : "This is not the server's token.";
    if (response.ok) start();
  } catch {
    element("sign-in-error").textContent = "The server does not answer.";
  }
});

element("zone").textContent = Intl.DateTimeFormat().resolvedOptions().timeZone + " time";
start();
