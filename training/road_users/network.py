"""The network: a small residual backbone, a feature pyramid with a way down and up, and anchor-free heads on strides 8, 16 and 32.

Plain 3x3 convolutions with ReLU throughout: few passes over memory when trained, and every inference engine has a fast path for them.
Input: N x 3 x H x W, BGR 0...255, H and W multiples of 32.
"""

import torch
from torch import Tensor, nn

CLASSES = ["person", "bicycle", "motorcycle", "car", "bus", "truck"]
STRIDES = (8, 16, 32)
BINS = 8  # of the distribution of each side; its expectation times the stride is the distance in pixels
MEAN, SCALE = 114.0, 1 / 60.0


class Conv(nn.Sequential):
    """Convolution, batch norm and, unless told otherwise, ReLU; keeps the size at stride 1."""

    def __init__(self, inputs: int, outputs: int, kernel: int = 3, stride: int = 1, groups: int = 1, act: bool = True):
        layers = [
            nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
            nn.BatchNorm2d(outputs, momentum=0.03, eps=1e-3),
        ]
        super().__init__(*layers, *([nn.ReLU(inplace=True)] if act else []))


class Residual(nn.Module):
    """Two 3x3 convolutions with a narrow middle, added to the input."""

    def __init__(self, channels: int, hidden: int):
        super().__init__()
        self.narrow = Conv(channels, hidden)
        self.widen = Conv(hidden, channels, act=False)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.widen(self.narrow(x)))


class Branch(nn.Sequential):
    """One task of the head: two 3x3 convolutions, then the outputs. (Depthwise ones take four times as long in a training step.)"""

    def __init__(self, channels: int, hidden: int, outputs: int):
        super().__init__(Conv(channels, hidden), Conv(hidden, hidden), nn.Conv2d(hidden, outputs, 1))


class RoadUserNetwork(nn.Module):
    """See the module. `forward` gives raw class scores N x n x 6 (logits) and side distributions N x n x 32, rows by stride, row-major."""

    def __init__(self, widths=(16, 24, 48, 96, 160), middles=(24, 48, 64), depths=(1, 2, 2), neck: int = 64, head: int = 32):
        super().__init__()
        w2, w4, w8, w16, w32 = widths
        self.stem = nn.Sequential(Conv(3, w2, 3, 2), Conv(w2, w4, 3, 2))
        self.stage8 = self.stage(w4, w8, middles[0], depths[0])
        self.stage16 = self.stage(w8, w16, middles[1], depths[1])
        self.stage32 = self.stage(w16, w32, middles[2], depths[2])
        self.lateral = nn.ModuleList(Conv(w, neck, 1, act=False) for w in (w8, w16, w32))
        self.smooth8, self.smooth16 = Conv(neck, neck), Conv(neck, neck)
        self.down16, self.down32 = Conv(neck, neck, 3, 2), Conv(neck, neck, 3, 2)
        self.smooth16b, self.smooth32 = Conv(neck, neck), Conv(neck, neck)
        self.scores = nn.ModuleList(Branch(neck, head, len(CLASSES)) for _ in STRIDES)
        self.distances = nn.ModuleList(Branch(neck, head, 4 * BINS) for _ in STRIDES)
        for branch in self.scores:
            nn.init.normal_(branch[-1].weight, std=0.01)
            nn.init.constant_(branch[-1].bias, -5.0)
        for branch in self.distances:
            nn.init.normal_(branch[-1].weight, std=0.01)
            nn.init.zeros_(branch[-1].bias)

    @staticmethod
    def stage(inputs: int, outputs: int, middle: int, depth: int) -> nn.Sequential:
        return nn.Sequential(Conv(inputs, outputs, 3, 2), *[Residual(outputs, middle) for _ in range(depth)])

    def features(self, image: Tensor) -> list[Tensor]:
        c8 = self.stage8(self.stem((image - MEAN) * SCALE))
        c16 = self.stage16(c8)
        c32 = self.stage32(c16)
        up = nn.functional.interpolate
        p32 = torch.relu(self.lateral[2](c32))
        p16 = self.smooth16(torch.relu(self.lateral[1](c16) + up(p32, scale_factor=2.0)))
        p8 = self.smooth8(torch.relu(self.lateral[0](c8) + up(p16, scale_factor=2.0)))
        q16 = self.smooth16b(p16 + self.down16(p8))
        q32 = self.smooth32(p32 + self.down32(q16))
        return [p8, q16, q32]

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        levels = self.features(image)
        rows = lambda heads: torch.cat([head(x).flatten(2) for head, x in zip(heads, levels)], 2).transpose(1, 2)
        return rows(self.scores), rows(self.distances)


def centres(height: int, width: int) -> tuple[Tensor, Tensor]:
    """Cell centres (n x 2: x, y in pixels) and the stride of each row (n)."""
    points, strides = [], []
    for stride in STRIDES:
        y, x = torch.meshgrid(torch.arange(height // stride), torch.arange(width // stride), indexing="ij")
        points.append((torch.stack([x.flatten(), y.flatten()], 1).float() + 0.5) * stride)
        strides.append(torch.full((len(points[-1]),), float(stride)))
    return torch.cat(points), torch.cat(strides)


def boxes(distances: Tensor, points: Tensor, strides: Tensor) -> Tensor:
    """Corner boxes (... x n x 4, pixels) from side distributions (... x n x 32)."""
    # A softmax's expectation by hand: over eight bins the library's takes a third of the whole loss.
    share = distances.unflatten(-1, (4, BINS)).clamp(-60, 60).exp()
    bins = torch.arange(BINS, dtype=distances.dtype)
    total, first = (share @ torch.stack([torch.ones_like(bins), bins], 1)).unbind(-1)
    sides = first / total * strides[:, None]
    return torch.cat([points - sides[..., :2], points + sides[..., 2:]], -1)
