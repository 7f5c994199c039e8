"""Training: `python -m road_users.train CACHE RUN --hours 2`. Goes on from RUN/checkpoint.pt when it is there, else from `--start FILE`.

The learning rate follows the share of the time that is over, so the run ends when it should however busy the machine is. Every few minutes
RUN/checkpoint.pt (all state) and RUN/weights.pt (the running average, what export.py reads) are written. One thread by default: on a shared
machine a second one mostly waits.
"""

import argparse
import math
import time
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from .loss import loss
from .network import RoadUserNetwork
from .restore import restore
from .samples import Samples, collate
from .split import held_out

SAVE_EVERY_S = 180


def rate(progress: float, warm: float = 0.02) -> float:
    """Share of the full learning rate: a short warm-up, then half a cosine down to one percent."""
    return min(1.0, (progress + 1e-4) / warm) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, progress))))


class Average:
    """Running average of all weights and batch statistics."""

    def __init__(self, network: torch.nn.Module):
        self.state = {k: v.detach().clone() for k, v in network.state_dict().items()}
        self.steps = 0

    @torch.no_grad()
    def update(self, network: torch.nn.Module) -> None:
        self.steps += 1
        keep = 0.999 * (1 - math.exp(-self.steps / 500))
        for k, v in network.state_dict().items():
            if v.is_floating_point():
                self.state[k].lerp_(v, 1 - keep)
            else:
                self.state[k].copy_(v)


def groups(network: torch.nn.Module, decay: float) -> list[dict]:
    """Weight decay for kernels only."""
    kernels = [p for p in network.parameters() if p.ndim > 1]
    return [{"params": kernels, "weight_decay": decay}, {"params": [p for p in network.parameters() if p.ndim <= 1], "weight_decay": 0.0}]


def save(path: Path, content: dict) -> None:
    torch.save(content, path.with_suffix(".new"))
    path.with_suffix(".new").rename(path)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("cache")
    p.add_argument("run", type=Path)
    p.add_argument("--hours", type=float, required=True, help="of the whole run, earlier parts of it included")
    p.add_argument("--pause", type=float, help="hours after which to stop; a later call goes on, perhaps with another --size")
    p.add_argument("--start", help="ONNX file of this network, or weights (.pt), to go on from")
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--size", default="416x256")
    p.add_argument("--rate", type=float, default=2e-3)
    p.add_argument("--decay", type=float, default=0.02)
    p.add_argument("--mosaic", type=float, default=0.5)
    p.add_argument("--drawn", type=float, default=0.15)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--workers", type=int, default=1)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    width, height = map(int, a.size.split("x"))
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    a.run.mkdir(parents=True, exist_ok=True)
    network = RoadUserNetwork().to(memory_format=torch.channels_last).train()
    optimizer = torch.optim.AdamW(groups(network, a.decay), lr=a.rate)
    spent, seen, checkpoint = 0.0, 0, a.run / "checkpoint.pt"
    if not checkpoint.exists() and a.start and a.start.endswith(".pt"):
        network.load_state_dict(torch.load(a.start, weights_only=True))
    elif not checkpoint.exists() and a.start:
        restore(network, a.start, Samples(a.cache, width, height, 0, held_out))
    average = Average(network)
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
        average.state, average.steps, spent, seen = state["average"], state["steps"], state["spent"], state["seen"]
        print(f"going on after {seen} samples, {spent / 3600:.2f} h", flush=True)
    samples = Samples(a.cache, width, height, a.seed + seen, held_out, a.drawn, a.mosaic)
    batches = iter(DataLoader(samples, a.batch, collate_fn=collate, num_workers=a.workers, prefetch_factor=6 if a.workers else None))
    start = saved = time.monotonic()
    before, shown, sums, end = spent, seen, {}, 3600 * min(a.hours, a.pause or a.hours)
    while spent < end:
        images, objects, unsure = next(batches)
        for g in optimizer.param_groups:
            g["lr"] = a.rate * rate(spent / (a.hours * 3600))
        with torch.autocast("cpu", torch.bfloat16):
            scores, distances = network(images.contiguous(memory_format=torch.channels_last).float())
        parts = loss(scores.float(), distances.float(), objects, unsure, height, width)
        optimizer.zero_grad()
        sum(parts.values()).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 10.0)
        optimizer.step()
        average.update(network)
        seen, spent = seen + len(images), before + time.monotonic() - start
        for k, v in parts.items():
            sums[k] = sums.get(k, 0.0) + v.detach().item()
        finished = spent >= end
        if time.monotonic() - saved > SAVE_EVERY_S or finished:
            steps = (seen - shown) / a.batch
            print(f"{spent / 3600:.2f} h {seen} samples {(seen - shown) / (time.monotonic() - saved):.1f}/s "
                  + " ".join(f"{k} {v / steps:.3f}" for k, v in sums.items()), flush=True)
            saved, shown, sums = time.monotonic(), seen, {}
            save(a.run / "weights.pt", average.state)
            save(checkpoint, {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "average": average.state,
                              "steps": average.steps, "spent": spent, "seen": seen})


if __name__ == "__main__":
    main()
