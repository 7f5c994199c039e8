"""Finds the temperatures on the validation part and prints the reliability: `python -m sign_reader.calibrate reader.pt REAL.npz`.

Real validation crops alone decide (signs and background, several margins); the temperatures are stored in the checkpoint.
"""
import argparse

import numpy as np
import torch
import torch.nn.functional as F

from . import scoring
from .export import load

MARGINS = (0.0, 0.07, 0.13)


def temperature(logits: torch.Tensor, truth: torch.Tensor) -> float:
    """The temperature with the least cross-entropy, to a hundredth of its logarithm."""
    grid = np.exp(np.arange(-1.0, 1.5, 0.01))
    losses = [F.cross_entropy(logits / t, truth).item() for t in grid]
    return float(grid[int(np.argmin(losses))])


def reliability(score: np.ndarray, right: np.ndarray, edges=(0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.0001)):
    """Rows (low, high, count, mean score, share right) and the expected calibration error."""
    rows, error = [], 0.0
    for low, high in zip(edges, edges[1:]):
        inside = (score >= low) & (score < high)
        if inside.any():
            rows.append((low, min(high, 1.0), int(inside.sum()), float(score[inside].mean()), float(right[inside].mean())))
            error += inside.mean() * abs(rows[-1][3] - rows[-1][4])
    return rows, float(error)


def outputs(reader, data, rows):
    """Logits and truth of `rows`, over all margins."""
    parts = [scoring.logits(reader, data["image"][rows], margin) for margin in MARGINS]
    kind, value = (torch.cat([p[i] for p in parts]) for i in (0, 1))
    return kind, value, np.tile(data["kind"][rows], len(MARGINS)), np.tile(data["value"][rows], len(MARGINS))


def main():
    """Calibrates and reports on the test part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint"), parser.add_argument("real")
    parser.add_argument("--report-only", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    reader, state = load(options.checkpoint)
    real = np.load(options.real)
    data = {key: real[key] for key in real.files}
    signs = ~np.char.startswith(data["source"], "background")
    if not options.report_only:
        kind, value, truth_kind, truth_value = outputs(reader, data, (data["part"] == "validation") & signs)
        shown = truth_value >= 0
        found = temperature(kind, torch.from_numpy(truth_kind).long()), temperature(value[shown], torch.from_numpy(truth_value[shown]).long())
        state = torch.load(options.checkpoint, weights_only=True)
        state["temperatures"] = found
        torch.save(state, options.checkpoint)
    print("temperatures", state.get("temperatures"))
    for part in ("validation", "test"):
        kind, value, truth_kind, truth_value = outputs(reader, data, (data["part"] == part) & signs)
        for name, temperatures in (("raw", (1.0, 1.0)), ("calibrated", state.get("temperatures", (1.0, 1.0)))):
            best_kind, best_value, score = scoring.read(kind, value, temperatures)
            rows, error = reliability(score, scoring.correct(truth_kind, truth_value, best_kind, best_value))
            print(f"{part} {name}: {len(score)} readings, expected calibration error {error:.4f}")
        for low, high, count, mean, share in rows:
            print(f"  score {low:.3f} to {high:.3f}: {count:6d} readings, mean score {mean:.4f}, right {share:.4f}")


if __name__ == "__main__":
    main()
