"""Trains the reader: `python -m sign_reader.train REAL.npz RENDERED.npz... --out reader.pt --steps N`. Goes on where reader.pt ends."""
import argparse
import copy
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from . import augment
from .data import Pools
from .labels import PLATE_KMH, PLATE_MPH
from .network import SignReader

BATCH = 256
# Share of the other signs that are cut as loosely as plates.
LOOSE_ROUND = 0.35


def loss_of(kind_logits, value_logits, kinds, values, smoothing: float = 0.01):
    """Both heads' cross-entropy; signs without a value teach the kind alone."""
    loss = F.cross_entropy(kind_logits, kinds, label_smoothing=smoothing)
    shown = values >= 0
    return loss + F.cross_entropy(value_logits[shown], values[shown], label_smoothing=smoothing) * shown.float().mean() * 1.5


def main():
    """Runs the training."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("real"), parser.add_argument("rendered", nargs="+"), parser.add_argument("--out", required=True)
    parser.add_argument("--steps", type=int, default=8000), parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--from", dest="start", help="weights to begin with"), parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--everything", action="store_true", help="also train on what otherwise calibrates and measures")
    options = parser.parse_args()
    torch.set_num_threads(int(os.environ.get("THREADS", "2")))
    torch.manual_seed(options.seed)
    reader = SignReader().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(reader.parameters(), options.rate, weight_decay=0.02)
    step = 0
    if os.path.exists(options.out):
        state = torch.load(options.out, weights_only=True)
        reader.load_state_dict(state["weights"]), optimiser.load_state_dict(state["optimiser"])
        average, step = copy.deepcopy(reader), state["step"]
        average.load_state_dict(state["average"])
    else:
        if options.start:
            reader.load_state_dict(torch.load(options.start, weights_only=True)["average"])
        average = copy.deepcopy(reader)
    pools = Pools(options.real, options.rendered, options.everything)
    rng = np.random.default_rng([options.seed, step])
    generator = torch.Generator().manual_seed(options.seed * 1_000_003 + step)
    started, shown_loss = time.time(), 0.0
    while step < options.steps:
        stored, kinds, values = pools.batch(rng, BATCH)
        # The finder's boxes miss plates more often than round signs, whose rings it fits.
        loose = (kinds == PLATE_MPH) | (kinds == PLATE_KMH) | (torch.rand(len(stored), generator=generator) < LOOSE_ROUND)
        x = augment.vary(augment.cut(stored, augment.window(len(stored), generator, loose=loose)), generator)
        for group in optimiser.param_groups:
            warm = min(1, (step + 1) / 200)
            group["lr"] = options.rate * warm * (0.01 + 0.99 * (1 + math.cos(math.pi * step / options.steps)) / 2)
        reader.train()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            kind_logits, value_logits = reader(x.contiguous(memory_format=torch.channels_last))
        loss = loss_of(kind_logits.float(), value_logits.float(), kinds, values)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 5)
        optimiser.step()
        step += 1
        keep = min(0.999, (step + 1) / (step + 20))
        with torch.no_grad():
            for ours, theirs in zip(average.state_dict().values(), reader.state_dict().values()):
                if ours.dtype.is_floating_point:
                    ours.lerp_(theirs.to(ours.dtype), 1 - keep)
                else:
                    ours.copy_(theirs)
        shown_loss += loss.item()
        if step % 100 == 0:
            print(f"step {step} loss {shown_loss / 100:.4f} {time.time() - started:.0f} s", flush=True)
            shown_loss = 0.0
        if step % 500 == 0 or step == options.steps:
            state = {"weights": reader.state_dict(), "average": average.state_dict(), "optimiser": optimiser.state_dict(), "step": step}
            torch.save(state, options.out + ".new")
            os.replace(options.out + ".new", options.out)


if __name__ == "__main__":
    main()
