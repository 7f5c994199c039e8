// Numbers and times as the viewer chose to read them. Inside everything is SI and UTC.

import { preferences } from "/web/preferences.js";
import { now } from "/web/viewer.js";

const metresPerSecond = { "km/h": 3.6, mph: 2.2369362920544 };

export const isMiles = () => preferences.unit === "mph";
export const speedValue = (mps) => mps * metresPerSecond[preferences.unit];
export const speed = (mps, places = 0) => `${speedValue(mps).toFixed(places)} ${preferences.unit}`;

/** A limit as on its sign, and in the viewer's unit where that is another. */
export const limit = (given, mps) =>
  given.unit === preferences.unit ? `${given.value} ${given.unit}` : `${given.value} ${given.unit} (${speed(mps)})`;

/** Metres on the road ahead. */
export const metres = (m) => (m < 10 ? m.toFixed(1) : m.toFixed(0)) + " m";
/** The way driven. */
export const way = (m) => (isMiles() ? `${(m / 1609.344).toFixed(m < 16093 ? 1 : 0)} miles` : `${(m / 1000).toFixed(m < 10000 ? 1 : 0)} km`);

export function span(s) {
  if (s < 10) return s.toFixed(1) + " s";
  if (s < 120) return Math.round(s) + " s";
  if (s < 7200) return Math.round(s / 60) + " min";
  if (s < 172800) return Math.round(s / 3600) + " h";
  return Math.round(s / 86400) + " days";
}

export function ago(iso, nowMs) {
  const s = (nowMs - new Date(iso)) / 1000;
  if (s < -5) return "ahead of this server's clock";
  return s < 5 ? "just now" : span(Math.max(10, s)) + " ago";
}

const formats = new Map();
function format(name, options) {
  const key = name + preferences.zone;
  if (!formats.has(key)) {
    formats.set(key, new Intl.DateTimeFormat(undefined, { ...options, timeZone: preferences.zone === "utc" ? "UTC" : undefined }));
  }
  return formats.get(key);
}

/** Date and time to the second, with the zone: there are hours that a clock shows twice. */
export const stamp = (iso) => format("stamp", { dateStyle: "medium", timeStyle: "long" }).format(new Date(iso));
const isToday = (at) => {
  const day = format("day", { dateStyle: "short" });
  return day.format(at) === day.format(now());
};
const minutes = (at) => format("minutes", { timeStyle: "short" }).format(at);
const dated = (at) => {
  const year = at.getFullYear() === new Date(now()).getFullYear() ? undefined : "numeric";
  return `${format("short" + (year || ""), { day: "numeric", month: "short", year }).format(at)}, ${minutes(at)}`;
};

/** The time to the second; of another day its date, hours and minutes. */
export function clock(iso) {
  const at = new Date(iso);
  return isToday(at) ? format("time", { timeStyle: "medium" }).format(at) : dated(at);
}
/** Hours and minutes, with the date when that is not today's. */
export function since(iso) {
  const at = new Date(iso);
  return isToday(at) ? minutes(at) : dated(at);
}

const winds = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
export const compass = (degrees) => winds[((Math.round(degrees / 45) % 8) + 8) % 8];
