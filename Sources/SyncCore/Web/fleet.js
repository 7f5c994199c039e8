// The list of vehicles: those that cannot warn, or are not there, first.

import { element, make, link } from "/web/dom.js";
import { get } from "/web/server.js";
import * as words from "/web/words.js";
import * as format from "/web/format.js";

const shownAtFirst = 60;
/** Between looks in ms: heartbeats come every ten seconds. */
const lookMs = 5000;
const lookMsOfMany = 10000;
const many = 200;

const isWithoutSight = (vehicle) => vehicle.degraded.some((entry) => words.stops(entry.code));

/** The lower, the sooner somebody should look. */
function rank(vehicle) {
  if (vehicle.presence === "offline") return 3;
  if (isWithoutSight(vehicle)) return 0;
  if (vehicle.presence === "stale") return 1;
  return vehicle.degraded.length > 0 || vehicle.waiting > 0 || vehicle.missing > 0 ? 2 : 4;
}

export class Fleet {
  /** `changed` is called with the vehicles after every look. */
  constructor(filters, changed) {
    this.filters = filters;
    this.changed = changed;
    this.vehicles = [];
    this.offsetMs = 0;
    this.isWhole = false;
    element("all-vehicles").addEventListener("click", () => {
      this.isWhole = true;
      this.draw();
    });
  }

  /** The server's time: a viewer's clock may be wrong. */
  now() {
    return Date.now() + this.offsetMs;
  }

  get pauseMs() {
    return this.vehicles.length > many ? lookMsOfMany : lookMs;
  }

  async load() {
    const list = await get("/api/v1/vehicles?brief=true");
    this.offsetMs = new Date(list.at) - Date.now();
    this.vehicles = list.vehicles;
    this.filters.offerFleets([...new Set(list.vehicles.map(({ fleet }) => fleet))]);
    this.filters.offerVehicles([...new Set(list.vehicles.map(({ vehicle }) => vehicle))]);
    this.draw();
  }

  draw() {
    const shown = this.vehicles.filter((vehicle) => this.filters.includes(vehicle));
    const counts = { online: 0, stale: 0, offline: 0 };
    for (const { presence } of shown) counts[presence]++;
    const blind = shown.filter((vehicle) => vehicle.presence !== "offline" && isWithoutSight(vehicle)).length;
    element("fleet-counts").replaceChildren(
      make("span", "presence online", `${counts.online} online`), make("span", "presence stale", `${counts.stale} stale`),
      make("span", "presence offline", `${counts.offline} offline`), make("span", blind ? "presence blind" : "presence", `${blind} cannot warn`));
    const sorted = shown.map((vehicle) => [rank(vehicle), vehicle]).sort((a, b) => a[0] - b[0]).map(([, vehicle]) => vehicle);
    const listed = this.isWhole ? sorted : sorted.slice(0, shownAtFirst);
    const list = element("vehicles");
    // The focus stays where it was, though the list is drawn anew.
    const focused = document.activeElement?.closest?.("#vehicles li")?.dataset.vehicle;
    list.replaceChildren(...listed.map((vehicle) => this.rowOrExcuse(vehicle)));
    if (focused) list.querySelector(`li[data-vehicle="${CSS.escape(focused)}"] a`)?.focus({ preventScroll: true });
    const rest = element("all-vehicles");
    rest.hidden = listed.length === sorted.length;
    rest.textContent = `Show all ${sorted.length} vehicles`;
    element("no-vehicles").hidden = shown.length !== 0;
    element("no-vehicles").textContent = this.vehicles.length
      ? "No vehicle fits the filters." : "No vehicle has reported yet. An agent appears here as soon as it connects to the broker.";
    this.changed(shown);
  }

  /** One vehicle that cannot be shown costs its own row, not the list. */
  rowOrExcuse(vehicle) {
    try {
      return this.row(vehicle);
    } catch (error) {
      return make("li", "vehicle", `${vehicle.fleet}/${vehicle.vehicle} cannot be shown: ${error.message}`);
    }
  }

  row(vehicle) {
    const facts = [];
    if (vehicle.speedMps != null && vehicle.presence === "online") facts.push(format.speed(vehicle.speedMps));
    if (vehicle.presence !== "online") facts.push("last heard of " + format.ago(vehicle.lastSeenAt, this.now()));
    if (vehicle.waiting > 0) facts.push(`${vehicle.waiting} ${vehicle.waiting === 1 ? "message waits" : "messages wait"} in the vehicle`);
    if (vehicle.missing > 0) facts.push(`${vehicle.missing} ${vehicle.missing === 1 ? "message" : "messages"} never arrived`);
    const row = make("li", "vehicle " + vehicle.presence,
      make("span", "line", link(`/vehicles/${vehicle.fleet}/${vehicle.vehicle}`, "", vehicle.vehicle), make("span", "fleet", vehicle.fleet),
        make("span", "presence " + vehicle.presence, vehicle.presence), make("span", "soft", facts.join(" · "))),
      ...vehicle.degraded.map((entry) => make("span", words.stops(entry.code) ? "degraded blind" : "degraded", words.degradation(entry))));
    row.dataset.vehicle = `${vehicle.fleet}/${vehicle.vehicle}`;
    return row;
  }

  /** Looks again and again; `told` hears whether it went well. */
  follow(told) {
    const look = async () => {
      let pauseMs = this.pauseMs;
      if (!document.hidden) {
        try {
          await this.load();
          told(true);
        } catch (error) {
          if (error.name === "SignInNeeded") return;
          pauseMs = lookMs;
          told(false, error);
        }
      }
      setTimeout(look, pauseMs);
    };
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.load().then(() => told(true), () => {});
    });
    setTimeout(look, this.pauseMs);
  }
}
