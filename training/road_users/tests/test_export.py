"""The exported file computes what the network does, in OpenCV too, and training can go on from it."""

import tempfile
import unittest

import cv2
import numpy as np
import torch

from road_users.export import export
from road_users.network import RoadUserNetwork
from road_users.restore import restore
from road_users.samples import Samples
from road_users.tests.test_samples import cache


SMALL = {"widths": (8, 8, 16, 24, 32), "middles": (8, 12, 16), "depths": (1, 1, 1), "neck": 16, "head": 16}


def network(**shape) -> RoadUserNetwork:
    """A small one with lived-in batch norms."""
    torch.manual_seed(3)
    n = RoadUserNetwork(**(SMALL | shape)).train()
    for _ in range(3):
        n(torch.rand(4, 3, 96, 160) * 255)
    for branch in [*n.scores, *n.distances]:
        torch.nn.init.normal_(branch[-1].weight, std=0.3)
    return n.eval()


class Export(unittest.TestCase):
    def test_file_and_network_agree_and_restored_training_starts_from_the_same(self):
        one, image = network(), torch.randint(0, 255, (1, 3, 96, 160)).float()
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            scores, distances = one(image)
            export(one, f"{folder}/n.onnx", 160, 96)
            reader = cv2.dnn.readNetFromONNX(f"{folder}/n.onnx")
            reader.setInput(image.numpy())
            found = reader.forward(["scores", "distances"])
            np.testing.assert_allclose(found[0], scores.sigmoid().numpy(), atol=2e-4)
            np.testing.assert_allclose(found[1], distances.numpy(), atol=2e-3, rtol=1e-3)
            other = RoadUserNetwork(**SMALL)
            restore(other, f"{folder}/n.onnx", Samples(cache(folder), 160, 96, 1, drawn_share=0), 4)
            again = other.eval()(image)
            torch.testing.assert_close(again[0], scores, atol=2e-3, rtol=1e-3)
            torch.testing.assert_close(again[1], distances, atol=2e-3, rtol=1e-3)

    def test_a_file_of_another_network_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            export(network(), f"{folder}/n.onnx", 160, 96)
            with self.assertRaises(ValueError):
                restore(RoadUserNetwork(), f"{folder}/n.onnx", Samples(cache(folder), 160, 96, 1, drawn_share=0), 2)


if __name__ == "__main__":
    unittest.main()
