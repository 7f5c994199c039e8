"""Cells, sides and boxes against values worked by hand."""

import unittest

import torch

from road_users.loss import inside, overlap
from road_users.network import BINS, RoadUserNetwork, boxes, centres


class Boxes(unittest.TestCase):
    def test_rows_run_by_stride_and_then_row_by_row(self):
        points, strides = centres(64, 96)
        self.assertEqual(len(points), 8 * 12 + 4 * 6 + 2 * 3)
        self.assertEqual(points[0].tolist(), [4, 4])
        self.assertEqual(points[11].tolist(), [92, 4])
        self.assertEqual(points[12].tolist(), [4, 12])
        self.assertEqual(points[96].tolist(), [8, 8])
        self.assertEqual(points[-1].tolist(), [80, 48])
        self.assertEqual(strides[[0, 95, 96, 119, 120]].tolist(), [8, 8, 16, 16, 32])

    def test_a_side_is_the_expectation_of_its_bins_times_the_stride(self):
        distances = torch.full((1, 4 * BINS), -100.0)
        distances[0, 2] = 0  # left: bin 2
        distances[0, BINS + 1] = distances[0, BINS + 2] = 0  # top: half way from 1 to 2
        distances[0, 2 * BINS] = 0  # right: 0
        distances[0, 3 * BINS + 7] = 0  # bottom: 7
        box = boxes(distances, torch.tensor([[40.0, 60.0]]), torch.tensor([8.0]))
        torch.testing.assert_close(box, torch.tensor([[40 - 16.0, 60 - 12.0, 40.0, 60 + 56.0]]))

    def test_the_network_gives_a_row_for_every_cell(self):
        scores, distances = RoadUserNetwork().eval()(torch.zeros(1, 3, 64, 96))
        self.assertEqual(tuple(scores.shape), (1, 126, 6))
        self.assertEqual(tuple(distances.shape), (1, 126, 32))

    def test_overlap(self):
        a = torch.tensor([[0.0, 0, 10, 10], [0, 0, 10, 10], [0, 0, 10, 10]])
        b = torch.tensor([[0.0, 0, 10, 10], [5, 0, 15, 10], [20, 0, 30, 10]])
        iou, giou = overlap(a, b)
        torch.testing.assert_close(iou, torch.tensor([1, 1 / 3, 0]))
        # Third pair: hull 30 x 10, union 200: 0 - (300 - 200) / 300.
        torch.testing.assert_close(giou, torch.tensor([1, 1 / 3, -1 / 3]))

    def test_points_lie_in_a_narrow_box_once_it_is_widened(self):
        points = torch.tensor([[4.0, 4.0], [12.0, 4.0]])
        rows = torch.tensor([[7.0, 0.0, 8.0, 8.0]])  # one pixel wide, between the two
        self.assertEqual(inside(points, rows).tolist(), [[False, False]])
        self.assertEqual(inside(points, rows, 4.8).tolist(), [[True, True]])


if __name__ == "__main__":
    unittest.main()
