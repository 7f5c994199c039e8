"""The mean of weights, worked by hand."""
import torch

from mean import mean


def test_weights_are_mixed_and_counters_kept():
    a, b = {"w": torch.tensor([0.0, 2]), "seen": torch.tensor(3)}, {"w": torch.tensor([1.0, 4]), "seen": torch.tensor(9)}
    mixed = mean(a, b, 0.25)
    assert torch.equal(mixed["w"], torch.tensor([0.25, 2.5])) and mixed["seen"] == 3
