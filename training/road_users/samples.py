"""Training samples: cached pictures cut, scaled, mixed and disturbed as cameras, weather and night do."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch

SMALLEST = 6.0  # pixels at the network's input; lower objects are unsure
VISIBLE = 0.35  # an object of which less is left in the cut is unsure
AIMED = 0.7  # share of cuts that are laid on an object, where there is one
CERTAIN = 0.6  # teacher score from which a label counts in full


@dataclass
class Sample:
    """`objects`: rows class, x0, y0, x1, y1, trust (0...1); `unsure`: rows class, x0, y0, x1, y1; pixels of `image`."""

    image: np.ndarray
    objects: np.ndarray
    unsure: np.ndarray


class Pictures:
    """The cache of cache.py."""

    def __init__(self, folder: str):
        self.records = json.loads((Path(folder) / "index.json").read_text())
        self.pixels = np.memmap(Path(folder) / "pixels.bin", np.uint8, "r")
        for r in self.records:
            r["objects"] = np.array(r["objects"], np.float32).reshape(-1, 6)
            r["unsure"] = np.array(r["unsure"], np.float32).reshape(-1, 5)

    def image(self, record: dict) -> np.ndarray:
        h, w, at = record["height"], record["width"], record["offset"]
        return self.pixels[at : at + h * w * 3].reshape(h, w, 3)


def moved(rows: np.ndarray, matrix: np.ndarray, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows under the (axis-parallel) map, cut to the picture, and the share of each that is left."""
    rows = rows.copy()
    x = np.sort(rows[:, [1, 3]] * matrix[0, 0] + matrix[0, 2], 1)
    y = np.sort(rows[:, [2, 4]] * matrix[1, 1] + matrix[1, 2], 1)
    area = (x[:, 1] - x[:, 0]) * (y[:, 1] - y[:, 0])
    x, y = x.clip(0, width), y.clip(0, height)
    rows[:, 1], rows[:, 3], rows[:, 2], rows[:, 4] = x[:, 0], x[:, 1], y[:, 0], y[:, 1]
    return rows, (x[:, 1] - x[:, 0]) * (y[:, 1] - y[:, 0]) / np.maximum(area, 1e-6)


def aimed(record: dict, kx: float, ky: float, mirror: bool, spare: tuple, size: tuple, rng: np.random.Generator) -> tuple[float, float]:
    """Where to put the picture's corner so that one of its objects has its middle in the cut; never further off than `spare` allows."""
    _, x0, y0, x1, y1, _ = record["objects"][rng.integers(len(record["objects"]))]
    x, y = (record["width"] - (x0 + x1) / 2 if mirror else (x0 + x1) / 2) * kx, (y0 + y1) / 2 * ky
    wanted = size[0] * rng.uniform(0.1, 0.9) - x, size[1] * rng.uniform(0.1, 0.9) - y
    return tuple(float(np.clip(v, min(0, s), max(0, s))) for v, s in zip(wanted, spare))


