// The live page: alerts, map and vehicles, each for itself, over one set of filters.

import { element, part } from "/web/dom.js";
import { offerPreferences } from "/web/preferences.js";
import { isSignedOut, query } from "/web/server.js";
import { viewer, may } from "/web/viewer.js";
import { Stream, connection } from "/web/stream.js";
import { Filters } from "/web/filters.js";
import { Feed } from "/web/feed.js";
import { Fleet } from "/web/fleet.js";
import { makeMap, vehiclePoint, alertPoint } from "/web/map.js";
import * as words from "/web/words.js";

let map;
let isPlaced = false;
let points = { vehicles: [], alerts: [] };

const filters = new Filters(() => {
  loadFeed();
  fleet.draw();
});
const fleet = new Fleet(filters, (vehicles) => {
  points.vehicles = vehicles.map((vehicle) => {
    const isBlind = vehicle.degraded.some(({ code }) => words.stops(code));
    return vehiclePoint(vehicle, isBlind ? vehicle.presence + ", cannot warn" : vehicle.presence, isBlind);
  }).filter(Boolean);
  // The server's time is known now.
  feed.tick();
  drawMap();
});
const feed = new Feed(() => fleet.now(), (alerts) => {
  points.alerts = alerts.map((alert) => alertPoint(alert, words.what(alert))).filter(Boolean);
  drawMap();
});
const stream = new Stream({
  alert: (alert) => feed.take(alert),
  review: (review) => feed.review(review),
  back: () => {
    loadFeed();
    loadFleet();
  },
  isBusy: () => feed.isBeingRead,
});

/** The list of the filters as a file, for those who may have it. */
async function offerExport() {
  const link = element("export");
  link.hidden = !may(await viewer, "reviewer");
  // What "the last hour" is, the click decides.
  link.addEventListener("click", () => (link.href = "/api/v1/export" + query({ ...filters.parameters, format: "csv" })));
}

const loadFeed = part(element("feed-part"), async () => {
  // The last hour is the last one of the server.
  if (filters.values.when) await viewer;
  const parameters = filters.parameters;
  const cursor = await feed.load(parameters);
  if (cursor !== undefined) stream.open(cursor, parameters);
});
const loadFleet = part(element("fleet-part"), () => fleet.load());

let isDrawing = false;
/** At most once a frame, however much comes in. */
function drawMap() {
  if (!map || isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    showOnMap();
  });
}

const showOnMap = part(element("map-part"), () => {
  if (!isPlaced && points.vehicles.length + points.alerts.length > 0) {
    isPlaced = true;
    map.fit((points.vehicles.length ? points.vehicles : points.alerts).map(({ lat, lon }) => [lat, lon]));
  }
  map.show(points.vehicles, points.alerts);
});

const loadMap = part(element("map-part"), async () => {
  map = await makeMap("map");
  if (!map) return;
  const place = (new URLSearchParams(location.search).get("map") || "").split(",").map(Number);
  if (place.length === 3 && place.every(Number.isFinite)) {
    isPlaced = true;
    map.look(...place);
  }
  await showOnMap();
  map.onMove((lat, lon, zoom) => {
    if (!isPlaced) return;
    const address = new URLSearchParams(location.search);
    address.set("map", `${lat.toFixed(5)},${lon.toFixed(5)},${zoom}`);
    history.replaceState(null, "", location.pathname + "?" + address.toString().replace(/%3A/g, ":").replace(/%2C/g, ","));
  });
});

offerPreferences(() => {
  feed.redraw();
  fleet.draw();
  map?.redraw();
});
offerExport();
loadFeed();
loadFleet().then(() => {
  if (isSignedOut()) return;
  fleet.follow((isWell, error) => {
    if (!isWell) connection(`Connection lost: what is shown may be old (${error.message}). Trying again …`, true);
    else if (stream.source?.readyState === EventSource.OPEN) connection("Connected");
  });
});
loadMap();
