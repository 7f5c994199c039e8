"""The network as ONNX, in the operators that OpenCV 4.6 and OpenVINO both know."""
import hashlib
import sys
from pathlib import Path

import onnx
import torch

from .network import INPUT, Probabilities, SignReader


def write_onnx(reader: SignReader, path: str, kind_temperature: float = 1.0, value_temperature: float = 1.0) -> str:
    """Writes `path` and returns its SHA-256."""
    model = Probabilities(reader.eval().float(), kind_temperature, value_temperature).eval()
    torch.onnx.export(
        model, torch.zeros(1, 3, INPUT, INPUT), path, input_names=["crop"], output_names=["kind", "value"],
        opset_version=11, dynamo=False, do_constant_folding=True,
    )
    _copy_shared_constants(path)
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _copy_shared_constants(path: str):
    """The exporter keeps equal constants once and refers to them through Identity nodes, which OpenCV 4.6 does not take."""
    model = onnx.load(path)
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    kept = []
    for node in model.graph.node:
        if node.op_type == "Identity" and node.input[0] in constants:
            copy = onnx.TensorProto()
            copy.CopyFrom(constants[node.input[0]])
            copy.name = node.output[0]
            model.graph.initializer.append(copy)
            constants[copy.name] = copy
        else:
            kept.append(node)
    del model.graph.node[:]
    model.graph.node.extend(kept)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def load(checkpoint: str) -> tuple[SignReader, dict]:
    """The averaged weights of a checkpoint, and the checkpoint."""
    state = torch.load(checkpoint, map_location="cpu", weights_only=True)
    reader = SignReader()
    reader.load_state_dict(state["average"])
    return reader, state


if __name__ == "__main__":
    net, saved = load(sys.argv[1])
    print(write_onnx(net, sys.argv[2], *saved.get("temperatures", (1.0, 1.0))))
