"""Training data: real and rendered crops, drawn by share."""
import numpy as np
import torch

from .labels import OTHER, PLATE_KMH, PLATE_MPH

# Share of a batch that each pool fills.
SHARES = {"real limits and ends": 0.30, "real others": 0.12, "background": 0.13, "rendered": 0.45}


class Pools:
    """Index pools over one array of crops."""

    def __init__(self, real_path: str, rendered_paths: list[str], everything: bool = False):
        """Real crops of the training part (`everything`: of all parts), and rendered ones."""
        real = np.load(real_path)
        used = np.ones(len(real["kind"]), bool) if everything else real["part"] == "train"
        # What the issue keeps for measuring alone, and the only real plates, train nobody.
        used &= ~((real["part"] == "test") & np.isin(real["source"], ["scenes-de", "scenes-us", "background-de"]))
        images, kinds, values = [real["image"][used]], [real["kind"][used]], [real["value"][used]]
        source, name, size = real["source"][used], real["name"][used], real["size"][used]
        for path in rendered_paths:
            part = np.load(path)
            images.append(part["image"]), kinds.append(part["kind"]), values.append(part["value"])
        self.images = torch.from_numpy(np.concatenate(images))
        self.kinds = torch.from_numpy(np.concatenate(kinds)).long()
        self.values = torch.from_numpy(np.concatenate(values)).long()
        kind, value = kinds[0], values[0]
        background = np.char.startswith(source, "background")
        shown = ~background & (kind != OTHER)
        self.pools = {
            "real limits and ends": self._weighted(np.where(shown)[0], [f"{k}/{v}" for k, v in zip(kind[shown], value[shown])], source[shown], size[shown]),
            "real others": self._weighted(np.where(~background & ~shown)[0], [n.split("/")[0] for n in name[~background & ~shown]], source[~background & ~shown], size[~background & ~shown]),
            "background": (np.where(background)[0], None),
            "rendered": self._rendered(np.concatenate(kinds[1:]), int(used.sum())),
        }

    @staticmethod
    def _rendered(kinds, first: int):
        """Plates count twice: hardly any real ones teach them."""
        weight = np.where(np.isin(kinds, [PLATE_MPH, PLATE_KMH]), 2.0, 1.0)
        return np.arange(first, first + len(kinds)), weight / weight.sum()

    @staticmethod
    def _weighted(index, group, source, size):
        """Rare values count more (square root); other recordings than the benchmark's three times; signs of a few pixels half."""
        names, inverse, counts = np.unique(group, return_inverse=True, return_counts=True)
        weight = 1 / np.sqrt(counts[inverse])
        weight = weight * np.where(source == "gtsrb", 1.0, np.where(source == "scenes-de", 1.5, 4.0)) * np.where(size < 16, 0.5, 1.0)
        return index, weight / weight.sum()

    def batch(self, rng: np.random.Generator, count: int):
        """`count` crops with kinds and values, in random order."""
        chosen = []
        for name, share in SHARES.items():
            index, weight = self.pools[name]
            chosen.append(rng.choice(index, round(count * share), p=weight))
        order = torch.from_numpy(rng.permutation(np.concatenate(chosen)))
        return self.images[order], self.kinds[order], self.values[order]
