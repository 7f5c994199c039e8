// A map with what is on it: Leaflet where the server has it, tiles where it is configured with some. Neither is needed by the rest.

import { element, make, link } from "/web/dom.js";
import { get } from "/web/server.js";

/** Side of the squares in which points are put together, in pixels. */
const cell = 56;
const listedInPopup = 12;
const highestZoom = 18;
/** Whom the roads are by, and under which licence (ODbL 1.0). */
const copyright = "https://www.openstreetmap.org/copyright";

let loading;
/** Leaflet, fetched once; nothing where the server has none. */
function leaflet(view) {
  if (!view.leaflet) return Promise.resolve(undefined);
  loading ??= new Promise((found, failed) => {
    const style = document.createElement("link");
    style.rel = "stylesheet";
    style.href = "/web/leaflet/leaflet.css";
    const script = document.createElement("script");
    script.src = "/web/leaflet/leaflet.js";
    script.onload = () => found(window.L);
    script.onerror = () => failed(new Error("Leaflet cannot be loaded"));
    document.head.append(style, script);
  });
  return loading;
}

/** Width of a road in pixels: the greater the class (1 is a motorway) and the nearer, the wider. */
const roadWidth = (roadClass, zoom) => Math.max(0.6, (roadClass <= 2 ? 3.2 : roadClass <= 4 ? 2.6 : roadClass <= 8 ? 2 : roadClass <= 10 ? 1.5 : 1) * 1.25 ** (zoom - 13));

/** The roads of the server's map file, drawn square by square in the page's colours. */
function roads(L) {
  const draw = (canvas, tile, zoom) => {
    const style = getComputedStyle(document.documentElement);
    const colours = ["--road-great", "--road"].map((name) => style.getPropertyValue(name).trim());
    const pen = canvas.getContext("2d");
    pen.scale(canvas.width / 4096, canvas.width / 4096);
    pen.lineCap = pen.lineJoin = "round";
    for (const [roadClass, ...steps] of tile.roads.reverse()) {
      pen.strokeStyle = colours[roadClass <= 8 ? 0 : 1];
      pen.lineWidth = roadWidth(roadClass, zoom) * 16;
      let [x, y] = [0, 0];
      pen.beginPath();
      for (let at = 0; at + 1 < steps.length; at += 2) pen.lineTo((x += steps[at]), (y += steps[at + 1]));
      pen.stroke();
    }
  };
  return new (L.GridLayer.extend({
    createTile({ x, y, z }, done) {
      const canvas = document.createElement("canvas");
      const dots = window.devicePixelRatio || 1;
      canvas.width = canvas.height = 256 * dots;
      get(`/api/v1/roads/${z}/${x}/${y}`).then((tile) => {
        draw(canvas, tile, z);
        done(null, canvas);
      }, (error) => done(error, canvas));
      return canvas;
    },
  }))({ maxZoom: highestZoom, noWrap: true });
}

export class FleetMap {
  /** A map in `node`, or nothing: then the node says why. */
  static async make(node) {
    const view = await get("/api/v1/view");
    const L = await leaflet(view);
    if (!L) {
      node.replaceChildren(make("p", "empty", "No map here: the package libjs-leaflet is not installed on the server. Everything else works without it."));
      return undefined;
    }
    return new FleetMap(L, node, view);
  }

  constructor(L, node, view) {
    this.L = L;
    this.map = L.map(node, {
      zoomControl: true, maxZoom: highestZoom, worldCopyJump: true, preferCanvas: true, zoomAnimation: false, fadeAnimation: false,
      markerZoomAnimation: false, attributionControl: Boolean(view.tiles || view.roads),
    });
    node.classList.toggle("bare", !view.tiles);
    if (view.tiles) L.tileLayer(view.tiles, { maxZoom: highestZoom, attribution: this.plain(view.attribution) }).addTo(this.map);
    else if (view.roads) {
      this.roads = roads(L);
      // Leaflet makes the layer's element when the map has its first place.
      this.roads.on("add", () => this.roads.getContainer().setAttribute("aria-hidden", "true"));
      this.roads.addTo(this.map);
      this.map.attributionControl.addAttribution(link(copyright, "", "© OpenStreetMap contributors").outerHTML);
    }
    this.theme = this.colours;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
    L.control.scale({ metric: true, imperial: true }).addTo(this.map);
    this.groups = L.layerGroup().addTo(this.map);
    this.vehicles = [];
    this.alerts = [];
    this.map.setView([48, 11], 4);
    this.map.on("zoomend moveend", () => this.draw());
  }

  /** The attribution is read as HTML by Leaflet: nothing of it may be. */
  plain(text) {
    return make("span", "", text).innerHTML;
  }

  get colours() {
    return getComputedStyle(document.documentElement).getPropertyValue("--road").trim();
  }

  /** Draws the roads anew when the page's colours are others. */
  redraw() {
    if (this.theme === this.colours) return;
    this.theme = this.colours;
    this.roads?.redraw();
  }

  /** Follows where the viewer looks; `moved` gets latitude, longitude and zoom. */
  onMove(moved) {
    this.map.on("moveend", () => {
      const { lat, lng } = this.map.getCenter();
      moved(lat, lng, this.map.getZoom());
    });
  }

