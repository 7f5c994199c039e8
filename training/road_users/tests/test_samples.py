"""Cuts keep boxes on their objects."""

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

from road_users.cache import ANY, Writer, held_back, unsure, yolo
from road_users.samples import Pictures, Samples, collate, cut, disturbed, mosaic, moved
from road_users.train import rate

BOX = [3, 100.0, 60.0, 180.0, 120.0, 0.9]


def cache(folder: str) -> str:
    """One grey picture with a white rectangle that is labelled as a car."""
    image = np.full((240, 400, 3), 60, np.uint8)
    image[60:120, 100:180] = 255
    writer = Writer(Path(folder))
    writer.add("one.jpg", "one", image, [BOX], [[0, 300.0, 100.0, 310.0, 130.0, 0.3]])
    writer.close()
    return folder


class Cuts(unittest.TestCase):
    def test_moved_boxes_are_cut_and_tell_what_is_left(self):
        rows = np.array([[3, 10, 10, 30, 20, 1.0], [3, 40, 0, 60, 10, 1.0]], np.float32)
        out, share = moved(rows, np.array([[2.0, 0, -40], [0, 1.0, 0]]), 60, 100)
        np.testing.assert_allclose(out[:, 1:5], [[0, 10, 20, 20], [40, 0, 60, 10]])
        np.testing.assert_allclose(share, [0.5, 0.5])

    def test_mirrored_boxes_keep_their_left_on_the_left(self):
        out, share = moved(np.array([[3, 10, 10, 30, 20, 1.0]]), np.array([[-1.0, 0, 100], [0, 1.0, 0]]), 100, 100)
        self.assertEqual(out[0, 1:5].tolist(), [70, 10, 90, 20])
        self.assertEqual(share.tolist(), [1])

    def test_the_box_of_a_cut_lies_on_the_bright_pixels(self):
        with tempfile.TemporaryDirectory() as folder:
            pictures, rng = Pictures(cache(folder)), np.random.default_rng(1)
            seen = 0
            for _ in range(60):
                s = cut(pictures, pictures.records[0], 320, 192, float(rng.uniform(0.3, 1.2)), rng)
                for _, x0, y0, x1, y1, trust in s.objects:
                    rows, columns = np.nonzero(s.image[..., 0] > 158)
                    np.testing.assert_allclose([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1], [x0, y0, x1, y1], atol=1.1)
                    self.assertEqual(trust, 1)
                    seen += 1
            self.assertGreater(seen, 30)

    def test_mosaics_and_batches_have_the_size_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            samples = Samples(cache(folder), 160, 96, 1, drawn_share=0)
            stream = iter(samples)
            images, objects, unsure = collate([next(stream) for _ in range(8)])
            self.assertEqual(tuple(images.shape), (8, 3, 96, 160))
            self.assertEqual((objects.shape[1], unsure.shape[1]), (7, 6))
            self.assertTrue(((objects[:, 2:6] >= 0) & (objects[:, 2:6] <= 160)).all())
            rng = np.random.default_rng(2)
            s = mosaic(Pictures(folder), Pictures(folder).records * 4, 160, 96, rng)
            for _ in range(40):
                self.assertEqual(disturbed(s.image, rng).shape, (96, 160, 3))


class Labels(unittest.TestCase):
    def test_a_label_line_becomes_a_corner_box_and_lights_are_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.txt"
            path.write_text("3 0.5 0.5 0.25 0.5 0.800\n6 0.1 0.1 0.1 0.1 0.9\n")
            self.assertEqual(yolo(path, 400, 200), [[3, 150.0, 50.0, 250.0, 150.0, 0.8]])
            self.assertEqual(yolo(Path(folder) / "none.txt", 400, 200), [])

    def test_weak_persons_are_background_and_weak_vehicles_masked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.txt"
            path.write_text("".join(f"{c} 0.5 0.5 0.2 0.2 {s}\n" for c, s in ((0, 0.25), (0, 0.35), (2, 0.2), (3, 0.21), (0, 0.0))))
            self.assertEqual([(r[0], r[5]) for r in unsure(path, 100, 100)], [(0, 0.35), (3, 0.21), (ANY, 0.0)])

    def test_the_frames_that_measure_the_sign_reader_are_held_back(self):
        names = ["gtsdb_gtsdb-00499.jpg", "gtsdb_gtsdb-00500.jpg", "gtsdb_gtsdb-00599.jpg", "gtsdb_gtsdb-00600.jpg", "hod_id_00550.jpg"]
        self.assertEqual([held_back(n) for n in names], [False, True, True, False, False])

    def test_large_pictures_are_reduced_with_their_boxes(self):
        with tempfile.TemporaryDirectory() as folder:
            writer = Writer(Path(folder))
            writer.add("a", "a", np.zeros((540, 1920, 3), np.uint8), [[3, 100.0, 50.0, 300.0, 150.0, 1.0]], [])
            writer.close()
            record = json.loads((Path(folder) / "index.json").read_text())[0]
            self.assertEqual((record["width"], record["height"]), (960, 270))
            self.assertEqual(record["objects"], [[3, 50.0, 25.0, 150.0, 75.0, 1.0]])


class Rate(unittest.TestCase):
    def test_the_rate_warms_up_and_falls_to_a_hundredth(self):
        self.assertLess(rate(0), 0.01)
        self.assertGreater(rate(0.02), 0.99)
        self.assertAlmostEqual(rate(0.5), 0.505, places=3)
        self.assertAlmostEqual(rate(1), 0.01, places=6)


if __name__ == "__main__":
    unittest.main()
