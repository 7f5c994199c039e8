"""Weighted mean of two networks' weights, of either package: `python -m mean A.pt B.pt --share 0.4 --out MEAN.pt`.

Where B went on from A and learnt one thing at the cost of another, a mean in between often keeps both (Wortsman et al., "Robust fine-tuning of
zero-shot models", 2022). Batch norms' statistics are weights too; calibrate a reader's mean before it is exported.
"""
import argparse

import torch


def mean(a: dict, b: dict, share: float) -> dict:
    """`a`'s weights and `share` of `b`'s in their place, 0...1; whole numbers (counters) stay as in `a`."""
    return {name: torch.lerp(value, b[name], share) if value.is_floating_point() else value for name, value in a.items()}


def main():
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a"), parser.add_argument("b"), parser.add_argument("--out", required=True)
    parser.add_argument("--share", type=float, default=0.5, help="of B, 0 to 1")
    options = parser.parse_args()
    first, second = (torch.load(path, map_location="cpu", weights_only=True) for path in (options.a, options.b))
    # A reader's checkpoint keeps them among other things.
    if "average" in first:
        torch.save({"average": mean(first["average"], second["average"], options.share)}, options.out)
    else:
        torch.save(mean(first, second, options.share), options.out)


if __name__ == "__main__":
    main()
