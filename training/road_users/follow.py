"""Whether the tracker holds the object that a recording is about, in every frame in which somebody boxed it."""

import csv
import json
from pathlib import Path

from .matching import iou

OVERLAP, HEIGHT = 0.4, 25  # what counts as found, and from which height in pixels
SHARE, GAP = 0.98, 5  # asked for: share of the boxed frames, and how many may be missed in a row


def recordings(vision: Path) -> list[tuple[Path, Path]]:
    """(video, boxes) of every recording with a boxed lead or target."""
    boxes = [*vision.glob("clips/*_lead.csv"), *vision.glob("clips/*_target.csv"), *vision.glob("tracking/*_boxes.csv")]
    return [(b.with_name(b.stem.rsplit("_", 1)[0] + ".mp4"), b) for b in sorted(boxes)]


def longest_gap(frames: list[int], found: list[bool]) -> int:
    """The most frames of the video for which the target is lost: from the first boxed frame that misses it to the next that has it."""
    longest, lost_at = 0, None
    for frame, ok in zip(frames, found):
        if ok:
            lost_at = None
        else:
            lost_at = frame if lost_at is None else lost_at
            longest = max(longest, frame - lost_at + 1)
    return longest


def follow(tracks: Path, boxes: Path) -> tuple[int, int, int]:
    """Boxed frames found, boxed frames, and the longest gap, given the tracks of the recording."""
    tracked: dict[int, list[list[float]]] = {}
    for t in map(json.loads, tracks.read_text().splitlines()):
        tracked.setdefault(t["frame"], []).append(t["box"])
    frames, found = [], []
    for row in csv.DictReader(open(boxes, newline="")):
        box = [float(row[k]) for k in "xywh"]
        if box[3] >= HEIGHT:
            frames.append(int(row["frame"]))
            found.append(any(iou(b, box) >= OVERLAP for b in tracked.get(frames[-1], [])))
    return sum(found), len(found), longest_gap(frames, found)
