"""What counts as found, as right and as lost."""

import unittest

from road_users.drives import Count, tally
from road_users.follow import longest_gap


def thing(x: float, width: float, height: float, occluded: float = 0.0, score: float = 0.9, kind: str = "car") -> dict:
    return {"class": kind, "box": [x, 0.0, width, height], "occluded": occluded, "score": score}


class Drives(unittest.TestCase):
    def count(self, detections: list[dict], truth: list[dict]) -> tuple[int, int, int, int]:
        c = Count()
        tally(c, "vehicle", detections, truth)
        return c.found, c.wanted, c.right, c.raised

    def test_a_box_on_a_vehicle_of_any_kind_is_right_and_a_second_one_on_it_false(self):
        truth = [thing(0, 50, 30, kind="truck")]
        self.assertEqual(self.count([thing(0, 50, 30)], truth), (1, 1, 1, 1))
        self.assertEqual(self.count([thing(0, 50, 30), thing(2, 50, 30, score=0.5)], truth), (1, 1, 1, 2))

    def test_a_loose_box_is_false_and_its_vehicle_missed(self):
        self.assertEqual(self.count([thing(0, 120, 30)], [thing(0, 50, 30)]), (0, 1, 0, 1))

    def test_small_and_hidden_vehicles_and_boxes_on_them_do_not_count(self):
        truth = [thing(0, 30, 20), thing(100, 50, 40, occluded=0.5)]
        self.assertEqual(self.count([thing(0, 30, 20), thing(100, 80, 40)], truth), (0, 0, 0, 0))

    def test_a_box_on_nothing_is_false(self):
        self.assertEqual(self.count([thing(300, 50, 30)], [thing(0, 50, 30)]), (0, 1, 0, 1))


class Follow(unittest.TestCase):
    def test_the_longest_gap_is_counted_in_frames_of_the_video(self):
        self.assertEqual(longest_gap([0, 1, 2, 3], [True, True, True, True]), 0)
        self.assertEqual(longest_gap([0, 1, 2, 3], [True, False, False, True]), 2)
        self.assertEqual(longest_gap([174, 180, 186, 192], [True, False, False, True]), 7)


if __name__ == "__main__":
    unittest.main()
