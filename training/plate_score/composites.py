"""Speed plates drawn into road frames: `python -m plate_score.composites FRAMES OUT --count 1600`.

Writes OUT/00000.jpg and so on, and OUT/truth.jsonl: for each picture its path and the plates' boxes in pixels (x, y, width, height). Needs what
sign_reader needs, and SIGN_FONTS or its typefaces.
"""
import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from sign_reader import fonts, limits, scene

WIDTH, HEIGHT = 1280, 720
# Plates are made at this many times the frame's resolution and averaged down, as a camera does.
FINER, PAD = 4, 6


def corners(w: int, h: int, rng) -> np.ndarray:
    """Where the corners of a plate of w by h stand, turned a little each way and seen from near by: 4 points, x and y."""
    turn, yaw, pitch = np.deg2rad(rng.normal(0, 2.5)), np.deg2rad(rng.normal(0, 20)), np.deg2rad(rng.normal(0, 6))
    square = np.float32([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.float32([w, h]) / 2
    p = square @ np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]).T
    depth, z = max(w, h) * rng.uniform(3, 12), p[:, 0] * np.sin(yaw) + p[:, 1] * np.sin(pitch)
    return np.stack([p[:, 0] * np.cos(yaw), p[:, 1] * np.cos(pitch)], 1) * (depth / (depth + z))[:, None]


def overlaps(box, others) -> bool:
    """Whether `box` comes within ten pixels of one of the others."""
    return any(box[0] < b[0] + b[2] + 10 and b[0] < box[0] + box[2] + 10 and box[1] < b[1] + b[3] + 10 and b[1] < box[1] + box[3] + 10 for b in others)


def add_plate(frame: np.ndarray, boxes: list, faces, rng):
    """Draws one plate into `frame` (float, height x width x 3) and adds its box; nothing where it has no room."""
    pen, _ = (limits.mph_plate if rng.random() < 0.8 else limits.kmh_plate)(rng, faces)
    sign = np.asarray(pen.image).astype(np.float32)[..., [2, 1, 0, 3]]
    h, w = sign.shape[:2]
    alpha = sign[..., 3:] / 255
    tall = float(np.exp(rng.uniform(np.log(15), np.log(110))))
    colours = scene._light(sign[..., :3], alpha, rng)
    if rng.random() < 0.1:
        colours = scene._dirt(colours, rng)
    layer = np.dstack([colours * alpha, alpha * 255])
    p = corners(w, h, rng)
    low, high = p.min(0), p.max(0)
    scale = tall / (high[1] - low[1])
    wide = (high[0] - low[0]) * scale
    rows, columns = frame.shape[:2]
    if wide + 8 > columns or tall + 8 > rows * 0.7:
        return
    x, y = rng.uniform(4, columns - wide - 4), rng.uniform(4, max(5, rows * 0.75 - tall))
    if overlaps((x, y, wide, tall), boxes):
        return
    x0, y0, tw, th = int(x) - PAD, int(y) - PAD, int(np.ceil(wide)) + 2 * PAD + 1, int(np.ceil(tall)) + 2 * PAD + 1
    target = ((p - low) * scale + np.float32([x - x0, y - y0])) * FINER
    if tall * FINER < h:
        layer = cv2.GaussianBlur(layer, (0, 0), max(0.01, h / (tall * FINER) * 0.4))
    map_ = cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]), np.float32(target))
    big = cv2.warpPerspective(layer, map_, (tw * FINER, th * FINER), flags=cv2.INTER_LINEAR)
    small = cv2.GaussianBlur(cv2.resize(big, (tw, th), interpolation=cv2.INTER_AREA), (0, 0), float(rng.uniform(0.3, 1.1)))
    if rng.random() < 0.6:
        middle, half = int(x + wide / 2), max(1, int(wide * rng.uniform(0.03, 0.08)))
        frame[int(y + tall * 0.5):, max(0, middle - half):middle + half] = rng.uniform(40, 190)
    top, bottom, left, right = max(0, y0), min(rows, y0 + th), max(0, x0), min(columns, x0 + tw)
    part = small[top - y0:bottom - y0, left - x0:right - x0]
    a = part[..., 3:] / 255
    # Plates in frames are brighter than the mean of crops.
    c = np.minimum(np.clip(part[..., :3] * np.exp(rng.normal(0.25, 0.25)), 0, 255), 255 * a)
    frame[top:bottom, left:right] = frame[top:bottom, left:right] * (1 - a) + c
    boxes.append((x, y, wide, tall))


def main():
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("frames", type=Path, help="folder with road pictures without plates (vision-train/images)"), parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=1600), parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    rng, faces = np.random.default_rng(options.seed), fonts.available(fonts.PLATE)
    options.out.mkdir(parents=True, exist_ok=True)
    paths = sorted(options.frames.rglob("*.jpg"))
    rng.shuffle(paths)
    done = 0
    with open(options.out / "truth.jsonl", "w") as truth:
        for path in paths:
            picture = cv2.imread(str(path))
            if done == options.count:
                break
            if picture is None or picture.shape[1] < picture.shape[0]:
                continue
            if picture.shape[1] != WIDTH:
                picture = cv2.resize(picture, (WIDTH, round(WIDTH * picture.shape[0] / picture.shape[1])), interpolation=cv2.INTER_AREA)
            frame, boxes = picture[:HEIGHT].astype(np.float32), []
            for _ in range(int(rng.integers(1, 4))):
                add_plate(frame, boxes, faces, rng)
            frame = np.clip(frame + rng.normal(0, rng.uniform(0, 3), frame.shape), 0, 255).astype(np.uint8)
            file = (options.out / f"{done:05d}.jpg").resolve()
            cv2.imwrite(str(file), frame, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 97))])
            truth.write(json.dumps({"image": str(file), "boxes": boxes}) + "\n")
            done += 1
    print(f"{done} pictures in {options.out}")


if __name__ == "__main__":
    main()