def cut(pictures: Pictures, record: dict, width: int, height: int, scale: float, rng: np.random.Generator) -> Sample:
    """A random cut of width x height; `scale` relative to the picture fitted into the network's 640 x 384."""
    image = pictures.image(record)
    fit = min(640 / record["width"], 384 / record["height"]) * scale
    kx, ky = fit * rng.uniform(0.93, 1.08), fit
    mirror = rng.random() < 0.5
    spare = width - record["width"] * kx, height - record["height"] * ky
    left, top = (rng.uniform(min(0, s), max(0, s)) for s in spare)
    if len(record["objects"]) and rng.random() < AIMED:
        left, top = aimed(record, kx, ky, mirror, spare, (width, height), rng)
    matrix = np.array([[-kx if mirror else kx, 0, left + (record["width"] * kx if mirror else 0)], [0, ky, top]], np.float32)
    objects, share = moved(record["objects"], matrix, width, height)
    unsure, unsure_share = moved(record["unsure"], matrix, width, height)
    kept = (share >= VISIBLE) & (objects[:, 4] - objects[:, 2] >= SMALLEST)
    unsure = np.concatenate([unsure[unsure_share > 0], objects[(share > 0) & ~kept][:, :5]])
    objects = objects[kept]
    objects[:, 5] = np.clip(objects[:, 5] / CERTAIN, 0.5, 1)
    if fit < 0.6:  # halved first: a linear warp alone would skip pixels
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        matrix = matrix * [[record["width"] / image.shape[1], 1, 1], [1, record["height"] / image.shape[0], 1]]
    # Pixel centres: the map above is of edges, warpAffine's of centres.
    matrix[0, 2] += 0.5 * matrix[0, 0] - 0.5
    matrix[1, 2] += 0.5 * matrix[1, 1] - 0.5
    out = cv2.warpAffine(image, matrix.astype(np.float32), (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT,
                         borderValue=(114, 114, 114))
    return Sample(out, objects, unsure)


def mosaic(pictures: Pictures, records: list[dict], width: int, height: int, rng: np.random.Generator) -> Sample:
    """Four cuts round a random point."""
    cx, cy = int(width * rng.uniform(0.3, 0.7)), int(height * rng.uniform(0.3, 0.7))
    image, objects, unsure = np.empty((height, width, 3), np.uint8), [], []
    for i, record in enumerate(records):
        x0, x1 = (0, cx) if i % 2 == 0 else (cx, width)
        y0, y1 = (0, cy) if i < 2 else (cy, height)
        s = cut(pictures, record, x1 - x0, y1 - y0, float(np.exp(rng.uniform(np.log(0.4), np.log(1.3)))), rng)
        image[y0:y1, x0:x1] = s.image
        for rows, found in ((s.objects, objects), (s.unsure, unsure)):
            rows[:, [1, 3]] += x0
            rows[:, [2, 4]] += y0
            found.append(rows)
    return Sample(image, np.concatenate(objects), np.concatenate(unsure))


NOISE = np.random.default_rng(7).normal(0, 1, 1 << 22).astype(np.float32)  # drawn once: normal numbers cost more than all the rest


def noisy(image: np.ndarray, sigma: float, rng: np.random.Generator) -> np.ndarray:
    at = int(rng.integers(0, len(NOISE) - image.size))
    noise = NOISE[at : at + image.size].reshape(image.shape)
    return cv2.addWeighted(image, 1.0, noise, sigma, 0.0, dtype=cv2.CV_8U)


def disturbed(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Colour, light, night, rain, blur, noise and JPEG, each at times."""
    at = lambda p: rng.random() < p
    if at(0.5):
        t = np.arange(256)
        table = np.stack([(t + int(rng.integers(-9, 10))) % 180, (t * rng.uniform(0.4, 1.5)).clip(0, 255), t], 1).astype(np.uint8)
        image = cv2.cvtColor(cv2.LUT(cv2.cvtColor(image, cv2.COLOR_BGR2HSV), table.reshape(256, 1, 3)), cv2.COLOR_HSV2BGR)
    elif at(0.12):
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if at(0.7):  # contrast, brightness and gamma in one table
        t = np.arange(256) / 255.0
        t = ((t ** rng.uniform(0.6, 1.6) - 0.5) * rng.uniform(0.6, 1.35) + 0.5 + rng.uniform(-0.15, 0.15)) * 255
        image = cv2.LUT(image, t.clip(0, 255).astype(np.uint8))
    if at(0.08):  # night: dark, tinted, noisy
        t = np.arange(256)[:, None] * rng.uniform(0.15, 0.5) * rng.uniform(0.8, 1.2, 3)
        image = cv2.LUT(image, t.clip(0, 255).astype(np.uint8).reshape(256, 1, 3))
        image = noisy(image, rng.uniform(2, 9), rng)
    if at(0.04):  # rain: slanted bright streaks
        for _ in range(int(rng.integers(40, 200))):
            x, y, n = int(rng.integers(0, image.shape[1])), int(rng.integers(0, image.shape[0])), int(rng.integers(4, 16))
            cv2.line(image, (x, y), (x + n // 4, y + n), (200, 200, 200), 1)
    if at(0.1):
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.5, 1.6))
    elif at(0.06):  # motion, along the rows
        image = cv2.blur(image, (int(rng.integers(2, 7)), 1))
    if at(0.15):
        image = noisy(image, rng.uniform(1, 8), rng)
    if at(0.25):
        image = cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 80))])[1], cv2.IMREAD_COLOR)
    return image


def weight(record: dict) -> float:
    """How much more often than others a picture is drawn: those with persons and two-wheelers, which are rare."""
    classes = record["objects"][:, 0]
    return 1 + min(4, (classes == 0).sum()) * 0.35 + min(3, (classes == 1).sum()) * 0.8 + min(3, (classes == 2).sum()) * 0.4


class Samples(torch.utils.data.IterableDataset):
    """An endless stream of samples. `drawn_share`: share of pictures that come from rendered drives."""

    def __init__(self, cache: str, width: int, height: int, seed: int, held_out=lambda record: False, drawn_share: float = 0.15,
                 mosaic_share: float = 0.5):
        self.cache, self.width, self.height, self.seed = cache, width, height, seed
        self.held_out, self.drawn_share, self.mosaic_share = held_out, drawn_share, mosaic_share

    def __iter__(self):
        cv2.setNumThreads(0)
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        pictures = Pictures(self.cache)
        records = [r for r in pictures.records if not self.held_out(r)]
        weights = np.array([weight(r) for r in records])
        drawn = np.array([r["sequence"].startswith("drive_") for r in records])
        if drawn.any() and not drawn.all():
            weights[drawn] *= self.drawn_share / weights[drawn].sum()
            weights[~drawn] *= (1 - self.drawn_share) / weights[~drawn].sum()
        cumulative = np.cumsum(weights / weights.sum())
        draw = lambda: records[min(len(records) - 1, int(np.searchsorted(cumulative, rng.random())))]
        while True:
            if rng.random() < self.mosaic_share:
                s = mosaic(pictures, [draw() for _ in range(4)], self.width, self.height, rng)
            else:
                s = cut(pictures, draw(), self.width, self.height, float(np.exp(rng.uniform(np.log(0.5), np.log(1.8)))), rng)
            yield Sample(disturbed(s.image, rng), s.objects, s.unsure)


def collate(samples: list[Sample]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Images N x 3 x H x W (bytes), objects (index, class, box, trust) and unsure areas (index, class, box)."""
    images = torch.from_numpy(np.stack([s.image for s in samples])).permute(0, 3, 1, 2)
    rows = lambda name: torch.from_numpy(np.concatenate(
        [np.concatenate([np.full((len(getattr(s, name)), 1), i, np.float32), getattr(s, name)], 1) for i, s in enumerate(samples)]))
    return images, rows("objects"), rows("unsure")
