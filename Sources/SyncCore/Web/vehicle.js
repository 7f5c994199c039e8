// The vehicle page: whether it is there and what it cannot do, where it was, and what it was warned of.

import { element, make, link, moment, fact, part } from "/web/dom.js";
import { offerPreferences, preferences } from "/web/preferences.js";
import { get, query } from "/web/server.js";
import { viewer, now } from "/web/viewer.js";
import { Stream, connection } from "/web/stream.js";
import { makeMap, vehiclePoint, alertPoint } from "/web/map.js";
import * as words from "/web/words.js";
import * as format from "/web/format.js";

const [fleet, vehicle] = location.pathname.split("/").slice(-2).map(decodeURIComponent);
const path = `/api/v1/vehicles/${encodeURIComponent(fleet)}/${encodeURIComponent(vehicle)}`;
const lookMs = 5000;
/** Between two looks at the track of today. */
const trackMs = 30000;
const rateDays = 30;
let known;
let nowMs = 0;
let latest = [];
let driven = [];
let map;

async function load() {
  try {
    const list = await get(path);
    known = list.vehicles[0];
    nowMs = Date.parse(list.at);
  } catch (error) {
    if (error.status !== 404 && error.status !== 400) throw error;
    element("what").textContent = "No such vehicle";
    element("facts-line").textContent = error.message;
    for (const panel of document.querySelectorAll("main .panel:not(#summary)")) panel.hidden = true;
    connection("");
    return;
  }
  drawSummary();
  await part(element("state-part"), drawState)();
}

function drawSummary() {
  document.title = `${vehicle}, ${known.presence} · Fleet view`;
  element("what").replaceChildren(make("span", "", `${fleet}/${vehicle}`), " ", make("span", "presence " + known.presence, known.presence));
  const meaning = { online: "connected", stale: "connected as far as the broker knows, but its heartbeats are missing", offline: "not connected" };
  const reason = known.presence === "offline" && known.status?.reason === "lost" ? ", the connection was lost" :
    known.presence === "offline" && known.status?.reason === "stopped" ? ", it was switched off" : "";
  element("facts-line").replaceChildren(`${meaning[known.presence]}${reason} · last heard of ${format.ago(known.lastSeenAt, nowMs)}, `,
    moment(known.lastSeenAt, format.stamp(known.lastSeenAt)));
  const entries = known.heartbeat?.degraded || [];
  const said = known.presence === "online" ? "" : " (when last heard of)";
  element("degraded").replaceChildren(...entries.map((entry) => make("li", words.stops(entry.code) ? "degraded blind" : "degraded", words.degradation(entry) + said)));
}

function drawState() {
  const beat = known.heartbeat;
  const facts = [];
  const add = (name, ...value) => facts.push(...fact(name, ...value));
  if (!beat) {
    add("Heartbeat", "none yet");
  } else {
    add(known.presence === "online" ? "Speed" : "Speed, when last heard of", beat.speedMps == null ? "unknown" : format.speed(beat.speedMps));
    add("Limit", beat.limit == null ? "unknown" : format.limit(beat.limit, beat.limit.unit === "mph" ? beat.limit.value * 0.44704 : beat.limit.value / 3.6));
    add("Position", beat.position == null ? "unknown" : `${beat.position.lat.toFixed(5)}, ${beat.position.lon.toFixed(5)}`);
    add("Waiting in the vehicle", beat.queue.alerts === 0 ? "nothing" : `${beat.queue.alerts} messages, ${(beat.queue.bytes / 1024).toFixed(0)} KiB`);
    if (beat.camera) add("Camera", `${beat.camera.fps.toFixed(1)} pictures a second, ${beat.camera.dropped} left out since start`);
    if (beat.perceptionMs) add("Time to judge a picture", `${beat.perceptionMs.p50} ms, 99 in 100 within ${beat.perceptionMs.p99} ms`);
    if (beat.odometerM != null) add("Driven since installation", format.way(beat.odometerM));
    add("Running for", format.span(beat.uptimeS));
    add("Software", `agent ${beat.software}, ${beat.model ? "model " + beat.model : "no model"}`);
    const held = Object.entries(beat.suppressed || {}).filter(([, count]) => count > 0);
    if (held.length) add("Not warned of, since start", held.map(([name, count]) => `${count} × ${name}`).join(", "));
  }
  const gaps = known.missing.map(({ fromSeq, toSeq }) => (fromSeq === toSeq ? `message ${fromSeq}` : `messages ${fromSeq} to ${toSeq}`));
  add("Never arrived", gaps.length ? make("span", "degraded", gaps.join(", ")) : "nothing is missing");
  if (known.droppedByVehicle > 0) add("Dropped in the vehicle", make("span", "degraded", `${known.droppedByVehicle} messages`));
  element("facts").replaceChildren(...facts);
}

