"""What the reader says about crops, and how right it is."""
import numpy as np
import torch

from . import augment
from .labels import END, END_ALL, OTHER, PLATE_KMH, PLATE_MPH, ROUND, VALUES
from .network import SignReader

LIMITS = [ROUND, PLATE_MPH, PLATE_KMH]


def logits(reader: SignReader, images: np.ndarray, margin: float = 0.07):
    """Kind and value logits of stored crops, cut with `margin`."""
    reader.eval()
    kinds, values = [], []
    with torch.no_grad():
        for start in range(0, len(images), 512):
            kind, value = reader(augment.plain(torch.from_numpy(images[start : start + 512]), margin))
            kinds.append(kind), values.append(value)
    return torch.cat(kinds), torch.cat(values)


def read(kind_logits, value_logits, temperatures=(1.0, 1.0)):
    """The likeliest reading of each crop: kind, value index (-1 for none), score. The same rule as the product's `ClassifierAdapter`.

    A limit scores kind times value; both end kinds count together.
    """
    kind = torch.softmax(kind_logits / temperatures[0], 1).numpy()
    value = torch.softmax(value_logits / temperatures[1], 1).numpy()
    candidates = kind.copy()
    candidates[:, LIMITS] *= value.max(1, keepdims=True)
    candidates[:, END] += kind[:, END_ALL]
    best = candidates.argmax(1)
    score = candidates.max(1)
    best = np.where((best == END) & (kind[:, END_ALL] > kind[:, END]), END_ALL, best)
    return best, np.where(np.isin(best, [*LIMITS, END]), value.argmax(1), -1), score


def correct(truth_kind, truth_value, kind, value):
    """Whether a reading is right: the kind, and where a value is shown the value."""
    return (truth_kind == kind) & ((truth_value == value) | ~np.isin(truth_kind, [*LIMITS, END]))


def summary(truth_kind, truth_value, kind, value, score, threshold: float) -> dict:
    """Counts at `threshold`: limits right, misread, silent; others and ends read as a limit; ends right."""
    said = np.isin(kind, LIMITS) & (score >= threshold)
    limit = np.isin(truth_kind, LIMITS)
    right = limit & said & (kind == truth_kind) & (value == truth_value)
    end = np.isin(truth_kind, (END, END_ALL))
    other = truth_kind == OTHER
    return {
        "limits": int(limit.sum()), "right": int(right.sum()), "misread": int((limit & said & ~right).sum()), "silent": int((limit & ~said).sum()),
        "others": int(other.sum()), "as limit": int((other & said).sum()),
        "ends": int(end.sum()), "ends right": int((end & np.isin(kind, (END, END_ALL))).sum()), "ends as limit": int((end & said).sum()),
    }


def line(name: str, counts: dict) -> str:
    """One row of the table."""
    share = lambda n, d: f"{n}/{d} ({100 * n / d:.2f} %)" if d else "-"
    return (
        f"{name:22s} limits {share(counts['right'], counts['limits'])}, misread {counts['misread']}, silent {counts['silent']}; "
        f"others as limit {share(counts['as limit'], counts['others'])}; ends {share(counts['ends right'], counts['ends'])}, as limit {counts['ends as limit']}"
    )


def describe(kind: int, value: int) -> str:
    """A reading in words."""
    from .labels import KINDS

    return KINDS[kind] + (f" {VALUES[value]}" if value >= 0 else "")
