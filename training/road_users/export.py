"""The ONNX file that the detector loads: `python -m road_users.export RUN/weights.pt OUT.onnx [--size 640x384] [--shift VEHICLES OTHERS]`.

Batch norms are folded, scores go through the sigmoid, names and shapes are what adapter `anchorfree` expects; opset 11 operators that
OpenCV 4.6 knows.
"""

import argparse
import hashlib
import warnings

import torch
from torch import Tensor, nn

from .network import CLASSES, Conv, RoadUserNetwork


class Detector(nn.Module):
    def __init__(self, network: RoadUserNetwork):
        super().__init__()
        self.network = network

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        scores, distances = self.network(image)
        return scores.sigmoid(), distances


def fold(network: nn.Module) -> None:
    """Replaces every convolution with batch norm by one convolution with bias, in place."""
    for module in network.modules():
        if isinstance(module, Conv):
            module[0] = nn.utils.fuse_conv_bn_eval(module[0], module[1])
            module[1] = nn.Identity()


def shift(network: RoadUserNetwork, vehicles: float, others: float) -> None:
    """Moves the scores' logits: within a group the order of detections stays, and the scores come to where the tracker and rules want them."""
    amount = torch.tensor([vehicles if c in ("car", "bus", "truck") else others for c in CLASSES])
    with torch.no_grad():
        for branch in network.scores:
            branch[-1].bias.add_(amount)


def export(network: RoadUserNetwork, path: str, width: int, height: int) -> None:
    network.eval()
    fold(network)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(Detector(network).eval(), (torch.zeros(1, 3, height, width),), path, input_names=["image"],
                          output_names=["scores", "distances"], opset_version=11, dynamo=False)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("weights")
    p.add_argument("out")
    p.add_argument("--size", default="640x384")
    p.add_argument("--shift", type=float, nargs=2, default=(0.0, 0.0), help="added to the scores' logits: of vehicles; of persons and two-wheelers")
    a = p.parse_args()
    network = RoadUserNetwork()
    network.load_state_dict(torch.load(a.weights, weights_only=True))
    shift(network, *a.shift)
    export(network, a.out, *map(int, a.size.split("x")))
    print(a.out, hashlib.sha256(open(a.out, "rb").read()).hexdigest())


if __name__ == "__main__":
    main()