/** The chosen day in the viewer's zone. */
function daySpan() {
  const [year, month, day] = element("day").value.split("-").map(Number);
  const at = (offset) => (preferences.zone === "utc" ? Date.UTC(year, month - 1, day + offset) : +new Date(year, month - 1, day + offset));
  return { since: new Date(at(0)).toISOString(), until: new Date(at(1)).toISOString() };
}

/** Where it was; `isNew` when the viewer has asked for it, and the map has to show all of it. */
const loadTrack = part(element("map-part"), async (isNew = true) => {
  if (!element("day").value) return;
  const track = await get(`${path}/track` + query(daySpan()));
  const count = track.points.length;
  const facts = [count === 0 ? "no positions on this day" : count === 1 ? "1 position" : `${count} positions`];
  if (track.distanceM != null) facts.push(`${format.way(track.distanceM)} by the odometer`);
  element("track-facts").textContent = facts.join(" · ");
  map ??= await makeMap("map");
  if (!map) return;
  map.redraw();
  driven = track.points.map(({ lat, lon }) => [lat, lon]);
  drawMarks();
  if (isNew) map.fit(driven.length === 0 ? here() : untilNow());
});

/** Where it was heard of last, as a list of one point or none. */
function here() {
  const position = known?.heartbeat?.position;
  return position ? [[position.lat, position.lon]] : [];
}

/** The day's track; today's leads to where it is. */
const untilNow = () => (driven.length > 0 && element("day").value === today() ? [...driven, ...here()] : driven);

function drawMarks() {
  map?.track(untilNow());
  map?.show(known ? [vehiclePoint({ ...known, position: known.heartbeat?.position }, known.presence, false)].filter(Boolean) : [],
    latest.map((alert) => alertPoint(alert, words.what(alert))).filter(Boolean));
}

const loadLatest = part(element("near-part"), async () => {
  const page = await get("/api/v1/alerts" + query({ fleet, vehicle, limit: 20 }));
  latest = page.alerts.sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  element("all-alerts").href = "/" + query({ fleet, vehicle });
  element("near").replaceChildren(...latest.map((alert) => make("li", "", link("/alerts/" + encodeURIComponent(alert.id), "alert",
    make("span", "line", make("span", "severity " + alert.severity, alert.severity), moment(alert.startedAt, format.clock(alert.startedAt)),
      alert.review === "new" ? null : make("span", "review " + alert.review, words.review(alert.review)),
      make("span", "what", words.what(alert)))))));
  element("no-near").hidden = latest.length !== 0;
  return page.nextCursor;
});

const loadRates = part(element("rates-part"), async () => {
  const since = new Date(now() - rateDays * 86400000).toISOString();
  const [{ rows }, byVehicle] = await Promise.all([
    get("/api/v1/stats" + query({ by: "kind", fleet, vehicle, since })), get("/api/v1/stats" + query({ by: "vehicle", fleet, vehicle, since }))]);
  const distanceM = byVehicle.rows[0]?.distanceM;
  const total = rows.reduce((sum, row) => sum + row.alerts, 0);
  const facts = [...fact("Alerts", String(total)), ...fact("Driven", distanceM == null ? "unknown" : format.way(distanceM))];
  facts.push(...fact(format.isMiles() ? "Alerts per 100 miles" : "Alerts per 100 km", words.rate(total, distanceM)));
  for (const row of rows) {
    const judged = row.confirmed + row.falseAlarm + row.coached;
    facts.push(...fact(words.kind(row.group), `${row.alerts}, ` +
      (judged ? `${row.falseAlarm} of ${judged} reviewed were false alarms (${Math.round(100 * row.falseAlarm / judged)} %)` : "none reviewed")));
  }
  element("rates").replaceChildren(make("dl", "facts", ...facts));
});

/** Today in the viewer's zone, as the control of the day has it. */
function today() {
  const at = new Date(now());
  if (preferences.zone === "utc") return at.toISOString().slice(0, 10);
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, "0")}-${String(at.getDate()).padStart(2, "0")}`;
}
element("day").addEventListener("change", () => loadTrack());

const look = part(element("summary"), load);
offerPreferences(() => {
  if (known) drawSummary();
  if (known) drawState();
  loadLatest();
  loadRates();
  loadTrack();
});
const begun = Promise.all([look(), loadLatest(), viewer]);
begun.then(async ([, cursor]) => {
  element("day").value = today();
  if (known) await Promise.all([loadTrack(), loadRates()]);
  element("main").classList.remove("waiting");
  if (!known) return;
  const fresh = async () => {
    await Promise.all([loadLatest(), loadRates()]);
    drawMarks();
  };
  new Stream({ alert: fresh, review: fresh, back: () => look() }).open(cursor || 0, { fleet, vehicle });
  setInterval(async () => {
    if (document.hidden) return;
    await look();
    drawMarks();
  }, lookMs);
  setInterval(() => {
    if (!document.hidden && element("day").value === today()) loadTrack(false);
  }, trackMs);
});
