// The statistics page: alerts by rule, day and vehicle, per distance, and how many of the reviewed ones were false alarms.

import { element, make, link, part } from "/web/dom.js";
import { offerPreferences } from "/web/preferences.js";
import { get, query } from "/web/server.js";
import { viewer, now } from "/web/viewer.js";
import { connection } from "/web/stream.js";
import { barChart } from "/web/chart.js";
import * as words from "/web/words.js";
import * as format from "/web/format.js";

const shownVehicles = 200;
const filters = () => ({ since: new Date(now() - Number(element("span").value) * 86400000).toISOString(), fleet: element("fleet").value });
const rows = async (by) => (await get("/api/v1/stats" + query({ ...filters(), by }))).rows;

function table(title, list, name) {
  const heads = [title, "Alerts", "Critical", "Warning", "Caution", "Info", "Reviewed", "False alarms", "Driven", format.isMiles() ? "per 100 miles" : "per 100 km"];
  const cell = (text, className) => make("td", className || "number", text);
  const body = list.map((row) => {
    const judged = row.confirmed + row.falseAlarm + row.coached;
    const head = make("th", "", name(row));
    head.scope = "row";
    return make("tr", "", head, ...[row.alerts, row.critical, row.warning, row.caution, row.info].map((count) => cell(String(count))),
      cell(judged ? `${judged}` : "–"), cell(judged ? `${row.falseAlarm} (${Math.round(100 * row.falseAlarm / judged)} %)` : "–"),
      cell(row.distanceM == null ? "–" : format.way(row.distanceM)), cell(words.rate(row.alerts, row.distanceM)));
  });
  const headings = heads.map((text, index) => {
    const head = make("th", index ? "number" : "", text);
    head.scope = "col";
    return head;
  });
  return make("table", "", make("thead", "", make("tr", "", ...headings)), make("tbody", "", ...body));
}

const loadKinds = part(element("kind-part"), async () => {
  const list = await rows("kind");
  element("by-kind").replaceChildren(list.length ? table("Rule", list, ({ group }) => words.kind(group)) : make("p", "empty", "No alerts in this time."));
});

const loadDays = part(element("day-part"), async () => {
  const list = await rows("day");
  if (list.length === 0) return element("by-day").replaceChildren(make("p", "empty", "No alerts in this time."));
  const counts = new Map(list.map((row) => [row.group, row]));
  barChart(element("by-day"), days(list[0].group).map((group) => {
    const { alerts, critical } = counts.get(group) || { alerts: 0, critical: 0 };
    return { name: group.slice(5), value: alerts, words: `${group}: ${alerts} alerts, ${critical} critical` };
  }), "Alerts by day: " + list.map(({ group, alerts }) => `${group} ${alerts}`).join(", "));
});

/** Every day from `first` to today, those without an alert, too. */
function days(first) {
  const all = [];
  for (let at = Date.parse(first); at <= now(); at += 86400000) all.push(new Date(at).toISOString().slice(0, 10));
  return all;
}

const loadVehicles = part(element("vehicle-part"), async () => {
  const list = (await rows("vehicle")).sort((a, b) => b.critical - a.critical || b.alerts - a.alerts);
  const shown = list.slice(0, shownVehicles);
  element("by-vehicle").replaceChildren(list.length ? table("Vehicle", shown, ({ group }) => link("/vehicles/" + group, "", group)) : make("p", "empty", "No alerts in this time."));
  if (shown.length < list.length) element("by-vehicle").append(make("p", "soft", `The ${shown.length} vehicles with the most critical alerts of ${list.length}.`));
});

async function load() {
  connection("Counting …");
  await viewer;
  await Promise.all([loadKinds(), loadDays(), loadVehicles()]);
  connection("Counted " + format.since(new Date(now()).toISOString()));
}

part(element("main"), async () => {
  const list = await get("/api/v1/vehicles?brief=true");
  for (const fleet of new Set(list.vehicles.map((vehicle) => vehicle.fleet))) element("fleet").append(make("option", "", fleet));
})();
element("filters").addEventListener("change", load);
element("filters").addEventListener("submit", (event) => event.preventDefault());
offerPreferences(load);
load().finally(() => element("main").classList.remove("waiting"));
