"""Measures a detector through the product itself: `python -m road_users.evaluate --agent fleet-agent --shared ../shared`.

Prints average precision on the labelled pictures, the lead against lidar, and, where asked for, the same on held-out training sequences
(`--cache`), what is found on rendered drives and what alerts they raise (`--drives`), how well the target of each boxed recording is followed
(`--clips`) and the time beside another model's (`--against`). `--pictures DIR` draws what was missed and what was raised falsely. Needs the
standard library only, but for drives and pictures.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from . import follow

SETS = [("camvid", 0.3), ("kitti_object", 0.5), ("coco", 0.5), ("bdd100k", 0.5)]


class Measuring:
    def __init__(self, agent: str, shared: Path, model: str | None, folder: Path):
        self.agent, self.shared, self.model, self.folder = agent, shared, model, folder
        self.config = folder / "agent.yaml"
        detector = f"detector:\n  model: {Path(model).resolve()}\n" if model else ""
        self.config.write_text(f"fleet: measuring\nvehicle: none\nmqtt:\n  url: mqtt://127.0.0.1\n{detector}")

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
        for video, boxes in follow.recordings(self.shared / "vision"):
            found, wanted, gap = follow.follow(self.tracks(video)[0], boxes)
            good = found >= follow.SHARE * wanted and gap <= follow.GAP
            print(f"{video.stem}: target found in {found} of {wanted} boxed frames, longest gap {gap} frames: {'reached' if good else 'missed'}", flush=True)

    def drives(self, sessions: list[Path], step: int) -> None:
        """At the model's own threshold; the sums over all sessions at the end."""
        from . import drives

        model = ["--model", self.model] if self.model else []
        sums = {g: drives.Count() for g in ("vehicle", "person", "cycle")}
        for session in sessions:
            truth, vehicles = drives.pictures(session, self.folder, step), drives.Count()
            for line in self.run(self.agent, "detect", "--json", *model, *map(str, truth)).splitlines():
                found = json.loads(line)
                objects = truth[self.folder / Path(found["image"]).name]
                drives.tally(vehicles, "vehicle", found["objects"], objects)
                for group, count in sums.items():
                    drives.tally(count, group, found["objects"], objects)
            for path in truth:
                path.unlink()
            alerts = sorted(f"{e['kind']} {e['severity']}" for e in self.tracks(session)[1])
            print(f"drive {session.name}, {len(truth)} frames: vehicles {vehicles}; alerts: {', '.join(alerts) or 'none'}", flush=True)
        for group, count in sums.items():
            print(f"drives together, {group}: {count}", flush=True)

    def speed(self, bench: str, other: str, session: Path) -> None:
        """Time in the network, beside another model, in turn: on a busy machine the least of several rounds still tells."""
        for engine in ("openvino", "opencv"):
            times: dict[str, list[float]] = {}
            for _ in range(3):
                for name, model in (("this", self.model), ("other", other)):
                    chosen = ["--model", model] if model else []
                    table = self.run(bench, "chain", str(session), "--engine", engine, "--threads", "2", "--frames", "60", *chosen).splitlines()
                    head = next(i for i, line in enumerate(table) if " network " in line)
                    column = table[head].split().index("network") + 1
                    times.setdefault(name, []).append(float(table[head + 1].split()[column]))
            mine, others = min(times["this"]), min(times["other"])
            print(f"{engine}, 2 threads: {mine:.1f} ms a frame, {Path(other).name} {others:.1f} ms: {mine / others:.2f} times", flush=True)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--agent", required=True)
    p.add_argument("--shared", type=Path, required=True)
    p.add_argument("--model", help="description; without it the embedded model")
    p.add_argument("--cache", type=Path, help="of cache.py: measures the held-out sequences too")
    p.add_argument("--drives", type=Path, nargs="*", default=[], help="sessions of fleet-sim drive")
    p.add_argument("--step", type=int, default=10, help="every how many frames of a drive are looked at (alerts: all)")
    p.add_argument("--clips", action="store_true", help="follow the boxed targets")
    p.add_argument("--against", help="description of a model to compare the time with")
    p.add_argument("--bench", default="vision-bench", help="the program that measures it")
    p.add_argument("--no-approach", action="store_true")
    p.add_argument("--pictures", type=Path)
    p.add_argument("--least", type=float, default=0.4, help="score from which --pictures shows boxes")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        m = Measuring(a.agent, a.shared, a.model, Path(folder))
        found = m.labelled()
        if a.pictures:
            from .failures import draw

            draw(a.shared / "vision/labelled", found, a.pictures, a.least, dict(SETS))
        if a.cache:
            m.held_out(a.cache)
        if a.drives:
            m.drives(a.drives, a.step)
        if not a.no_approach:
            m.approach()
        if a.clips:
            m.followed()
        if a.against:
            m.speed(a.bench, a.against, a.shared / "vision/kitti_lead_approach")


if __name__ == "__main__":
    main()
