"""Draws what a detector missed and what it raised falsely, to look at before a knob is turned."""

import json
from pathlib import Path

import cv2

from .matching import GROUP, iou


def draw(folder: Path, found: Path, out: Path, least: float, overlaps: dict[str, float]) -> None:
    """Of the labelled pictures in `folder`, those with a miss (red) or a false box (yellow) among what scores at least `least`; right boxes green."""
    out.mkdir(parents=True, exist_ok=True)
    detections = {Path(d["image"]).name: d["objects"] for d in map(json.loads, found.read_text().splitlines())}
    for t in map(json.loads, open(folder / "ground_truth.jsonl")):
        name = Path(t["image"]).name
        image, bad = cv2.imread(str(folder / "images" / name)), False
        truth = [o for o in t["objects"] if o["class"] in GROUP and not o.get("ignore") and not o.get("ambiguous") and o["h"] >= 25]
        shown = [d for d in detections[name] if d["score"] >= least]

        def mark(box: list[float], colour: tuple, text: str) -> None:
            x, y, w, h = map(round, box)
            cv2.rectangle(image, (x, y), (x + w, y + h), colour, 1)
            cv2.putText(image, text, (x, y - 2), cv2.FONT_HERSHEY_PLAIN, 0.8, colour)

        overlap = overlaps[t["source"]]
        for o in truth:
            box = [o["x"], o["y"], o["w"], o["h"]]
            if not any(GROUP[d["class"]] == GROUP[o["class"]] and iou(d["box"], box) >= overlap for d in shown):
                mark(box, (0, 0, 255), o["class"])
                bad = True
        for d in shown:
            right = any(iou(d["box"], [o["x"], o["y"], o["w"], o["h"]]) >= overlap for o in t["objects"])
            mark(d["box"], (0, 255, 0) if right else (0, 255, 255), f"{d['class'][:3]} {d['score']:.2f}")
            bad |= not right
        if bad:
            cv2.imwrite(str(out / (Path(name).stem + ".png")), image)
