"""Measures a detector through the product itself: `python -m road_users.evaluate --agent fleet-agent --shared ../shared`.

Prints average precision on the labelled pictures, the lead against lidar, and, where asked for, the same on held-out training sequences
(`--cache`), found and false boxes on rendered drives (`--drives`) and how often the target of each boxed clip is followed (`--clips`).
`--pictures DIR` draws what was missed and what was raised falsely. Needs the standard library only, but for drives and pictures.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

SETS = [("camvid", 0.3), ("kitti_object", 0.5), ("coco", 0.5), ("bdd100k", 0.5)]
GROUP = {"car": "vehicle", "truck": "vehicle", "bus": "vehicle", "person": "person", "bicycle": "cycle", "motorcycle": "cycle"}
FOLLOWED = [  # video, boxes, and how they are found: IoU, height in pixels
    ("clips/motorway_fast_approach.mp4", "clips/motorway_fast_approach_lead.csv"),
    ("clips/moped_reverses_into_ego.mp4", "clips/moped_reverses_into_ego_target.csv"),
    ("tracking/otb_car4.mp4", "tracking/otb_car4_boxes.csv"),
]
FOUND_IOU, FOUND_HEIGHT = 0.4, 25


def iou(a: list[float], b: list[float]) -> float:
    """Of boxes x, y, width, height."""
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return 0.0 if w <= 0 or h <= 0 else w * h / (a[2] * a[3] + b[2] * b[3] - w * h)


class Measuring:
    def __init__(self, agent: str, shared: Path, model: str | None, folder: Path):
        self.agent, self.shared, self.model, self.folder = agent, shared, model, folder
        self.config = folder / "agent.yaml"
        self.config.write_text("fleet: measuring\nvehicle: none\nmqtt:\n  url: mqtt://127.0.0.1\n" + (f"detector:\n  model: {Path(model).resolve()}\n" if model else ""))

    def run(self, *arguments: str) -> str:
        done = subprocess.run(arguments, text=True, capture_output=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(arguments[:3])}: status {done.returncode}: {done.stderr.strip()[-500:]}")
        return done.stdout

    def detect(self, pictures: list[Path], least: float = 0.05) -> Path:
        out = self.folder / "detections.jsonl"
        model = ["--model", self.model] if self.model else []
        out.write_text(self.run(self.agent, "detect", "--json", "--min-score", str(least), *model, *map(str, pictures)))
        return out

    def labelled(self) -> Path:
        folder = self.shared / "vision/labelled"
        found = self.detect(sorted((folder / "images").iterdir()))
        for source, overlap in SETS:
            print(f"{source}, overlap {overlap}:", flush=True)
            self.score(folder / "ground_truth.jsonl", found, "--iou", str(overlap), "--source", source)
        return found

    def score(self, truth: Path, found: Path, *options: str) -> None:
        print(self.run(sys.executable, str(self.shared / "eval/detections.py"), str(truth), str(found), *options), end="", flush=True)

    def held_out(self, cache: Path) -> None:
        """Sequences that training left out, against their labels; unsure boxes count neither way."""
        from .network import CLASSES
        from .split import held_out

        truth, pictures = [], []
        for r in json.loads((cache / "index.json").read_text()):
            picture = self.shared / "vision-train/images" / r["name"]
            if not held_out(r) or not picture.exists():
                continue
            box = lambda b: {"class": [*CLASSES, "any"][b[0]], "x": b[1], "y": b[2], "w": b[3] - b[1], "h": b[4] - b[2]}
            objects = [box(b) for b in r["objects"]] + [box(b) | {"ignore": True} for b in r["unsure"]]
            truth.append(json.dumps({"image": r["name"], "width": r["width"], "height": r["height"], "objects": objects}))
            pictures.append(picture)
        (self.folder / "held.jsonl").write_text("\n".join(truth))
        print("held-out sequences, overlap 0.5:", flush=True)
        self.score(self.folder / "held.jsonl", self.detect(pictures))

    def tracks(self, session: Path) -> tuple[Path, list[dict]]:
        out, events = self.folder / "tracks.jsonl", self.folder / "events.jsonl"
        self.run(self.agent, "replay", str(session), "--config", str(self.config), "--tracks", str(out), "--events", str(events))
        return out, [json.loads(line) for line in events.read_text().splitlines()]

    def approach(self) -> None:
        """The lead on the real approach, at its own speed and three times as fast."""
        for session, speedup in (("kitti_lead_approach", 1), ("kitti_lead_approach_x3", 3)):
            tracks, events = self.tracks(self.shared / "vision" / session)
            severities = sorted({e["severity"] for e in events})
            print(f"{session}: alerts {', '.join(severities) or 'none'}; ", end="", flush=True)
            truth = self.shared / "vision/kitti_lead_approach/lead_truth.csv"
            print(self.run(sys.executable, str(self.shared / "eval/ttc.py"), str(truth), str(tracks), "--speedup", str(speedup)), end="")

    def followed(self) -> None:
        for video, boxes in FOLLOWED:
            tracks: dict[int, list[list[float]]] = {}
            for line in self.tracks(self.shared / "vision" / video)[0].read_text().splitlines():
                t = json.loads(line)
                tracks.setdefault(t["frame"], []).append(t["box"])
            wanted = hit = longest = gap = 0
            for row in csv.DictReader(open(self.shared / "vision" / boxes, newline="")):
                box = [float(row[k]) for k in "xywh"]
                if box[3] < FOUND_HEIGHT:
                    continue
                wanted += 1
                ok = any(iou(b, box) >= FOUND_IOU for b in tracks.get(int(row["frame"]), []))
                hit, gap = hit + ok, 0 if ok else gap + 1
                longest = max(longest, gap)
            print(f"{video}: target followed in {hit} of {wanted} boxes, longest gap {longest}", flush=True)

    def drive(self, session: Path, step: int = 5) -> None:
        """A rendered drive: recall of what is 25 px high and mostly visible, and precision, at the model's own threshold."""
        import cv2

        video, truth, pictures = cv2.VideoCapture(str(session / "video.mp4")), {}, []
        for i, line in enumerate(open(session / "truth.jsonl")):
            ok, image = video.read()
            if ok and i % step == 0:
                pictures.append(self.folder / f"{session.name}_{i}.png")
                cv2.imwrite(str(pictures[-1]), image)
                truth[pictures[-1].name] = json.loads(line)["objects"]
        model = ["--model", self.model] if self.model else []
        lines = self.run(self.agent, "detect", "--json", *model, *map(str, pictures)).splitlines()
        count = {g: [0, 0] for g in ("vehicle", "person")}
        true = false = 0
        for line in map(json.loads, lines):
            objects, used = truth[Path(line["image"]).name], set()
            for o in objects:
                best = max(((iou(d["box"], o["box"]), k) for k, d in enumerate(line["objects"]) if k not in used
                            and GROUP[d["class"]] == GROUP[o["class"]]), default=(0, -1))
                ok = best[0] >= 0.5
                if ok:
                    used.add(best[1])
                if o["occluded"] < 0.3 and o["box"][3] >= 25:
                    count[GROUP[o["class"]]][0] += ok
                    count[GROUP[o["class"]]][1] += 1
            true += len(used)
            rest = [d for k, d in enumerate(line["objects"]) if k not in used]
            false += sum(all(iou(d["box"], o["box"]) < 0.2 for o in objects) for d in rest)
        for p in pictures:
            p.unlink()
        print(f"drive {session.name}: {len(pictures)} frames; "
              + ", ".join(f"{g} found {n[0]} of {n[1]}" for g, n in count.items()) + f"; false boxes {false}, true {true}", flush=True)

    def draw(self, found: Path, out: Path, least: float) -> None:
        """Pictures with a miss (red) or a false box (yellow) among what scores at least `least`; right boxes green."""
        import cv2

        out.mkdir(parents=True, exist_ok=True)
        folder = self.shared / "vision/labelled"
        detections = {Path(d["image"]).name: d["objects"] for d in map(json.loads, found.read_text().splitlines())}
        for t in map(json.loads, open(folder / "ground_truth.jsonl")):
            name = Path(t["image"]).name
            image, bad = cv2.imread(str(folder / "images" / name)), False
            truth = [o for o in t["objects"] if o["class"] in GROUP and not o.get("ignore") and not o.get("ambiguous") and o["h"] >= 25]
            shown = [d for d in detections[name] if d["score"] >= least]

            def mark(box: list[float], colour: tuple, text: str) -> None:
                x, y, w, h = map(round, box)
                cv2.rectangle(image, (x, y), (x + w, y + h), colour, 1)
                cv2.putText(image, text, (x, y - 2), cv2.FONT_HERSHEY_PLAIN, 0.8, colour)

            overlap = dict(SETS)[t["source"]]
            for o in truth:
                box = [o["x"], o["y"], o["w"], o["h"]]
                if not any(GROUP[d["class"]] == GROUP[o["class"]] and iou(d["box"], box) >= overlap for d in shown):
                    mark(box, (0, 0, 255), o["class"])
                    bad = True
            for d in shown:
                right = any(iou(d["box"], [o["x"], o["y"], o["w"], o["h"]]) >= overlap for o in t["objects"])
                mark(d["box"], (0, 255, 0) if right else (0, 255, 255), f"{d['class'][:3]} {d['score']:.2f}")
                bad |= not right
            if bad:
                cv2.imwrite(str(out / (Path(name).stem + ".png")), image)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--agent", required=True)
    p.add_argument("--shared", type=Path, required=True)
    p.add_argument("--model", help="description; without it the embedded model")
    p.add_argument("--cache", type=Path, help="of cache.py: measures the held-out sequences too")
    p.add_argument("--drives", type=Path, nargs="*", default=[], help="sessions of fleet-sim drive")
    p.add_argument("--clips", action="store_true")
    p.add_argument("--no-approach", action="store_true")
    p.add_argument("--pictures", type=Path)
    p.add_argument("--least", type=float, default=0.4, help="score from which --pictures shows boxes")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        m = Measuring(a.agent, a.shared, a.model, Path(folder))
        found = m.labelled()
        if a.pictures:
            m.draw(found, a.pictures, a.least)
        if a.cache:
            m.held_out(a.cache)
        for session in a.drives:
            m.drive(session)
        if not a.no_approach:
            m.approach()
        if a.clips:
            m.followed()


if __name__ == "__main__":
    main()
