"""Decoded training pictures in one memory-mapped file, with their labels: `python -m road_users.cache VISION_TRAIN OUT [--drives DIR]`.

OUT/pixels.bin holds the pictures (BGR, rows after rows), OUT/index.json a record each: name, sequence, height, width, offset, `objects`
[class, x0, y0, x1, y1, score] and `unsure` [class, x0, y0, x1, y1] in pixels. `--relabelled DIR` takes labels from there (the output of
teachers/label.py) for pictures that have them. Drives are sessions of `fleet-sim drive`; what is mostly hidden there is background: a
detector that is free to guess on slivers draws boxes round whole rows of parked cars.
"""

import argparse
import csv
import json
from pathlib import Path

import cv2
import numpy as np

from .network import CLASSES

ANY = len(CLASSES)  # class of an unsure box that may hold anything
LONGEST = 960  # pixels; larger pictures are reduced
LIKELY = 0.3  # teacher score from which an unsure person or two-wheeler is masked; below it is background
HIDDEN, SMALLEST = 0.65, 8  # of drawn objects: share hidden, beyond which it is background, and height in pixels, below which it is unsure


def yolo(path: Path, width: int, height: int) -> list[list[float]]:
    """Rows (class, x0, y0, x1, y1, score) of a label file; lights and stop signs are left out."""
    rows = []
    for line in path.read_text().splitlines() if path.exists() else []:
        c, cx, cy, w, h, *score = map(float, line.split())
        if c < len(CLASSES):
            box = [(cx - w / 2) * width, (cy - h / 2) * height, (cx + w / 2) * width, (cy + h / 2) * height]
            rows.append([int(c), *box, score[0] if score else 0.0])
    return rows


def held_back(name: str) -> bool:
    """Frames 500 to 599 of the German set measure the sign reader and are never trained on."""
    return name.startswith("gtsdb_") and 500 <= int(name.removesuffix(".jpg")[-5:]) <= 599


def unsure(path: Path, width: int, height: int) -> list[list[float]]:
    """Areas to mask, of a file of unsure boxes. One without a score may hold anything, whatever its class says.

    Of weak persons and two-wheelers most are poles, trees and signs, which must be learned as such: those are not masked.
    """
    rows = [[ANY, *r[1:]] if r[5] == 0 else r for r in yolo(path, width, height)]
    return [r for r in rows if r[0] > 2 or r[5] >= LIKELY]


class Writer:
    def __init__(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.pixels, self.records, self.offset = folder, open(folder / "pixels.bin", "wb"), [], 0

    def add(self, name: str, sequence: str, image: np.ndarray, objects: list, masked: list) -> None:
        k = min(1.0, LONGEST / max(image.shape[:2]))
        if k < 1:
            image = cv2.resize(image, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        scaled = lambda r: [r[0], *(round(v * k, 2) for v in r[1:5]), *r[5:]]
        self.pixels.write(np.ascontiguousarray(image).tobytes())
        self.records.append({
            "name": name, "sequence": sequence, "height": image.shape[0], "width": image.shape[1], "offset": self.offset,
            "objects": [scaled(r) for r in objects], "unsure": [scaled(r[:5]) for r in masked],
        })
        self.offset += image.size

    def close(self) -> None:
        self.pixels.close()
        (self.folder / "index.json").write_text(json.dumps(self.records))


def add_pictures(out: Writer, folder: Path, relabelled: Path | None) -> None:
    for row in csv.DictReader(open(folder / "manifest.csv", newline="")):
        image = None if held_back(row["file"]) else cv2.imread(str(folder / "images" / row["file"]))
        if image is None:
            continue
        label = Path(row["file"]).with_suffix(".txt").name
        newer = relabelled and (relabelled / "labels" / label).exists() and not row["labels"].startswith("real")
        source, (height, width) = relabelled if newer else folder, image.shape[:2]
        out.add(row["file"], row["sequence_id"], image, yolo(source / "labels" / label, width, height),
                unsure(source / "labels-ignore" / label, width, height))


def add_drive(out: Writer, session: Path) -> None:
    video = cv2.VideoCapture(str(session / "video.mp4"))
    for line in open(session / "truth.jsonl"):
        truth, (ok, image) = json.loads(line), video.read()
        if not ok:
            break
        objects, small = [], []
        for o in truth["objects"]:
            x, y, w, h = o["box"]
            if o["occluded"] <= HIDDEN:
                (small if h < SMALLEST else objects).append([CLASSES.index(o["class"]), x, y, x + w, y + h, 1.0])
        out.add(f"drive_{session.name}_{truth['frame']}", f"drive_{session.name}", image, objects, small)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("pictures", type=Path)
    p.add_argument("out", type=Path)
    p.add_argument("--drives", type=Path)
    p.add_argument("--relabelled", type=Path)
    a = p.parse_args()
    out = Writer(a.out)
    add_pictures(out, a.pictures, a.relabelled)
    for session in sorted(a.drives.iterdir()) if a.drives else []:
        if (session / "truth.jsonl").exists():
            add_drive(out, session)
    out.close()
    print(f"{len(out.records)} pictures, {out.offset / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
