"use strict";
// Shows the agent's moments as they come: the frame fills the view (its longer side is cut), boxes follow it whatever the view's size.

const element = (id) => document.getElementById(id);
const colours = { info: "#3c82ff", caution: "#ffd028", warning: "#ff7a14", critical: "#ff2a22", path: "#ffd028", other: "#50dc6e" };
const ranks = ["other", "path", "info", "caution", "warning", "critical"];
const ownSigns = new Set();
let moment = null;
let image = null;

// Where a frame of the given size lies in a view that it fills: its place is x * scale + left, y * scale + top.
function aspectFill(frameWidth, frameHeight, viewWidth, viewHeight) {
  const scale = Math.max(viewWidth / frameWidth, viewHeight / frameHeight);
  return { scale, left: (viewWidth - frameWidth * scale) / 2, top: (viewHeight - frameHeight * scale) / 2 };
}

// A free place for a label beside a box, or null; `taken` grows by it.
function placeLabel(box, width, height, view, taken) {
  const places = [
    [box.x, box.y - height], [box.x + box.w - width, box.y - height], [box.x, box.y + box.h], [box.x + box.w - width, box.y + box.h],
    [box.x, box.y], [box.x, box.y - 2 * height], [box.x, box.y + box.h + height],
  ];
  for (const [wantedX, y] of places) {
    const x = Math.min(Math.max(0, wantedX), view.width - width);
    const meets = (t) => x < t.x + t.w && t.x < x + width && y < t.y + t.h && t.y < y + height;
    if (x < 0 || y < view.top || y + height > view.height || taken.some(meets)) continue;
    taken.push({ x, y, w: width, h: height });
    return { x, y };
  }
  return null;
}

const rank = (object) => ranks.indexOf(object.severity ?? (object.inPath ? "path" : "other"));

function label(object) {
  const parts = [object.class];
  if (object.ttcS != null && object.ttcS < 10) parts.push(`${object.ttcS.toFixed(1)} s`);
  if (object.distanceM != null) parts.push(`${object.distanceM} m`);
  return parts.join(" ");
}

function draw() {
  const canvas = element("picture");
  const view = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, view.width, view.height);
  if (!moment?.width || !image) return;
  const fill = aspectFill(moment.width, moment.height, view.width, view.height);
  context.drawImage(image, fill.left, fill.top, moment.width * fill.scale, moment.height * fill.scale);

  const mapped = ([x, y, w, h]) => ({
    x: x * moment.width * fill.scale + fill.left, y: y * moment.height * fill.scale + fill.top,
    w: w * moment.width * fill.scale, h: h * moment.height * fill.scale,
  });
  const fontSize = Math.max(11, Math.min(22, Math.min(view.width, view.height) / 36));
  context.font = `600 ${fontSize}px system-ui, "DejaVu Sans", sans-serif`;
  context.textBaseline = "middle";
  // The most urgent choose their label's place first and are drawn last.
  const things = [
    ...moment.objects.map((o) => ({ box: mapped(o.box), text: label(o), rank: rank(o) })),
    ...moment.landmarks.map((l) => ({ box: mapped(l.box), text: l.name, rank: ranks.indexOf("info") })),
  ].sort((a, b) => b.rank - a.rank);
  const banner = element("banner").hidden ? 0 : element("banner").getBoundingClientRect().height;
  const room = { width: view.width, height: view.height - element("speed").closest("footer").getBoundingClientRect().height, top: banner };
  const taken = [];
  for (const thing of things) {
    thing.width = context.measureText(thing.text).width + fontSize * 0.7;
    thing.place = placeLabel(thing.box, thing.width, fontSize * 1.5, room, taken);
  }
  for (const thing of things.toReversed()) {
    const colour = colours[ranks[thing.rank]];
    context.strokeStyle = colour;
    context.lineWidth = thing.rank >= 3 ? 4 : 2;
    context.strokeRect(thing.box.x, thing.box.y, thing.box.w, thing.box.h);
  }
  for (const thing of things.toReversed()) {
    if (!thing.place) continue;
    context.fillStyle = colours[ranks[thing.rank]];
    context.fillRect(thing.place.x, thing.place.y, thing.width, fontSize * 1.5);
    context.fillStyle = thing.rank >= 4 ? "#fff" : "#000";
    context.fillText(thing.text, thing.place.x + fontSize * 0.35, thing.place.y + fontSize * 0.78);
  }
}

const svg = (inner) => `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${inner}</svg>`)}`;
const triangle = (inner) => svg(`<path d="M50 7 97 90H3z" fill="#fff"/><path d="M50 11 93 88H7z" fill="#c81020"/><path d="M50 29 79 80H21z" fill="#fff"/>${inner}`);
const builtIn = {
  collision: () => triangle('<path d="M47 42h6v22h-6zM47 68h6v7h-6z"/>'),
  headway: () => triangle('<path d="M44 44h12v9H44zM40 66h20v11H40z"/>'),
  overspeed: (alert) => svg(`<circle cx="50" cy="50" r="48" fill="#fff"/><circle cx="50" cy="50" r="46" fill="#c81020"/><circle cx="50" cy="50" r="36" fill="#fff"/><text x="50" y="63" font-family="system-ui, DejaVu Sans, sans-serif" font-weight="700" font-size="${alert.limit && String(alert.limit.value).length > 2 ? 30 : 38}" text-anchor="middle">${alert.limit ? Number(alert.limit.value) : ""}</text>`),
};

function showSigns(alerts) {
  const seen = new Set();
  const sources = [];
  for (const alert of alerts) {
    if (seen.has(alert.kind)) continue;
    seen.add(alert.kind);
    if (ownSigns.has(alert.kind)) sources.push(`signs/${alert.kind}`);
    else if (builtIn[alert.kind]) sources.push(builtIn[alert.kind](alert));
  }
  const holder = element("signs");
  const key = sources.join("\n");
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren(...sources.map((source) => Object.assign(new Image(), { src: source, alt: "" })));
}

function showWords() {
  const worst = moment.alerts[0];
  const banner = element("banner");
  banner.hidden = !worst;
  if (worst && banner.textContent !== worst.words) banner.textContent = worst.words;
  banner.className = worst?.severity ?? "";
  element("speed").textContent = moment.speed ?? "--";
  element("unit").textContent = moment.unit;
  element("limit").textContent = moment.limit ? `limit ${moment.limit.value} ${moment.limit.unit}` : "limit unknown";
  element("vehicle").textContent = moment.vehicle;
  const degraded = element("degraded");
  const key = moment.degraded.join("\n");
  if (degraded.dataset.key !== key) {
    degraded.dataset.key = key;
    degraded.replaceChildren(...moment.degraded.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  }
  showSigns(moment.alerts);
}

async function take(event) {
  const next = JSON.parse(event.data);
  let picture = null;
  if (next.image) {
    picture = Object.assign(new Image(), { src: `data:image/jpeg;base64,${next.image}` });
    try { await picture.decode(); } catch { return; }
  }
  [moment, image] = [next, picture];
  element("waiting").hidden = Boolean(picture);
  if (!picture) element("waiting").textContent = "The camera gives no picture";
  showWords();
  draw();
}

async function start() {
  try { for (const kind of await (await fetch("signs")).json()) ownSigns.add(kind); } catch { /* the built-in ones do */ }
  const stream = new EventSource("stream");
  stream.addEventListener("moment", take);
  stream.addEventListener("error", () => {
    element("waiting").hidden = false;
    element("waiting").textContent = "The agent does not answer; trying again ...";
  });
  new ResizeObserver(draw).observe(element("view"));
}

start();
