// The alert page: what happened, what was seen, how it went, why it fired, and what people say of it.

import { element, make, link, moment, fact, part } from "/web/dom.js";
import { offerPreferences, preferences, choose } from "/web/preferences.js";
import { get, send, query } from "/web/server.js";
import { viewer, may, now } from "/web/viewer.js";
import { Stream, connection } from "/web/stream.js";
import { showSnapshot, fit } from "/web/snapshot.js";
import { lineChart } from "/web/chart.js";
import { makeMap, alertPoint } from "/web/map.js";
import * as words from "/web/words.js";
import * as format from "/web/format.js";

const id = location.pathname.split("/").pop();
/** How far before and after neighbours are looked for, in ms. */
const nearMs = 7200000;
const rateDays = 30;
let shown; // { alert, revisions, reviews }
let map;

async function load() {
  try {
    shown = await get("/api/v1/alerts/" + encodeURIComponent(id));
  } catch (error) {
    if (error.status !== 404 && error.status !== 400) throw error;
    element("what").textContent = "No such alert";
    element("facts-line").textContent = "It may have been removed by the server's retention.";
    for (const panel of document.querySelectorAll("main .panel:not(#summary)")) panel.hidden = true;
    connection("");
    return;
  }
  await draw();
}

/** Each part by itself: one that fails leaves the others. */
async function draw() {
  const parts = [["summary", drawSummary], ["picture-part", drawPicture], ["chart-part", drawChart], ["review-part", drawReviews], ["why-part", drawReasons],
    ["near-part", drawNear], ["map-part", drawMap]];
  await Promise.all(parts.map(([name, run]) => part(element(name), run)()));
}

function drawSummary() {
  const { alert } = shown;
  document.title = `${words.kind(alert.kind)}, ${alert.vehicle} · Fleet view`;
  element("what").replaceChildren(make("span", "severity " + alert.severity, alert.severity), " ", words.what(alert));
  const end = alert.endedAt ? `, ${format.span((new Date(alert.endedAt) - new Date(alert.startedAt)) / 1000)}` : "";
  const line = [link(`/vehicles/${alert.fleet}/${alert.vehicle}`, "", `${alert.fleet}/${alert.vehicle}`), " · ",
    moment(alert.startedAt, format.stamp(alert.startedAt)), `${end} · ${words.state(alert)}`];
  if (alert.late) line.push(` · arrived late, ${format.stamp(alert.receivedAt)}`);
  if (alert.origin === "replay") line.push(" · replay of a recording, not counted");
  line.push(" · ", make("span", "review " + alert.review, words.review(alert.review)));
  element("facts-line").replaceChildren(...line);
}

function drawPicture() {
  showSnapshot(element("picture"), id, shown.revisions);
}

