"""Training: `python -m road_users.train CACHE RUN --hours 2`. Goes on from RUN/checkpoint.pt when it is there, else from `--start FILE`.

The learning rate follows the share of the time that is over, so the run ends when it should however busy the machine is. Every few minutes
RUN/checkpoint.pt (all state) and RUN/weights.pt (the running average, what export.py reads) are written.

One thread by default: on a shared machine a second one mostly waits in a barrier. More cores are used by more processes, each with batches
of its own, whose weights are averaged every few steps: start the same command with `--replica 0/2` and `--replica 1/2`.
"""

import argparse
import copy
import math
import time
from pathlib import Path

import torch
import torch.distributed
from torch.utils.data import DataLoader

from .export import fold
from .loss import loss
from .network import RoadUserNetwork
from .restore import restore
from .samples import Samples, collate
from .split import held_out

SAVE_EVERY_S = 180
MEET_EVERY = 8  # steps between two averagings of the replicas


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


def freeze(stem: torch.nn.Module) -> None:
    """Leaves the stem as it is, and computes it with folded batch norms and nothing kept for the way back: most pixels pass there."""
    quick = copy.deepcopy(stem).eval().requires_grad_(False)
    fold(quick)

    def forward(image: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return quick(image)

    stem.eval().requires_grad_(False)
    stem.forward = forward


class Replicas:
    """The processes that train one network together; they find each other through a file in the run's folder."""

    def __init__(self, which: str, run: Path):
        self.rank, self.count = map(int, which.split("/"))
        if self.count > 1:
            torch.distributed.init_process_group("gloo", init_method=f"file://{run.resolve()}/meeting", rank=self.rank, world_size=self.count)

    @torch.no_grad()
    def meet(self, network: torch.nn.Module, finished: bool) -> bool:
        """Averages weights and batch statistics; whether any of the replicas has finished."""
        if self.count == 1:
            return finished
        values = [v for v in network.state_dict().values() if v.is_floating_point()]
        flat = torch.cat([*(v.flatten() for v in values), torch.tensor([float(finished)])])
        torch.distributed.all_reduce(flat)
        for v, mean in zip(values, (flat[:-1] / self.count).split([v.numel() for v in values])):
            v.copy_(mean.view(v.shape))
        return bool(flat[-1] > 0)


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
    p.add_argument("--replica", default="0/1", help="this process and how many there are")
    p.add_argument("--frozen", action="store_true", help="leave the first two layers as they are: a quarter of the time")
    a = p.parse_args()
    width, height = map(int, a.size.split("x"))
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    a.run.mkdir(parents=True, exist_ok=True)
    replicas = Replicas(a.replica, a.run)
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
    if a.frozen:
        freeze(network.stem)
    samples = Samples(a.cache, width, height, a.seed + seen + replicas.rank, held_out, a.drawn, a.mosaic)
    batches = iter(DataLoader(samples, a.batch, collate_fn=collate, num_workers=a.workers, prefetch_factor=6 if a.workers else None))
    start = saved = time.monotonic()
    before, shown, sums, end = spent, seen, {}, 3600 * min(a.hours, a.pause or a.hours)
    step, finished = 0, spent >= end
    while not finished:
        images, objects, unsure = next(batches)
        for g in optimizer.param_groups:
            g["lr"] = a.rate * rate(spent / (a.hours * 3600))
        with torch.autocast("cpu", torch.bfloat16):
            scores, distances = network(images.contiguous(memory_format=torch.channels_last).bfloat16())
        parts = loss(scores.float(), distances.float(), objects, unsure, height, width)
        optimizer.zero_grad()
        sum(parts.values()).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 10.0)
        optimizer.step()
        seen, spent, step = seen + len(images) * replicas.count, before + time.monotonic() - start, step + 1
        if step % MEET_EVERY == 0:
            finished = replicas.meet(network, spent >= end)
        average.update(network)
        for k, v in parts.items():
            sums[k] = sums.get(k, 0.0) + v.detach().item()
        if replicas.rank == 0 and (time.monotonic() - saved > SAVE_EVERY_S or finished):
            steps = (seen - shown) / a.batch / replicas.count
            print(f"{spent / 3600:.2f} h {seen} samples {(seen - shown) / (time.monotonic() - saved):.1f}/s "
                  + " ".join(f"{k} {v / steps:.3f}" for k, v in sums.items()), flush=True)
            saved, shown, sums = time.monotonic(), seen, {}
            save(a.run / "weights.pt", average.state)
            save(checkpoint, {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "average": average.state,
                              "steps": average.steps, "spent": spent, "seen": seen})


if __name__ == "__main__":
    main()
