"""Rendered crops into one file: `python -m sign_reader.render REAL.npz OUT.npz --count N --seed S [--part train|test]`.

REAL.npz gives the backgrounds (of the same part) and, for training, German limit signs whose number is replaced by another one: the
ring, the light and the camera stay real, and every value gets a real look.
"""
import argparse

import cv2
import numpy as np
from PIL import Image

from . import fonts, limits, others, scene
from .drawing import Pen
from .labels import END, END_ALL, OTHER, PLATE_KMH, PLATE_MPH, ROUND, VALUES, Label

# Sign width that relettered crops are stored with; their own is that of the real crop.
SIZE = scene.SIZE
SHARES = {"round": 0.30, "mph": 0.18, "kmh": 0.05, "end": 0.08, "all": 0.02, "other": 0.37}
# What looks most like a limit, for sets of their own (`--only`).
LOOKALIKES = ["minimum_plate", "minimum_speed", "measure"]


def draw(name: str, rng, round_faces, plate_faces):
    """A sign of the family `name`, and its label."""
    if name == "round":
        return limits.round_limit(rng, round_faces)
    if name == "end":
        return limits.end_of_limit(rng, round_faces)
    if name == "all":
        return limits.end_of_all(rng, round_faces)
    if name == "mph":
        return limits.mph_plate(rng, plate_faces)
    if name == "kmh":
        return limits.kmh_plate(rng, plate_faces)
    if name in LOOKALIKES:
        return getattr(others, name)(rng, plate_faces + round_faces), Label(OTHER)
    return others.other(rng, plate_faces + round_faces)


def off_target(crop: np.ndarray, rng) -> np.ndarray:
    """A crop that misses half of the sign: nobody should read a limit off it."""
    side = crop.shape[0]
    dx, dy = (int(rng.choice([-1, 1]) * rng.uniform(0.42, 0.6) * side) if rng.random() < 0.7 else 0 for _ in range(2))
    if dx == 0 and dy == 0:
        dx = int(0.5 * side)
    return cv2.warpAffine(crop, np.float32([[1, 0, dx], [0, 1, dy]]), (side, side), borderMode=cv2.BORDER_REFLECT_101)


def relettered(crop: np.ndarray, rng, faces) -> tuple[np.ndarray, Label]:
    """A real round limit with another number: the face is filled with its own white, the new digits have its own black."""
    size = crop.shape[0]
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    inner = size / (1 + 2 * scene.CONTEXT) / 2
    radius = np.hypot(x - size / 2 + 0.5, y - size / 2 + 0.5) / inner
    grey = crop.mean(2)
    face = radius < 0.66
    dark, light = np.percentile(grey[face], [6, 80])
    paper = (face & (grey > (dark + light) / 2)).astype(np.float32)
    weight = cv2.GaussianBlur(paper, (0, 0), size / 9) + 1e-3
    filled = np.dstack([cv2.GaussianBlur(crop[..., c] * paper, (0, 0), size / 9) / weight for c in range(3)])
    hole = np.clip((0.70 - radius) / 0.06, 0, 1)[..., None]
    blank = crop * (1 - hole) + (filled + rng.normal(0, 2, filled.shape)) * hole
    ink_colour = np.median(crop[face & (grey <= np.percentile(grey[face], 12))], axis=0)
    pen = Pen(rng, face=str(rng.choice(faces)))
    value = limits.pick(rng, VALUES)
    label, words = Label(ROUND, value), str(value)
    style = rng.random()
    if style < 0.12:  # weights, heights, numbers that are no limit
        label = Label(OTHER)
        words = str(rng.choice([f"{value}t", f"{int(rng.integers(1, 9))}.{int(rng.integers(0, 10))}", f"{int(rng.integers(1, 30))}t", f"{int(rng.integers(2, 5))}m",
                                "", str(int(rng.choice([n for n in range(12, 150) if n % 5])))]))
    if words:
        if words.endswith("t") and rng.random() < 0.5:  # a small unit at the number's foot
            half = rng.uniform(0.15, 0.22)
            pen.text(words[:-1], (0.2, 0.5 - half, 0.66, 0.5 + half), (0, 0, 0, 255), (0.6, 1.2))
            pen.text("t", (0.67, 0.5 - rng.uniform(0, half / 2), 0.8, 0.5 + half), (0, 0, 0, 255))
        else:
            pen.text(words, limits.digits_box(rng, words if len(words) < 4 else "100"), (0, 0, 0, 255), (0.6, 1.2), int(rng.choice([0, 0, 2])))
    mask = np.asarray(pen.image)[..., 3].astype(np.float32) / 255
    mask = cv2.resize(mask, (round(inner * 2), round(inner * 2)), interpolation=cv2.INTER_AREA)
    full = np.zeros((size, size), np.float32)
    at = (size - mask.shape[0]) // 2
    full[at : at + mask.shape[0], at : at + mask.shape[1]] = mask
    full = cv2.GaussianBlur(full, (0, 0), float(rng.uniform(0.5, 1.5)))[..., None]
    return np.clip(blank * (1 - full) + ink_colour * full, 0, 255).astype(np.uint8), label


def main():
    """Renders and stores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("real"), parser.add_argument("out")
    parser.add_argument("--count", type=int, default=20000), parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", choices=["train", "test"], default="train"), parser.add_argument("--relettered", type=float, default=0.15)
    parser.add_argument("--only", choices=list(SHARES) + LOOKALIKES), parser.add_argument("--smallest", type=float, default=13)
    options = parser.parse_args()
    real = np.load(options.real)
    part = real["part"] == options.part
    pictures = real["image"]
    backgrounds = pictures[part & np.isin(real["source"], ["background", "background-de"])]
    bases = pictures[part & (real["source"] == "gtsrb") & (real["kind"] == ROUND) & (real["size"] >= 30)]
    if options.part == "test":
        round_faces = plate_faces = fonts.available(fonts.HELD_OUT)
    else:
        round_faces, plate_faces = fonts.available(fonts.ROUND), fonts.available(fonts.PLATE)
    if not round_faces or not plate_faces:
        raise SystemExit(f"no typefaces: install {fonts.PACKAGES}, or set SIGN_FONTS")
    rng = np.random.default_rng([options.seed, options.part == "test"])
    images, kinds, values, names, sizes = [], [], [], [], []
    families, shares = list(SHARES), np.array(list(SHARES.values()))
    for _ in range(options.count):
        if options.part == "train" and not options.only and rng.random() < options.relettered:
            name, pixels = "relettered", SIZE
            crop, label = relettered(bases[int(rng.integers(0, len(bases)))].astype(np.float32), rng, round_faces)
        else:
            name = options.only or families[int(rng.choice(len(families), p=shares / shares.sum()))]
            pen, label = draw(name, rng, round_faces, plate_faces)
            crop, pixels = scene.place(pen.image, rng, backgrounds[int(rng.integers(0, len(backgrounds)))], options.smallest)
            if not options.only and label.kind != OTHER and rng.random() < 0.03:
                crop, label, name = off_target(crop, rng), Label(OTHER), "off-target"
        images.append(crop), kinds.append(label.kind), values.append(label.index), names.append(name), sizes.append(pixels)
    np.savez(options.out, image=np.array(images), kind=np.array(kinds), value=np.array(values), name=np.array(names), size=np.array(sizes))


if __name__ == "__main__":
    main()
