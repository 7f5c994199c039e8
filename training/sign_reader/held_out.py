"""The held-out crops as picture files with truth, for the program itself: `python -m sign_reader.held_out SHARED OUT [--rendered TEST.npz...]`.

Writes OUT/held-out/*.png (a sign each, as a finder would hand it over) and OUT/truth.jsonl in the form that `shared/eval/signs.py` reads.
"""
import argparse
import collections
import csv
import json
import tarfile
from pathlib import Path

import cv2
import numpy as np
import torch

from . import augment, splits
from .collect import RED_RINGED, SMALLEST, red_again
from .labels import END, END_ALL, KINDS, OTHER, PLATE_MPH, VALUES, Label, gtsrb_label, truth_label
from .scene import around

MARGIN = 0.07


class Writer:
    """Crops and truth lines."""

    def __init__(self, out: Path):
        """Into `out`, which may be new."""
        (out / "held-out").mkdir(parents=True, exist_ok=True)
        self.out, self.truth = out, open(out / "truth.jsonl", "w")

    def add(self, name: str, picture: np.ndarray, source: str, label: Label):
        """One crop."""
        cv2.imwrite(str(self.out / "held-out" / name), picture)
        kind = "other" if label.kind == OTHER else "end_of_limit" if label.kind in (END, END_ALL) else "speed_limit"
        height, width = picture.shape[:2]
        sign = {"kind": kind, "value": label.value, "unit": None if label.value is None else "mph" if label.kind == PLATE_MPH else "km/h", "x": 0, "y": 0, "w": width, "h": height}
        self.truth.write(json.dumps({"image": f"held-out/{name}", "width": width, "height": height, "view": "crop", "source": source, "signs": [sign]}) + "\n")


def german(shared: Path, writer: Writer):
    """All frames of the held-out German signs, but for files whose colours are out of order in the source."""
    rows = list(csv.DictReader(open(shared / "signs-train/gtsrb.csv")))
    tracks = collections.defaultdict(set)
    for row in rows:
        tracks[int(row["class"])].add(row["track"])
    parts = splits.gtsrb({number: sorted(names) for number, names in tracks.items()})
    left_out = 0
    with tarfile.open(shared / "signs-train/gtsrb.tar") as tar:
        files = {member.name.removeprefix("./"): member for member in tar.getmembers() if member.isfile()}
        for row in rows:
            number = int(row["class"])
            if parts[number, row["track"]] != splits.TEST:
                continue
            picture = cv2.imdecode(np.frombuffer(tar.extractfile(files[row["file"]]).read(), np.uint8), cv2.IMREAD_COLOR)
            stored = around(picture, (0, 0, picture.shape[1], picture.shape[0]), 0.05)
            if number in RED_RINGED and red_again(stored, False) is None:
                left_out += 1
                continue
            writer.add(row["file"].replace("/", "_").replace(".jpg", ".png"), picture, "gtsrb", gtsrb_label(number))
    print(f"gtsrb: {left_out} frames with colours out of order left out")


def pictures(shared: Path, writer: Writer):
    """The held-out signs of `signs/truth.jsonl`; scenes are cut to their boxes with a margin."""
    for line in open(shared / "signs/truth.jsonl"):
        truth = json.loads(line)
        path = shared / "signs" / truth["image"]
        if truth["source"] == "gtsrb" or splits.picture(truth["source"], path.stem) != splits.TEST:
            continue
        picture = cv2.imread(str(path))
        for i, sign in enumerate(truth["signs"]):
            label = truth_label(sign)
            if label is None or max(sign["w"], sign["h"]) < SMALLEST:
                continue
            x, y, w, h = sign["x"], sign["y"], sign["w"], sign["h"]
            if truth["view"] == "scene":
                left, top = max(0, round(x - MARGIN * w)), max(0, round(y - MARGIN * h))
                crop = picture[top : round(y + h + MARGIN * h), left : round(x + w + MARGIN * w)]
            else:
                crop = picture
            writer.add(f"{path.stem}_{i}.png", crop, truth["source"], label)


def rendered(path: str, writer: Writer):
    """Rendered crops, cut with the margin."""
    data = np.load(path)
    for i, stored in enumerate(data["image"]):
        crop = augment.plain(torch.from_numpy(stored[None]), MARGIN)[0].permute(1, 2, 0).numpy().astype(np.uint8)
        value = None if data["value"][i] < 0 else VALUES[data["value"][i]]
        writer.add(f"{Path(path).stem}_{i:05d}.png", crop, f"{Path(path).stem} {KINDS[data['kind'][i]]}", Label(int(data["kind"][i]), value))


def main():
    """Writes everything that was held out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path), parser.add_argument("out", type=Path), parser.add_argument("--rendered", nargs="*", default=[])
    options = parser.parse_args()
    writer = Writer(options.out)
    german(options.shared, writer)
    pictures(options.shared, writer)
    for path in options.rendered:
        rendered(path, writer)
    writer.truth.close()


if __name__ == "__main__":
    main()
