#!/usr/bin/env python3
"""What one writes in an afternoon with opencv-python: read, detect, track, time to collision, MQTT. The peer that the chain is measured
against (scripts/bench-peer).

usage: peer.py VIDEO_OR_FRAMES MODEL.onnx [--tracks F.jsonl] [--frames N] [--fps F] [--broker HOST:PORT]

MODEL is NanoDet-m at 320 x 320. Prints one JSON line: frames, seconds, framesPerSecond, cpuMsPerFrame, opencv, alerts.
"""
import argparse
import glob
import json
import os
import resource
import time

import cv2
import numpy as np

SIDE, BINS, STRIDES = 320, 8, (8, 16, 32)
MEAN, STD = np.float32([103.53, 116.28, 123.675]), np.float32([57.375, 57.12, 58.395])
CLASSES = {0: "person", 1: "bicycle", 2: "car", 3: "motorcycle", 5: "bus", 7: "truck"}
SCORE, NMS_IOU, TRACK_IOU, LOST_FRAMES = 0.4, 0.6, 0.3, 10


class Detector:
    def __init__(self, path):
        self.net = cv2.dnn.readNetFromONNX(path)
        self.names = self.net.getUnconnectedOutLayersNames()
        self.centres = {s: np.stack(np.meshgrid(np.arange(SIDE // s), np.arange(SIDE // s)), -1).reshape(-1, 2) * s + (s - 1) / 2
                        for s in STRIDES}

    def __call__(self, frame):
        scale = min(SIDE / frame.shape[1], SIDE / frame.shape[0])
        w, h = round(frame.shape[1] * scale), round(frame.shape[0] * scale)
        canvas = np.zeros((SIDE, SIDE, 3), np.float32)
        canvas[:h, :w] = cv2.resize(frame, (w, h))
        canvas = (canvas - MEAN) / STD
        self.net.setInput(np.ascontiguousarray(canvas.transpose(2, 0, 1)[None]))
        outputs = [o.reshape(-1, o.shape[-1]) for o in self.net.forward(self.names)]
        boxes, scores, kinds = [], [], []
        for stride in STRIDES:
            cells = (SIDE // stride) ** 2
            score = next(o for o in outputs if o.shape == (cells, 80))
            sides = next(o for o in outputs if o.shape == (cells, 4 * BINS)).reshape(-1, 4, BINS)
            score = score[:, list(CLASSES)]
            best = score.argmax(1)
            value = score[np.arange(cells), best]
            keep = value >= SCORE
            e = np.exp(sides[keep] - sides[keep].max(-1, keepdims=True))
            d = (e / e.sum(-1, keepdims=True) * np.arange(BINS)).sum(-1) * stride
            c = self.centres[stride][keep]
            for (x, y), (l, t, r, b), s, k in zip(c, d, value[keep], best[keep]):
                boxes.append([(x - l) / scale, (y - t) / scale, (l + r) / scale, (t + b) / scale])
                scores.append(float(s))
                kinds.append(list(CLASSES.values())[k])
        if not boxes:
            return []
        kept = cv2.dnn.NMSBoxes(boxes, scores, SCORE, NMS_IOU)
        return [(boxes[i], scores[i], kinds[i]) for i in np.array(kept).reshape(-1)]


def iou(a, b):
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return 0.0 if w <= 0 or h <= 0 else w * h / (a[2] * a[3] + b[2] * b[3] - w * h)


class Tracker:
    """Greedy by overlap; the growth of the box's height over the last half second gives the time to collision."""

    def __init__(self):
        self.tracks, self.next = [], 1

    def update(self, found, t):
        free = list(found)
        for track in self.tracks:
            best = max(free, key=lambda d: iou(d[0], track["box"]), default=None)
            if best is not None and iou(best[0], track["box"]) >= TRACK_IOU:
                free.remove(best)
                track.update(box=best[0], score=best[1], missed=0)
                track["heights"].append((t, best[0][3]))
                track["heights"] = [h for h in track["heights"] if t - h[0] <= 0.5]
            else:
                track["missed"] += 1
        self.tracks = [k for k in self.tracks if k["missed"] <= LOST_FRAMES]
        for box, score, kind in free:
            self.tracks.append(dict(id=self.next, box=box, score=score, kind=kind, missed=0, heights=[(t, box[3])]))
            self.next += 1
        for track in self.tracks:
            track["ttc"] = None
            if len(track["heights"]) >= 3:
                times, heights = np.array(track["heights"]).T
                growth = np.polyfit(times - times[-1], heights, 1)[0]
                if growth > 1e-3:
                    track["ttc"] = heights[-1] / growth
        return [k for k in self.tracks if k["missed"] == 0]


def frames(place, fps):
    if os.path.isdir(place):
        for n, path in enumerate(sorted(glob.glob(place + "/*.jpg") + glob.glob(place + "/*.png"))):
            yield n / fps, cv2.imread(path)
        return
    capture = cv2.VideoCapture(place)
    rate, n = capture.get(cv2.CAP_PROP_FPS) or fps, 0
    while True:
        ok, frame = capture.read()
        if not ok:
            return
        yield n / rate, frame
        n += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("video")
    parser.add_argument("model")
    parser.add_argument("--tracks")
    parser.add_argument("--frames", type=int, default=10**9)
    parser.add_argument("--fps", type=float, default=10)
    parser.add_argument("--broker")
    a = parser.parse_args()
    client = None
    if a.broker:
        import paho.mqtt.client as mqtt
        host, port = a.broker.rsplit(":", 1)
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        client.connect(host, int(port))
        client.loop_start()
    detect, tracker = Detector(a.model), Tracker()
    out = open(a.tracks, "w") if a.tracks else None
    count, alerts, begun, cpu = 0, 0, None, 0.0
    for t, frame in frames(a.video, a.fps):
        if count == a.frames:
            break
        for track in tracker.update(detect(frame), t):
            if out:
                x, y, w, h = track["box"]
                out.write(json.dumps({"frame": count, "t": t, "track": track["id"], "class": track["kind"], "score": track["score"],
                                      "box": [float(x), float(y), float(w), float(h)],
                                      "ttcS": None if track["ttc"] is None else float(track["ttc"])}) + "\n")
            if track["ttc"] is not None and track["ttc"] < 2.4:
                alerts += 1
                if client:
                    client.publish("peer/alert", json.dumps({"track": track["id"], "ttcS": float(track["ttc"])}), qos=1)
        count += 1
        # The first frames warm caches up and are left out, as in vision-bench.
        if count == 10:
            begun, cpu = time.monotonic(), sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    seconds = time.monotonic() - begun if begun else float("nan")
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2]) - cpu
    if client:
        client.loop_stop()
    if out:
        out.close()
    print(json.dumps({"opencv": cv2.__version__, "frames": count - 10, "seconds": round(seconds, 3),
                      "framesPerSecond": round((count - 10) / seconds, 1), "cpuMsPerFrame": round(used * 1000 / max(1, count - 10), 1),
                      "alerts": alerts}))


if __name__ == "__main__":
    main()
