"""What the finder took for signs in frames without limits, as crops of `other`: `python -m sign_reader.negatives FOUND.jsonl OUT.npz`.

FOUND.jsonl: one object an image, `{"image", "reads": [{"kind", "score", "box", ...}]}`: every candidate of the finder with what the reader
said. What it took for a limit must be looked at first (`--sheet`): a frame may hold a limit that nobody labelled; name such images in `--not`.
"""
import argparse
import json

import cv2
import numpy as np

from . import scene
from .evaluate import sheet
from .labels import OTHER


def main():
    """Collects and stores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("found"), parser.add_argument("out"), parser.add_argument("--most", type=int, default=4000)
    parser.add_argument("--sheet"), parser.add_argument("--not", dest="left_out", nargs="*", default=[])
    options = parser.parse_args()
    rng = np.random.default_rng(7)
    easy, hard = [], []
    for line in open(options.found):
        found = json.loads(line)
        if any(name in found["image"] for name in options.left_out):
            continue
        picture = cv2.imread(found["image"])
        for read in found["reads"]:
            x, y, w, h = read["box"]
            if w < 8 or h < 8:
                continue
            crop = scene.around(picture, read["box"])
            # A sure "other" teaches little.
            is_hard = read["kind"] != "other" or read["score"] < 0.9
            (hard if is_hard else easy).append((crop, f"{found['image'][-22:]}|{read['kind']} {read.get('v')} {read['score']:.2f}", h))
    if options.sheet:
        shown = [row for row in hard if not row[1].split("|")[1].startswith("other")]
        sheet([row[0] for row in shown], [row[1] for row in shown], options.sheet)
    keep = hard + [easy[i] for i in rng.permutation(len(easy))[: max(0, options.most - len(hard))]]
    count = len(keep)
    np.savez(options.out, image=np.array([row[0] for row in keep]), kind=np.full(count, OTHER), value=np.full(count, -1),
             name=np.array(["found"] * count), size=np.array([row[2] for row in keep]))
    print(f"{len(hard)} hard, {count} in all")


if __name__ == "__main__":
    main()