function drawChart() {
  const { alert, revisions } = shown;
  const begun = new Date(alert.startedAt);
  const after = (iso) => (new Date(iso) - begun) / 1000;
  const node = element("chart");
  if (alert.collision) {
    const points = new Map();
    for (const { at, collision } of revisions) for (const [t, ttc] of collision?.ttcSeries || []) points.set((after(at) + t).toFixed(2), ttc);
    const line = [...points].map(([t, ttc]) => [Number(t), ttc]).sort((a, b) => a[0] - b[0]);
    if (line.length === 0) return node.replaceChildren(make("p", "empty", "No time to collision was measured."));
    const least = line.reduce((a, b) => (b[1] < a[1] ? b : a));
    lineChart(node, {
      points: line, levels: [], marks: [least], xName: "s from the beginning", yName: "s to collision",
      words: `Time to collision over ${format.span(line.at(-1)[0] - line[0][0])}; the least is ${format.span(least[1])}.`,
    });
  } else if (alert.overspeed) {
    const { limitMps, toleranceMps, maxSpeedMps } = alert.overspeed;
    const line = revisions.filter(({ speedMps }) => speedMps != null).map(({ at, speedMps }) => [after(at), format.speedValue(speedMps)]);
    if (line.length === 0) return node.replaceChildren(make("p", "empty", "No speed was told."));
    lineChart(node, {
      points: line, marks: line, xName: "s from the beginning", yName: preferences.unit,
      levels: [{ value: format.speedValue(limitMps), name: "limit", className: "limit" },
        { value: format.speedValue(limitMps + toleranceMps), name: "", className: "tolerance" },
        { value: format.speedValue(maxSpeedMps), name: "highest", className: "highest" }],
      words: `Speed as told in ${line.length === 1 ? "one message" : line.length + " messages"}; the highest is ${format.speed(maxSpeedMps)}, ` +
        `${format.speed(maxSpeedMps - limitMps)} above the limit.`,
    });
  } else if (alert.headway) {
    const line = revisions.filter(({ headway }) => headway).map(({ at, headway }) => [after(at), headway.timeHeadwayS]);
    lineChart(node, {
      points: line, marks: line, levels: [], xName: "s from the beginning", yName: "s behind",
      words: `Time to the vehicle ahead, as told in ${line.length === 1 ? "one message" : line.length + " messages"}.`,
    });
  } else {
    // Of a landmark nothing goes on.
    element("chart-part").hidden = true;
  }
}

function drawReasons() {
  const { alert } = shown;
  element("why").replaceChildren(...words.reasons(alert).map((text) => make("li", "", text)));
  const facts = [];
  if (alert.position) {
    const { lat, lon, headingDeg, accuracyM } = alert.position;
    const place = `${lat.toFixed(5)}, ${lon.toFixed(5)}` + (accuracyM == null ? "" : ` within ${format.metres(accuracyM)}`) +
      (headingDeg == null ? "" : `, heading ${format.compass(headingDeg)}`);
    facts.push(...fact("Where", place));
  } else {
    facts.push(...fact("Where", "unknown"));
  }
  facts.push(...fact("Speed", alert.speedMps == null ? "unknown" : format.speed(alert.speedMps, 1)));
  if (alert.collision) {
    const c = alert.collision;
    const distance = c.distanceM == null ? "" : `, ${format.metres(c.distanceM)} away` + (c.distanceSdM == null ? "" : ` (± ${format.metres(c.distanceSdM)})`);
    facts.push(...fact("Object", `${c.class}, track ${c.track}${distance}` + (c.closingMps == null ? "" : `, closing at ${format.speed(c.closingMps)}`)));
  }
  const delay = (new Date(alert.receivedAt) - new Date(alert.at)) / 1000;
  facts.push(...fact("Received", format.stamp(alert.receivedAt) + (delay >= 0 ? `, ${format.span(delay)} after it happened` : ", before its own time: the vehicle's clock is ahead")),
    ...fact("Vehicle's clock", words.clockState(alert.clock)),
    ...fact("Messages", `${shown.revisions.length} (revision ${alert.revision}, event ${alert.seq})`),
    ...fact("Software", `agent ${alert.software}, ${alert.model ? "model " + alert.model : "no model"}`), ...fact("Id", alert.id));
  element("facts").replaceChildren(...facts);
}

async function drawNear() {
  const { alert } = shown;
  const at = Date.parse(alert.startedAt);
  const page = await get("/api/v1/alerts" + query({
    fleet: alert.fleet, vehicle: alert.vehicle, since: new Date(at - nearMs).toISOString(), until: new Date(at + nearMs).toISOString(), limit: 200,
  }));
  const sorted = page.alerts.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const here = sorted.findIndex((other) => other.id === alert.id);
  const near = here < 0 ? sorted : sorted.slice(Math.max(0, here - 5), here + 6);
  element("near").replaceChildren(...near.map((other) => {
    const line = make("span", "line", make("span", "severity " + other.severity, other.severity), moment(other.startedAt, format.clock(other.startedAt)),
      make("span", "what", words.what(other)));
    if (other.id === alert.id) {
      const row = make("li", "here", line);
      row.setAttribute("aria-current", "true");
      return row;
    }
    return make("li", "", link("/alerts/" + encodeURIComponent(other.id), "alert", line));
  }));
  element("no-near").hidden = near.length > 1;
  element("near").hidden = near.length <= 1;
}

