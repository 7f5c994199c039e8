"""What the loop is made of: learning rate, frozen stem, several processes."""

import tempfile
import unittest
from pathlib import Path

import torch
from torch import multiprocessing

from road_users.tests.test_export import SMALL, network
from road_users.network import RoadUserNetwork
from road_users.train import Replicas, freeze, rate


def meeting(rank: int, folder: str) -> None:
    replicas, mine = Replicas(f"{rank}/2", Path(folder)), RoadUserNetwork(**SMALL)
    for v in mine.state_dict().values():
        v.fill_(rank)
    finished = replicas.meet(mine, rank == 1)
    torch.save([finished, mine.state_dict()], f"{folder}/{rank}.pt")


class Training(unittest.TestCase):
    def test_the_rate_rises_quickly_and_ends_at_a_hundredth(self):
        self.assertLess(rate(0), 0.01)
        self.assertAlmostEqual(rate(0.5), 0.505, places=3)
        self.assertAlmostEqual(rate(1.0), 0.01, places=6)

    def test_a_frozen_stem_computes_the_same_and_learns_nothing(self):
        n, image = network(), torch.rand(2, 3, 64, 96) * 255
        with torch.no_grad():
            before = n.stem(image)
        keys = list(n.state_dict())
        n.train()
        freeze(n.stem)
        torch.testing.assert_close(n.stem(image), before, atol=1e-4, rtol=1e-4)
        n(image)[0].sum().backward()
        self.assertTrue(all(p.grad is None for p in n.stem.parameters()))
        self.assertEqual(list(n.state_dict()), keys)

    def test_replicas_go_on_from_their_mean_and_end_together(self):
        with tempfile.TemporaryDirectory() as folder:
            multiprocessing.spawn(meeting, (folder,), 2)
            for rank in (0, 1):
                finished, state = torch.load(f"{folder}/{rank}.pt", weights_only=True)
                self.assertTrue(finished)
                self.assertTrue(all((v == 0.5).all() for v in state.values() if v.is_floating_point()))


if __name__ == "__main__":
    unittest.main()
