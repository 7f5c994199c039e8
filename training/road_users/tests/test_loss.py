"""Assignment, masking and the loss on small hand-made batches."""

import unittest

import torch

from road_users.loss import assign, loss, masked
from road_users.network import BINS, centres

POINTS, STRIDES = centres(64, 64)  # 64 + 16 + 4 rows


class Assignment(unittest.TestCase):
    def test_the_cell_that_fits_best_gets_the_full_overlap_as_target(self):
        objects = torch.tensor([[0, 3, 8.0, 8.0, 40.0, 40.0, 1.0]])
        found = torch.zeros(1, 84, 4)
        found[0, :, 2:] = 1
        found[0, 18] = torch.tensor([8.0, 8, 40, 40])  # centre (20, 20): exact
        found[0, 19] = torch.tensor([8.0, 8, 40, 24])  # centre (28, 20): half of it
        picture, row, owner, target = assign(torch.full((1, 84, 6), 0.25), found, objects, POINTS, STRIDES)
        self.assertTrue((picture == 0).all() and (owner == 0).all())
        wanted = dict(zip(row.tolist(), target.tolist()))
        self.assertEqual(len(wanted), 10)
        self.assertAlmostEqual(wanted[18], 1.0, places=5)
        self.assertAlmostEqual(wanted[19], 0.5**6, places=5)

    def test_a_cell_in_two_objects_belongs_to_the_one_it_overlaps_more(self):
        objects = torch.tensor([[0, 3, 0.0, 0, 32, 32, 1], [0, 0, 0.0, 0, 16, 32, 1]])
        found = torch.tensor([0.0, 0, 16, 32]).expand(1, 84, 4)
        _, row, owner, _ = assign(torch.full((1, 84, 6), 0.25), found, objects, POINTS, STRIDES)
        self.assertEqual(owner[row == 0].tolist(), [1])
        self.assertEqual(len(row), len(row.unique()))

    def test_cells_outside_or_with_too_short_a_reach_own_nothing(self):
        objects = torch.tensor([[0, 3, 0.0, 0, 64, 64, 1]])
        found = torch.tensor([0.0, 0, 64, 64]).expand(1, 84, 4)
        _, row, _, _ = assign(torch.full((1, 84, 6), 0.25), found, objects, POINTS, STRIDES)
        reach = torch.cat([POINTS, 64 - POINTS], 1).amax(1)
        self.assertTrue((reach[row] < (BINS - 1) * STRIDES[row]).all())

    def test_an_object_without_a_fitting_cell_still_owns_some(self):
        objects = torch.tensor([[0, 0, 30.0, 30, 34, 40, 1]])
        found = torch.zeros(1, 84, 4)
        _, row, owner, _ = assign(torch.full((1, 84, 6), 0.01), found, objects, POINTS, STRIDES)
        self.assertGreater(len(row), 0)


class Loss(unittest.TestCase):
    def test_an_unsure_box_is_masked_for_its_group_only(self):
        unsure = torch.tensor([[1, 4, 0.0, 0, 16, 16]])
        mask = masked(unsure, POINTS, 2)
        self.assertFalse(mask[0].any())
        self.assertFalse(mask[1, :, 0].any())
        self.assertEqual(mask[1, :, 1].nonzero().flatten().tolist(), [0, 1, 8, 9, 64])

    def test_an_unsure_box_of_any_class_is_masked_for_both(self):
        mask = masked(torch.tensor([[0, 6, 0.0, 0, 16, 16]]), POINTS, 1)
        self.assertEqual(mask[0].all(1).nonzero().flatten().tolist(), [0, 1, 8, 9, 64])

    def test_a_right_answer_costs_next_to_nothing_and_a_wrong_one_much(self):
        objects = torch.tensor([[0, 3, 8.0, 8.0, 40.0, 40.0, 1.0]])
        empty = torch.zeros(0, 6)
        scores = torch.full((1, 84, 6), -12.0)
        distances = torch.full((1, 84, 4, BINS), -20.0)
        distances[..., 0] = 20  # every other cell: a box without size
        scores[0, 18, 3] = 12
        # Centre (20, 20), stride 8: 12 px to the left and top, 20 to the right and bottom: 1.5 and 2.5 cells.
        distances[0, 18, :, 0] = -20
        distances[0, 18, :2, 1:3] = 20
        distances[0, 18, 2:, 2:4] = 20
        right = loss(scores, distances.flatten(2), objects, empty, 64, 64)
        wrong = loss(-scores, distances.flatten(2).flip(-1), objects, empty, 64, 64)
        self.assertLess(float(right["score"]), 1e-3)
        self.assertGreater(float(wrong["score"]), 10)
        self.assertLess(float(right["distribution"]), float(wrong["distribution"]))
        self.assertTrue(all(torch.isfinite(v) for v in [*right.values(), *wrong.values()]))

    def test_a_batch_without_objects_has_a_loss_and_gradients(self):
        scores = torch.zeros(2, 84, 6, requires_grad=True)
        parts = loss(scores, torch.zeros(2, 84, 32, requires_grad=True), torch.zeros(0, 7), torch.zeros(0, 6), 64, 64)
        sum(parts.values()).backward()
        self.assertGreater(float(scores.grad.abs().sum()), 0)


if __name__ == "__main__":
    unittest.main()
