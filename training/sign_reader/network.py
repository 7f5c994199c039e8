"""The reader's network: a 48 × 48 crop in, the kind's and the value's logits out."""
import torch
from torch import nn

from .labels import KINDS, VALUES

INPUT = 48
STAGES = [(16, 2), (24, 1), (40, 2), (56, 1), (80, 2), (112, 2)]
HIDDEN = 128
# Added to the variance of a crop's samples (0 to 255), so that a flat crop is not blown up to noise.
VARIANCE_FLOOR = 25.0


class CropNorm(nn.Module):
    """Takes a crop's own mean and contrast out, over all its samples at once, so that colours stay."""

    def __init__(self):
        """Nothing is learned; the ones and zeros are there because OpenCV 4.6 wants them as constants of the file."""
        super().__init__()
        self.norm = nn.InstanceNorm2d(1, eps=VARIANCE_FLOOR, affine=True)
        self.norm.requires_grad_(False)

    def forward(self, x):
        """N × 3 × 48 × 48, samples 0 to 255."""
        return self.norm(x.reshape(-1, 1, 3 * INPUT, INPUT)).reshape(-1, 3, INPUT, INPUT)


class SignReader(nn.Module):
    """Plain convolutions, one hidden layer, two heads."""

    def __init__(self, stages=STAGES, hidden: int = HIDDEN):
        """`stages` are (channels, stride) of 3 × 3 convolutions."""
        super().__init__()
        layers, channels, side = [], 3, INPUT
        for wide, stride in stages:
            layers += [nn.Conv2d(channels, wide, 3, stride, 1, bias=False), nn.BatchNorm2d(wide), nn.ReLU()]
            channels, side = wide, (side + stride - 1) // stride
        self.normalise = CropNorm()
        self.features = nn.Sequential(*layers)
        self.hidden = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(channels * side * side, hidden), nn.ReLU(), nn.Dropout(0.2))
        self.kind = nn.Linear(hidden, len(KINDS))
        self.value = nn.Linear(hidden, len(VALUES))

    def forward(self, x):
        """Logits of kinds and of values."""
        h = self.hidden(self.features(self.normalise(x)))
        return self.kind(h), self.value(h)


class Probabilities(nn.Module):
    """The network as it is shipped: logits over the calibrated temperatures, softmax on both."""

    def __init__(self, reader: SignReader, kind_temperature: float = 1.0, value_temperature: float = 1.0):
        """Temperatures above 1 make the reader humbler."""
        super().__init__()
        self.reader, self.temperatures = reader, (kind_temperature, value_temperature)

    def forward(self, x):
        """Probabilities of kinds and of values."""
        kind, value = self.reader(x)
        return torch.softmax(kind / self.temperatures[0], 1), torch.softmax(value / self.temperatures[1], 1)
