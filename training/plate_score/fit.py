"""Logistic regression of the plate score: `python -m plate_score.fit OUT/truth.jsonl features.f32` prints the coefficients for plate_shape.cpp.

An outline that overlaps a drawn plate by 0.7 (intersection over union) is one; under 0.6 it is none; those in between teach nothing. Every fifth
picture is held out: how many of its plates are found among the best of a frame is told on the error stream, and the last fit is on all.
"""
import argparse
import json
import sys

import numpy as np

RIGHT, WRONG, SAME, LEAST_HEIGHT = 0.7, 0.6, 0.5, 20


def iou(box, boxes: np.ndarray) -> np.ndarray:
    """Overlap of one box with each of the others (x, y, width, height)."""
    w = np.minimum(box[0] + box[2], boxes[:, 0] + boxes[:, 2]) - np.maximum(box[0], boxes[:, 0])
    h = np.minimum(box[1] + box[3], boxes[:, 1] + boxes[:, 3]) - np.maximum(box[1], boxes[:, 1])
    both = np.clip(w, 0, None) * np.clip(h, 0, None)
    return both / (box[2] * box[3] + boxes[:, 2] * boxes[:, 3] - both)


def overlaps(plates: list[list], pictures: np.ndarray, boxes: np.ndarray) -> np.ndarray:
    """The best overlap of each outline with a plate of its picture."""
    best = np.zeros(len(boxes))
    for i, of_picture in enumerate(plates):
        mine = np.flatnonzero(pictures == i)
        if len(mine) and of_picture:
            best[mine] = np.max([iou(plate, boxes[mine]) for plate in of_picture], axis=0)
    return best


def fit(features: np.ndarray, right: np.ndarray, ridge: float = 1e-5, steps: int = 30) -> np.ndarray:
    """Coefficients by Newton's method; `ridge` times the count holds them near zero."""
    b = np.zeros(features.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-features @ b))
        gradient = features.T @ (p - right) + ridge * len(right) * b
        curvature = (features * (p * (1 - p))[:, None]).T @ features + ridge * len(right) * np.eye(len(b))
        b -= np.linalg.solve(curvature, gradient)
    return b


def found(plates: list[list], pictures: np.ndarray, boxes: np.ndarray, scores: np.ndarray, most: int) -> tuple[int, int]:
    """How many plates of at least LEAST_HEIGHT pixels are among the `most` best outlines of their picture, and how many there are."""
    hits = count = 0
    for i in np.unique(pictures):
        mine = np.flatnonzero(pictures == i)
        kept = []
        for j in mine[np.argsort(-scores[mine])]:
            if not kept or iou(boxes[j], boxes[kept]).max() <= SAME:
                kept.append(j)
            if len(kept) == most:
                break
        for plate in plates[int(i)]:
            if plate[3] >= LEAST_HEIGHT:
                count += 1
                hits += bool(kept and iou(plate, boxes[kept]).max() >= SAME)
    return hits, count


def main():
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth"), parser.add_argument("features")
    options = parser.parse_args()
    plates = [json.loads(line)["boxes"] for line in open(options.truth)]
    raw = np.fromfile(options.features, np.float32)
    width = 5 + 54
    if len(raw) % width:
        sys.exit(f"{options.features}: not a whole number of outlines of {width} floats; build features.cpp anew")
    table = raw.reshape(-1, width).astype(float)
    pictures, boxes, features = table[:, 0].astype(int), table[:, 1:5], table[:, 5:]
    best = overlaps(plates, pictures, boxes)
    taught, right, held_out = (best >= RIGHT) | (best < WRONG), best >= RIGHT, pictures % 5 == 0
    trial = fit(features[taught & ~held_out], right[taught & ~held_out])
    for most in (1, 3, 6):
        hits, count = found(plates, pictures[held_out], boxes[held_out], features[held_out] @ trial, most)
        print(f"held out: {hits} of {count} plates among the best {most} of a frame", file=sys.stderr)
    b = fit(features[taught], right[taught])
    for row in [*(b[i:i + 8] for i in range(0, 40, 8)), b[40:50], b[50:]]:
        print("    " + ", ".join(f"{x:.2f}f" for x in row) + ",")


if __name__ == "__main__":
    main()
