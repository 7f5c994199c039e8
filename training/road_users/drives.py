"""What a detector finds on rendered drives, whose truth is exact, and which alerts they raise."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2

from .matching import GROUP, iou

HEIGHT, HIDDEN = 25, 0.3  # asked for: every vehicle from this height in pixels of which no more than this share is hidden
RIGHT = 0.5  # overlap of a box that is right
TOUCHING = 0.2  # a box that overlaps a smaller or hidden object by this much is neither right nor wrong


@dataclass
class Count:
    found: int = 0
    wanted: int = 0
    right: int = 0
    raised: int = 0

    def __str__(self) -> str:
        share = lambda a, b: f"{a / b:.3f} ({a} of {b})" if b else "none"
        return f"recall {share(self.found, self.wanted)}, precision {share(self.right, self.raised)}"


def pictures(session: Path, folder: Path, step: int) -> dict[Path, list[dict]]:
    """Every `step`th frame as a file in `folder`, with what is in it."""
    video, truth = cv2.VideoCapture(str(session / "video.mp4")), {}
    for i, line in enumerate(open(session / "truth.jsonl")):
        ok, image = video.read()
        if ok and i % step == 0:
            path = folder / f"{session.name}_{i}.png"
            cv2.imwrite(str(path), image)
            truth[path] = json.loads(line)["objects"]
    return truth


def tally(count: Count, group: str, detections: list[dict], truth: list[dict]) -> None:
    """Adds one picture. Detections are matched best score first, each to the object it overlaps most that is still free."""
    objects = [o for o in truth if GROUP[o["class"]] == group]
    free = set(range(len(objects)))
    for d in sorted((d for d in detections if GROUP[d["class"]] == group), key=lambda d: -d["score"]):
        best = max(((iou(d["box"], objects[k]["box"]), k) for k in free), default=(0.0, -1))
        if best[0] >= RIGHT:
            free.remove(best[1])
        wanted = best[0] >= RIGHT and asked(objects[best[1]])
        spare = any(not asked(o) and iou(d["box"], o["box"]) >= TOUCHING for o in objects)
        count.right += wanted
        count.raised += wanted or (best[0] < RIGHT and not spare and d["box"][3] >= HEIGHT)
    count.wanted += sum(map(asked, objects))
    count.found += sum(asked(o) for k, o in enumerate(objects) if k not in free)


def asked(o: dict) -> bool:
    return o["occluded"] <= HIDDEN and o["box"][3] >= HEIGHT
