"""Training state from a committed ONNX file, whose batch norms are folded.

Each convolution gets the file's kernel; its batch norm gets the statistics of what the convolution gives on training samples, and the scale
and shift that undo them and add the file's bias: the network computes exactly what the file does, and trains on.
"""

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from .network import Conv, RoadUserNetwork
from .samples import Samples, collate


def parameters(path: str) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """(kernel, bias) of every convolution, in the order of the graph, which is the order of use."""
    model = onnx.load(path)
    values = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in model.graph.initializer}
    for n in model.graph.node:  # the exporter writes equal values once
        if n.op_type == "Identity" and n.input[0] in values:
            values[n.output[0]] = values[n.input[0]]
    return [(values[n.input[1]], values[n.input[2]]) for n in model.graph.node if n.op_type == "Conv"]


@torch.no_grad()
def restore(network: RoadUserNetwork, path: str, samples: Samples, count: int = 32) -> None:
    """Sets `network` to what the ONNX file `path` computes. Throws `ValueError` when the file is of another network."""
    stream = iter(samples)
    images = collate([next(stream) for _ in range(count)])[0].float()
    wanted, used = parameters(path), []

    def take(convolution: nn.Conv2d) -> torch.Tensor:
        if len(used) == len(wanted) or wanted[len(used)][0].shape != convolution.weight.shape:
            raise ValueError(f"{path}: its convolution {len(used)} is not this network's")
        kernel, bias = wanted[len(used)]
        used.append(convolution)
        convolution.weight.copy_(kernel)
        return bias

    def before(module: nn.Module, inputs: tuple) -> None:
        if isinstance(module, Conv):
            bias, norm, out = take(module[0]), module[1], module[0](inputs[0])
            mean, var = out.mean((0, 2, 3)), out.var((0, 2, 3))
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(var)
            norm.weight.copy_((var + norm.eps).sqrt())
            norm.bias.copy_(bias + mean)
        elif isinstance(module, nn.Conv2d) and module.bias is not None:
            module.bias.copy_(take(module))

    hooks = [m.register_forward_pre_hook(before) for m in network.modules()]
    training = network.training
    network.eval()
    try:
        network(images)
    finally:
        for hook in hooks:
            hook.remove()
        network.train(training)
    if len(used) != len(wanted):
        raise ValueError(f"{path}: {len(wanted)} convolutions, this network has {len(used)}")
