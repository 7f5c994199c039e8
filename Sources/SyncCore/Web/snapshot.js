// The alert's picture with its boxes. Picture and drawing are fitted by the same rule of the browser, so that a box is where it belongs at any
// size, whether the picture is shown whole or fills its frame.

import { element, make, drawn } from "/web/dom.js";

/** The revision that the picture belongs to: the last one that names it. */
const pictured = (revisions) => revisions.findLast((revision) => revision.snapshot);

function boxes(revision) {
  const about = revision.collision?.class || revision.landmark?.name || revision.kind;
  if (revision.snapshot.box) return [{ box: revision.snapshot.box, name: about }];
  const other = revision.collision?.box || revision.landmark?.box;
  return other ? [{ box: other, name: about }] : [];
}

/** Shows the picture of an alert in `figure`. */
export function showSnapshot(figure, id, revisions) {
  const revision = pictured(revisions);
  if (!revision) {
    figure.replaceChildren(make("p", "empty", "The vehicle kept no picture of this."));
    figure.classList.add("none");
    element("fit-toggle").hidden = true;
    return;
  }
  const { width, height, sha256 } = revision.snapshot;
  if (figure.dataset.shown === sha256) return;
  figure.classList.remove("none");
  element("fit-toggle").hidden = false;
  const image = make("img");
  image.width = width;
  image.height = height;
  image.alt = "What the camera saw" + (boxes(revision).length ? `, with a box around ${boxes(revision)[0].name}` : "");
  image.decoding = "async";
  const overlay = drawn("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", class: "boxes" });
  for (const { box: [x, y, w, h], name } of boxes(revision)) {
    const place = { x: x * width, y: y * height, width: w * width, height: h * height };
    overlay.append(drawn("rect", { ...place, class: "under" }), drawn("rect", { ...place, class: "over" }));
    const size = Math.max(width / 36, 14);
    const isLow = place.y < size * 1.5;
    overlay.append(drawn("text", { x: place.x, y: isLow ? place.y + place.height + size * 1.1 : place.y - size * 0.4, "font-size": size }, name));
  }
  image.onload = () => {
    figure.dataset.shown = sha256;
    figure.replaceChildren(image, overlay);
    fit(figure, figure.dataset.fit || "fit");
  };
  image.onerror = () => {
    const again = make("button", "small", "Look again");
    again.type = "button";
    again.addEventListener("click", () => showSnapshot(figure, id, revisions));
    figure.replaceChildren(make("p", "empty", "The picture has not arrived yet. Alerts go first. ", again));
  };
  image.src = `/api/v1/alerts/${id}/snapshot?v=${sha256.slice(0, 16)}`;
}

/** `fit` shows the whole picture, `fill` fills the frame and cuts what does not fit. */
export function fit(figure, how) {
  figure.dataset.fit = how;
  figure.querySelector("svg.boxes")?.setAttribute("preserveAspectRatio", how === "fill" ? "xMidYMid slice" : "xMidYMid meet");
}