  look(lat, lon, zoom) {
    this.map.setView([lat, lon], zoom);
  }

  fit(points) {
    if (points.length === 0) return;
    this.map.fitBounds(this.L.latLngBounds(points), { padding: [30, 30], maxZoom: 14 });
  }

  show(vehicles, alerts) {
    this.vehicles = vehicles;
    this.alerts = alerts;
    this.draw();
  }

  /** Draws what is in sight, in squares of the screen: a thousand vehicles are as quick as ten. */
  draw() {
    this.groups.clearLayers();
    const sight = this.map.getBounds().pad(0.2);
    // Alerts of a square stand beside the vehicles there, not on them.
    const crowds = new Map();
    for (const [items, marker] of [[this.vehicles, vehicleMarker], [this.alerts, alertMarker]]) {
      const cells = new Map();
      for (const item of items) {
        const at = this.L.latLng(item.lat, item.lon);
        if (!sight.contains(at)) continue;
        const pixel = this.map.project(at);
        const name = `${Math.floor(pixel.x / cell)}/${Math.floor(pixel.y / cell)}`;
        if (!cells.has(name)) cells.set(name, []);
        cells.get(name).push({ item, at });
      }
      for (const [name, members] of cells) {
        const crowd = crowds.get(name);
        const place = crowd?.isMany && members.length > 1 ? crowd.place : middle(members);
        if (items === this.vehicles) crowds.set(name, { place, isMany: members.length > 1 });
        this.mark(members, marker, place, Boolean(crowd));
      }
    }
  }

  /** One marker for `members`; `isAside` when something else stands at its place, which is to stay in sight. */
  mark(members, marker, [lat, lon], isAside) {
    const { node, title } = marker(members.map(({ item }) => item));
    if (isAside) node.classList.add("aside");
    const size = isAside ? 24 : node.classList.contains("group") ? 36 : 26;
    const icon = this.L.divIcon({ html: node, className: "pin", iconSize: [size, size] });
    const pin = this.L.marker([lat, lon], { icon, title, alt: title, keyboard: true });
    pin.on("click", () => {
      const bounds = this.L.latLngBounds(members.map(({ at }) => at));
      const isOnePlace = bounds.getNorthEast().distanceTo(bounds.getSouthWest()) < 50;
      if (members.length > 1 && !isOnePlace && this.map.getZoom() < highestZoom) return this.map.fitBounds(bounds, { padding: [40, 40] });
      const list = make("ul", "popup", ...members.slice(0, listedInPopup).map(({ item }) => make("li", "", link(item.href, "", item.name), " " + item.text)));
      if (members.length > listedInPopup) list.append(make("li", "", `and ${members.length - listedInPopup} more`));
      this.L.popup().setLatLng([lat, lon]).setContent(list).openOn(this.map);
    });
    pin.addTo(this.groups);
    // A marker that can be reached by keyboard has to say what it is.
    const drawn = pin.getElement();
    drawn?.setAttribute("role", "button");
    drawn?.setAttribute("aria-label", title);
  }

  /** The one line along `points`. */
  track(points) {
    this.line?.remove();
    const color = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    this.line = this.L.polyline(points, { weight: 4, interactive: false, color }).addTo(this.map);
  }
}

/** The mean place of `members`. */
const middle = (members) => ["lat", "lng"].map((side) => members.reduce((sum, { at }) => sum + at[side], 0) / members.length);

const worst = (items, order, of) => order.find((value) => items.some((item) => of(item) === value)) || "";

function vehicleMarker(items) {
  const state = worst(items, ["blind", "stale", "online", "offline"], (item) => item.state);
  if (items.length === 1) {
    const [item] = items;
    const node = make("span", "spot " + state, item.headingDeg == null ? "●" : "▲");
    if (item.headingDeg != null) node.style.transform = `rotate(${Math.round(item.headingDeg)}deg)`;
    return { node, title: `${item.name}: ${item.text}` };
  }
  return { node: make("span", "group spot " + state, String(items.length)), title: `${items.length} vehicles` };
}

function alertMarker(items) {
  const state = worst(items, ["critical", "warning", "caution", "info"], (item) => item.state);
  const node = make("span", `${items.length > 1 ? "group " : ""}flag severity ${state}`, items.length > 1 ? String(items.length) : "!");
  return { node, title: items.length > 1 ? `${items.length} alerts, the worst ${state}` : `${items[0].name}: ${items[0].text}` };
}

/** A vehicle of the API as the map takes it; nothing without a position. */
export function vehiclePoint(vehicle, text, isBlind) {
  if (!vehicle.position) return undefined;
  const { lat, lon, headingDeg } = vehicle.position;
  return {
    lat, lon, headingDeg, name: vehicle.vehicle, text, href: `/vehicles/${vehicle.fleet}/${vehicle.vehicle}`,
    state: vehicle.presence !== "offline" && isBlind ? "blind" : vehicle.presence,
  };
}

/** An alert of the API as the map takes it; nothing without a position. */
export function alertPoint(alert, text) {
  if (!alert.position) return undefined;
  return { lat: alert.position.lat, lon: alert.position.lon, name: alert.vehicle, text, href: "/alerts/" + alert.id, state: alert.severity };
}

/** Makes the map in the element `id`. */
export const makeMap = (id) => FleetMap.make(element(id));
