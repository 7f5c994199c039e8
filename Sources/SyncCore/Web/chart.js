// Small charts, drawn for the width that is there and drawn anew when it changes.

import { make, drawn } from "/web/dom.js";

const edge = { left: 46, right: 14, top: 26, bottom: 36 };

/** A round step that makes at most `most` of them. */
function step(range, most) {
  const rough = range / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough);
}

const ticks = (from, to, most) => {
  const size = step(to - from || 1, most);
  const all = [];
  for (let value = Math.ceil(from / size) * size; value <= to + size * 1e-6; value += size) all.push(Number(value.toFixed(6)));
  return all;
};

/**
 * Draws `chart` into `node`: `points` of [x, y], `levels` of {value, name, className}, `marks` of [x, y], names and units of both axes, and a sentence
 * that says the same.
 */
export function lineChart(node, chart) {
  const draw = () => {
    const width = Math.max(240, node.clientWidth);
    const height = 230;
    const xs = chart.points.map(([x]) => x);
    const ys = chart.points.map(([, y]) => y).concat(chart.levels.map(({ value }) => value));
    const xRange = [Math.min(0, ...xs), Math.max(...xs, 1)];
    const top = Math.max(...ys) * 1.12 || 1;
    const x = (value) => edge.left + ((value - xRange[0]) / (xRange[1] - xRange[0])) * (width - edge.left - edge.right);
    const y = (value) => height - edge.bottom - (value / top) * (height - edge.top - edge.bottom);
    const picture = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": chart.words });
    for (const value of ticks(0, top, 5)) {
      picture.append(drawn("line", { x1: edge.left, x2: width - edge.right, y1: y(value), y2: y(value), class: "grid" }),
        drawn("text", { x: edge.left - 6, y: y(value) + 4, "text-anchor": "end" }, String(value)));
    }
    for (const value of ticks(xRange[0], xRange[1], Math.min(8, width / 80))) {
      picture.append(drawn("text", { x: x(value), y: height - edge.bottom + 16, "text-anchor": "middle" }, String(value)));
    }
    picture.append(drawn("text", { x: edge.left - 38, y: 10, class: "unit" }, chart.yName),
      drawn("text", { x: width - edge.right, y: height - 5, "text-anchor": "end", class: "unit" }, chart.xName));
    for (const { value, name, className } of chart.levels) {
      picture.append(drawn("line", { x1: edge.left, x2: width - edge.right, y1: y(value), y2: y(value), class: "level " + className }),
        drawn("text", { x: width - edge.right, y: y(value) + (className === "limit" ? 14 : -5), "text-anchor": "end", class: "name " + className }, name));
    }
    if (chart.points.length > 1) picture.append(drawn("polyline", { points: chart.points.map(([a, b]) => `${x(a)},${y(b)}`).join(" "), class: "line" }));
    for (const [a, b] of chart.marks) picture.append(drawn("circle", { cx: x(a), cy: y(b), r: 4, class: "mark" }));
    node.replaceChildren(picture, make("p", "soft", chart.words));
  };
  follow(node, draw);
}

/** Bars of `bars` {name, value, className, words}; the name of every so-manieth is written. */
export function barChart(node, bars, words) {
  const draw = () => {
    const width = Math.max(240, node.clientWidth);
    const height = 200;
    const top = Math.max(1, ...bars.map(({ value }) => value)) * 1.1;
    const wide = Math.min(120, (width - edge.left - edge.right) / bars.length);
    const y = (value) => height - edge.bottom - (value / top) * (height - edge.top - edge.bottom);
    const picture = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
    for (const value of ticks(0, top, 4).filter(Number.isInteger)) {
      picture.append(drawn("line", { x1: edge.left, x2: width - edge.right, y1: y(value), y2: y(value), class: "grid" }),
        drawn("text", { x: edge.left - 6, y: y(value) + 4, "text-anchor": "end" }, String(value)));
    }
    const every = Math.ceil(bars.length / Math.max(1, Math.floor(width / 80)));
    bars.forEach((bar, index) => {
      const left = edge.left + index * wide;
      picture.append(drawn("rect", { x: left + wide * 0.1, width: wide * 0.8, y: y(bar.value), height: height - edge.bottom - y(bar.value), class: "bar" },
        drawn("title", {}, bar.words)));
      if (index % every === 0) picture.append(drawn("text", { x: left + wide / 2, y: height - edge.bottom + 16, "text-anchor": "middle" }, bar.name));
    });
    node.replaceChildren(picture);
  };
  follow(node, draw);
}

const observers = new WeakMap();
function follow(node, draw) {
  observers.get(node)?.disconnect();
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (node.clientWidth === width) return;
    width = node.clientWidth;
    draw();
  });
  observers.set(node, observer);
  width = node.clientWidth;
  draw();
  observer.observe(node);
}
