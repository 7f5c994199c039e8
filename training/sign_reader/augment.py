"""Variation at training time, on whole batches: where the sign is cut out, light, focus, distance, noise."""
import math

import torch
import torch.nn.functional as F

from .network import INPUT
from .scene import CONTEXT

# Half the sign's side in the stored crop's coordinates (-1 to 1).
INNER = 1 / (1 + 2 * CONTEXT)


def window(count: int, generator: torch.Generator, tightest=-0.04, widest=0.15, shift=0.05, turn=5.0, loose=None) -> torch.Tensor:
    """Affine maps (count × 2 × 3) from the network's input to the stored crop: margins, misplacement, a turn.

    `loose` marks those whose sides are off by up to a sixth, each side for itself: a plate's are mistaken for lines of letters, a ring's for leaves.
    """
    u = lambda low, high: torch.rand(count, generator=generator) * (high - low) + low
    # Benchmark crops of far signs have five pixels around fifteen: a third of the side.
    margin = torch.where(u(0, 1) < 0.3, u(widest, 0.38), u(tightest, widest))
    sx, sy = (INNER * (1 + 2 * margin + u(-0.04, 0.04)) for _ in range(2))
    tx, ty = (INNER * 2 * u(-shift, shift) for _ in range(2))
    if loose is not None:
        low_x, high_x, low_y, high_y = (torch.where(loose, u(-0.16, 0.1), torch.zeros(count)) for _ in range(4))
        sx, sy = sx * (1 + (low_x + high_x) / 2), sy * (1 + (low_y + high_y) / 2)
        tx, ty = tx + INNER * (high_x - low_x) / 2, ty + INNER * (high_y - low_y) / 2
    angle, shear = u(-turn, turn) * math.pi / 180, u(-0.04, 0.04)
    cos, sin = torch.cos(angle), torch.sin(angle)
    return torch.stack([torch.stack([sx * cos, sy * (shear - sin), tx], 1), torch.stack([sx * sin, sy * cos, ty], 1)], 1)


def cut(stored: torch.Tensor, maps: torch.Tensor) -> torch.Tensor:
    """N × 64 × 64 × 3 bytes to N × 3 × 48 × 48 samples."""
    x = stored.permute(0, 3, 1, 2).float()
    grid = F.affine_grid(maps, (x.shape[0], 3, INPUT, INPUT), align_corners=False)
    return F.grid_sample(x, grid, mode="bilinear", padding_mode="border", align_corners=False)


def plain(stored: torch.Tensor, margin: float = 0.07) -> torch.Tensor:
    """The crop as a finder would hand it over: the sign with `margin` of its side around it."""
    scale = INNER * (1 + 2 * margin)
    maps = torch.tensor([[[scale, 0, 0], [0, scale, 0]]]).repeat(stored.shape[0], 1, 1)
    return cut(stored, maps)


def vary(x: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Light, colour, focus, distance, noise and small covers."""
    n = x.shape[0]
    each = lambda: torch.rand(n, 1, 1, 1, generator=generator)
    grey = x.mean(1, keepdim=True)
    saturation = torch.where(each() < 0.3, 0.3 + each() * 1.0, torch.ones(n, 1, 1, 1))
    saturation = torch.where(each() < 0.03, torch.zeros(n, 1, 1, 1), saturation)
    x = grey + (x - grey) * saturation
    half = n // 2
    x[:half] = 255 * (x[:half].clamp(0, 255) / 255) ** torch.exp((each()[:half] - 0.5) * 0.9)
    x = x * (1 + 0.06 * torch.randn(n, 3, 1, 1, generator=generator))
    x = x * torch.exp((each() - 0.6) * 1.0) + (each() - 0.5) * 40
    quarter = n // 4
    x = torch.cat([_coarse(x[:quarter], generator), _blurred(x[quarter : 2 * quarter], generator), x[2 * quarter :]])
    cover = torch.rand(n, generator=generator) < 0.06
    for i in cover.nonzero().flatten().tolist():
        h, w = (int(v) for v in torch.randint(3, 14, (2,), generator=generator))
        top, left = (int(v) for v in torch.randint(0, INPUT - 4, (2,), generator=generator))
        x[i, :, top : top + h, left : left + w] = torch.rand(3, 1, 1, generator=generator) * 255
    noise = _NOISE[torch.randint(len(_NOISE), (n,), generator=generator)]
    return (x + noise * each() ** 2 * 14).clamp_(0, 255)


# Drawn once: fresh normal noise for each crop took a third of the time of a step's variation.
_NOISE = torch.randn(512, 3, INPUT, INPUT, generator=torch.Generator().manual_seed(3))


def _coarse(x, generator):
    """As if fewer pixels had been there."""
    side = int(torch.randint(14, 36, (1,), generator=generator))
    small = F.interpolate(x, (side, side), mode="area")
    return F.interpolate(small, (INPUT, INPUT), mode="bilinear", align_corners=False)


def _blurred(x, generator):
    """Out of focus or moved."""
    sigma_x, sigma_y = (float(v) for v in torch.rand(2, generator=generator) * 1.4 + 0.2)
    at = torch.arange(-4, 5).float()
    for sigma, axis in ((sigma_x, 3), (sigma_y, 2)):
        kernel = torch.exp(-((at / sigma) ** 2) / 2)
        kernel = (kernel / kernel.sum()).reshape((1, 1, 1, 9) if axis == 3 else (1, 1, 9, 1)).repeat(3, 1, 1, 1)
        pad = (4, 4, 0, 0) if axis == 3 else (0, 0, 4, 4)
        x = F.conv2d(F.pad(x, pad, mode="replicate"), kernel, groups=3)
    return x