async function drawReviews() {
  const { alert, reviews } = shown;
  offerReview(await viewer);
  const form = element("review");
  if (!form.dataset.touched) for (const choice of form.elements.state) choice.checked = choice.value === alert.review;
  element("history").replaceChildren(...reviews.toReversed().map((review) =>
    make("li", "", make("span", "line", make("span", "review " + review.state, words.review(review.state)),
      make("strong", "", review.name || "nobody named"), moment(review.at, format.stamp(review.at))), review.note ? make("p", "note", review.note) : null)));
  if (reviews.length === 0) element("history").replaceChildren(make("li", "empty", "Nobody has reviewed this alert."));
  const since = new Date(now() - rateDays * 86400000).toISOString();
  const stats = await get("/api/v1/stats" + query({ by: "kind", fleet: alert.fleet, vehicle: alert.vehicle, since }));
  const row = stats.rows.find(({ group }) => group === alert.kind);
  const judged = row ? row.confirmed + row.falseAlarm + row.coached : 0;
  element("rates").textContent = judged
    ? `This vehicle's alerts of this kind in the last ${rateDays} days: ${row.alerts}, reviewed: ${judged}, of these false alarms: ${row.falseAlarm} (${Math.round(100 * row.falseAlarm / judged)} %).`
    : `None of this vehicle's alerts of this kind in the last ${rateDays} days is reviewed yet.`;
}

async function drawMap() {
  const point = alertPoint(shown.alert, words.what(shown.alert));
  element("map-part").hidden = !point;
  if (!point) return;
  if (!map) {
    map = await makeMap("map");
    map?.look(point.lat, point.lon, 15);
  }
  map?.redraw();
  map?.show([], [point]);
}

/** Who signed in is named by the server, who did not says it here. */
function offerReview(who) {
  const isSignedIn = who && who.signIn !== "none";
  element("review").hidden = !may(who, "reviewer");
  element("may-not").hidden = may(who, "reviewer");
  element("name-field").hidden = Boolean(isSignedIn);
  element("review-as").textContent = isSignedIn ? `as ${who.name}` : "";
}

function takeReviews() {
  const form = element("review");
  element("name").value = preferences.name;
  form.addEventListener("input", () => (form.dataset.touched = "yes"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const message = element("review-message");
    const state = form.elements.state.value;
    if (!state) return (message.textContent = "Choose a judgement first.");
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      const name = element("name").value.trim();
      const note = element("note").value;
      await send("POST", `/api/v1/alerts/${id}/reviews`, { state, note, name });
      choose("name", name);
      // Whoever has gone on writing meanwhile keeps it.
      if (element("note").value === note) {
        element("note").value = "";
        delete form.dataset.touched;
      }
      message.textContent = "Saved.";
      await reload();
    } catch (error) {
      message.textContent = "Not saved: " + error.message;
    }
    button.disabled = false;
  });
}

for (const button of element("fit-toggle").children) {
  button.addEventListener("click", () => {
    fit(element("picture"), button.dataset.fit);
    for (const other of element("fit-toggle").children) other.setAttribute("aria-pressed", String(other === button));
  });
}

const reload = part(element("summary"), load);
offerPreferences(() => shown && draw());
takeReviews();
reload().then(() => {
  element("main").classList.remove("waiting");
  if (!shown) return;
  const { fleet, vehicle } = shown.alert;
  const mine = (other) => {
    if (other.id === id) reload();
  };
  new Stream({ alert: mine, review: mine, back: reload }).open(Math.max(...shown.revisions.map(({ cursor }) => cursor)), { fleet, vehicle });
});
