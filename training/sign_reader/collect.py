"""Real crops into one file: `python -m sign_reader.collect SHARED OUT.npz`.

SHARED holds `signs-train`, `signs` and `vision-train`. Each crop is SIZE × SIZE with its sign in the middle (scene.around); beside it
its label, its part (splits) and where it comes from.
"""
import collections
import csv
import io
import json
import sys
import tarfile
from pathlib import Path

import cv2
import numpy as np

from . import splits
from .labels import OTHER, Label, gtsrb_label, truth_label
from .scene import CONTEXT, SIZE, around

# Signs smaller than this (pixels of the longer side) train nobody; a person cannot read them either.
SMALLEST = 11


class Store:
    """Crops and their labels, growing."""

    def __init__(self):
        """Empty."""
        self.rows = collections.defaultdict(list)

    def add(self, crop, label: Label, part: str, source: str, name: str, size: float):
        """One crop; `size` is the sign's longer side in its picture."""
        row = {"image": crop, "kind": label.kind, "value": label.index, "part": part, "source": source, "name": name, "size": size}
        for key, value in row.items():
            self.rows[key].append(value)

    def save(self, path: str):
        """As .npz."""
        np.savez(path, **{key: np.array(values) for key, values in self.rows.items()})


# Red-ringed classes of the German benchmark.
RED_RINGED = {*range(0, 6), 7, 8, 9, 10, 15, 16}


def red_again(crop: np.ndarray, rotate: bool = True) -> np.ndarray | None:
    """A red-ringed crop with its colours in order, or None where only a part of it is out of order.

    About a tenth of the files lost or gained a byte in their source, so that red, green and blue changed places from there on.
    """
    y, x = np.mgrid[0:SIZE, 0:SIZE] - (SIZE - 1) / 2
    radius = np.hypot(x, y) / (SIZE / (1 + 2 * CONTEXT) / 2)
    ring = (radius > 0.8) & (radius < 0.98)
    tones = [crop[ring & part].astype(float).mean(0) for part in (np.ones_like(ring), y < 0, y > 0, x < 0, x > 0)]
    wrong = [max(tone[0], tone[1]) - tone[2] > max(4, 0.08 * tone.max()) for tone in tones]
    if not any(wrong):
        return crop
    if not (rotate and wrong[0]):
        return None
    order = [2, 0, 1] if tones[0][1] > tones[0][0] else [1, 2, 0]
    return red_again(np.ascontiguousarray(crop[..., order]), False)


def german_crops(shared: Path, store: Store):
    """The crops of `signs-train`."""
    rows = list(csv.DictReader(open(shared / "signs-train/gtsrb.csv")))
    tracks = collections.defaultdict(set)
    for row in rows:
        tracks[int(row["class"])].add(row["track"])
    parts = splits.gtsrb({number: sorted(names) for number, names in tracks.items()})
    with tarfile.open(shared / "signs-train/gtsrb.tar") as tar:
        files = {member.name.removeprefix("./"): member for member in tar.getmembers() if member.isfile()}
        for row in rows:
            data = tar.extractfile(files[row["file"]]).read()
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
            width, height = int(row["width"]), int(row["height"])
            # The benchmark's margin is a tenth of the sign, at least five pixels of the original.
            margin_x = max(5.5, 0.084 * width) / width * picture.shape[1]
            margin_y = max(5.5, 0.084 * height) / height * picture.shape[0]
            box = (margin_x, margin_y, picture.shape[1] - 2 * margin_x, picture.shape[0] - 2 * margin_y)
            number = int(row["class"])
            crop = around(picture, box)
            if number in RED_RINGED and (crop := red_again(crop)) is None:
                continue
            store.add(crop, gtsrb_label(number), parts[number, row["track"]], "gtsrb", row["file"], max(width, height) - 11)


def labelled_pictures(shared: Path, store: Store):
    """The signs of `signs/truth.jsonl`, the German crops aside (they are those of `signs-train`), and background beside the German signs."""
    rng = np.random.default_rng(1)
    for line in open(shared / "signs/truth.jsonl"):
        truth = json.loads(line)
        if truth["source"] in ("gtsrb", "scenes-us-nolimit"):
            continue
        path = shared / "signs" / truth["image"]
        picture = cv2.imread(str(path))
        if picture is None:
            raise SystemExit(f"{path}: not a picture")
        part = splits.picture(truth["source"], path.stem)
        for i, sign in enumerate(truth["signs"]):
            label = truth_label(sign)
            size = max(sign["w"], sign["h"])
            if label is None or size < SMALLEST:
                continue
            box = (sign["x"], sign["y"], sign["w"], sign["h"])
            store.add(around(picture, box), label, part, truth["source"], f"{truth['image']}#{i}", size)
        if truth["source"] == "scenes-de":
            for i, box in enumerate(_beside(picture, truth["signs"], rng)):
                store.add(around(picture, box, 0), Label(OTHER), part, "background-de", f"{truth['image']}#b{i}", box[2])


def _beside(picture, signs, rng, count: int = 8):
    """Boxes at random that touch no sign."""
    height, width = picture.shape[:2]
    for _ in range(count):
        side = int(np.exp(rng.uniform(np.log(14), np.log(90))))
        tall = int(side * rng.uniform(0.9, 1.4))
        x, y = int(rng.integers(0, width - side)), int(rng.integers(0, max(1, int((height - tall) * 0.85))))
        if all(x + side < s["x"] or s["x"] + s["w"] < x or y + tall < s["y"] or s["y"] + s["h"] < y for s in signs):
            yield x, y, side, tall


# Recordings made to show signs: a random crop there may be a limit.
SIGN_RECORDINGS = ("gtsdb", "drj", "michaelgallacher", "davors", "mapbox")


def road_background(shared: Path, store: Store, each: int = 12):
    """Random parts of road frames, parts of vehicles, and traffic lights."""
    rng = np.random.default_rng(2)
    for path in sorted((shared / "vision-train/images").glob("*.jpg")):
        if path.name.startswith(SIGN_RECORDINGS):
            continue
        picture = cv2.imread(str(path))
        height, width = picture.shape[:2]
        part = splits.by_group(f"road/{path.stem.rsplit('_', 1)[0]}", 0.15, 0.05)
        boxes = list(_beside(picture, [], rng, each))
        for line in open(shared / "vision-train/labels" / (path.stem + ".txt")):
            number, cx, cy, w, h, _ = (float(v) for v in line.split())
            x, y, w, h = (cx - w / 2) * width, (cy - h / 2) * height, w * width, h * height
            if number == 6 and h >= 12:
                boxes.append((x, y, w, h))
            elif number in (3, 4, 5) and h >= 40:
                side = h * rng.uniform(0.15, 0.5)
                boxes.append((x + rng.uniform(0, max(1, w - side)), y + rng.uniform(0, h - side), side, side))
        for i, box in enumerate(boxes[: each + 8]):
            if min(box[2:]) >= 6:
                store.add(around(picture, box, 0), Label(OTHER), part, "background", f"{path.name}#{i}", max(box[2:]))


def main(shared: str, out: str):
    """Collects everything below `shared`."""
    store = Store()
    for step in (german_crops, labelled_pictures, road_background):
        step(Path(shared), store)
        print(step.__name__, len(store.rows["kind"]), flush=True)
    counts = collections.Counter(zip(store.rows["source"], store.rows["part"]))
    for key, count in sorted(counts.items()):
        print(*key, count)
    assert all(image.shape == (SIZE, SIZE, 3) for image in store.rows["image"])
    store.save(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
