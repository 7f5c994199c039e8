"""Scores a checkpoint on what was held out: `python -m sign_reader.evaluate reader.pt REAL.npz [--rendered TEST.npz...] [--sheet FAILURES.png]`."""
import argparse

import cv2
import numpy as np
import torch

from . import scoring
from .export import load
from .labels import KINDS, OTHER, VALUES

GROUPS = {
    "gtsrb": ["gtsrb"], "tt100k": ["tt100k"], "scenes-by": ["scenes-by"], "scenes-in": ["scenes-in"], "scenes-de 500-599": ["scenes-de"],
    "European limits": ["gtsrb", "tt100k", "scenes-by", "scenes-in", "scenes-de"], "background": ["background", "background-de"],
    "scenes-us": ["scenes-us"],
}


def sheet(crops, words, path: str, columns: int = 16, side: int = 96):
    """A contact sheet."""
    tiles = []
    for crop, text in zip(crops, words):
        tile = cv2.copyMakeBorder(cv2.resize(crop, (side, side), interpolation=cv2.INTER_CUBIC), 0, 26, 1, 1, cv2.BORDER_CONSTANT)
        for i, row in enumerate(text.split("|")[:2]):
            cv2.putText(tile, row, (1, side + 11 + 12 * i), cv2.FONT_HERSHEY_SIMPLEX, 0.33, (255, 255, 255), 1, cv2.LINE_AA)
        tiles.append(tile)
    while len(tiles) % columns:
        tiles.append(np.zeros_like(tiles[0]))
    cv2.imwrite(path, np.vstack([np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)]))


def main():
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint"), parser.add_argument("real"), parser.add_argument("--rendered", nargs="*", default=[])
    parser.add_argument("--threshold", type=float, default=0.8), parser.add_argument("--sheet"), parser.add_argument("--part", default="test")
    parser.add_argument("--margin", type=float, default=0.07), parser.add_argument("--smallest", type=float, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    reader, state = load(options.checkpoint)
    temperatures = state.get("temperatures", (1.0, 1.0))
    real = np.load(options.real)
    use = (real["part"] == options.part) & (real["size"] >= options.smallest)
    data = {key: real[key][use] for key in real.files}
    print(f"step {state['step']}, temperatures {temperatures}, threshold {options.threshold}, crops from {options.smallest} px")
    read = scoring.read(*scoring.logits(reader, data["image"], options.margin), temperatures)
    for name, sources in GROUPS.items():
        rows = np.isin(data["source"], sources)
        if rows.any():
            print(scoring.line(name, scoring.summary(data["kind"][rows], data["value"][rows], *(v[rows] for v in read), options.threshold)))
    failures = []
    for i in range(len(data["kind"])):
        kind, value, score = (v[i] for v in read)
        said = kind in scoring.LIMITS and score >= options.threshold
        limit = data["kind"][i] in scoring.LIMITS
        ok = (kind == data["kind"][i] and value == data["value"][i] and said) if limit else not said
        if data["source"][i] == "scenes-us":
            print(f"  {data['name'][i]:36s} truth {VALUES[data['value'][i]]:3d} mph  read {scoring.describe(kind, value):14s} {score:.3f}")
        if not ok:
            failures.append((data["image"][i], f"{KINDS[data['kind'][i]][:3]}{VALUES[data['value'][i]] if data['value'][i] >= 0 else ''}>{scoring.describe(kind, value)}|{score:.2f} {data['source'][i]}"))
    for path in options.rendered:
        part = np.load(path)
        read = scoring.read(*scoring.logits(reader, part["image"], options.margin), temperatures)
        bins = [(name, part["name"] == name) for name in sorted(set(part["name"]))]
        edges = (0, 20, 24, 32, 48, 999)
        bins += [(f"{low}-{high} px", (part["size"] >= low) & (part["size"] < high)) for low, high in zip(edges, edges[1:])]
        for name, rows in bins:
            if not rows.any():
                continue
            print(scoring.line(f"rendered {name}", scoring.summary(part["kind"][rows], part["value"][rows], *(v[rows] for v in read), options.threshold)))
        wrong = ~scoring.correct(part["kind"], part["value"], *read[:2]) & ((part["kind"] != OTHER) | (read[2] >= options.threshold))
        for i in np.where(wrong)[0][:120]:
            failures.append((part["image"][i], f"{KINDS[part['kind'][i]][:6]}{VALUES[part['value'][i]] if part['value'][i] >= 0 else ''}>{scoring.describe(read[0][i], read[1][i])}|{read[2][i]:.2f} {part['name'][i]}"))
    if options.sheet and failures:
        sheet(*zip(*failures), options.sheet)


if __name__ == "__main__":
    main()
