"""The fit of the plate score, on numbers worked out by hand or made up."""
import numpy as np

from plate_score import fit


def test_overlap_of_boxes():
    others = np.array([[0, 0, 10, 10], [5, 0, 10, 10], [20, 0, 10, 10]], float)
    assert np.allclose(fit.iou((0, 0, 10, 10), others), [1, 1 / 3, 0])
    assert np.allclose(fit.overlaps([[], [(0, 0, 10, 10)]], np.array([0, 1, 1]), others), [0, 1 / 3, 0])


def test_the_fit_finds_the_weights_that_made_the_answers():
    rng = np.random.default_rng(1)
    features = np.hstack([rng.normal(size=(20000, 2)), np.ones((20000, 1))])
    right = rng.random(20000) < 1 / (1 + np.exp(-features @ [2, -1, 0.5]))
    assert np.allclose(fit.fit(features, right), [2, -1, 0.5], atol=0.1)


def test_a_plate_counts_as_found_only_among_the_best():
    boxes = np.array([[0, 0, 30, 40], [100, 0, 30, 40], [101, 1, 30, 40]], float)
    pictures, plates = np.zeros(3, int), [[(100, 0, 30, 40)]]
    assert fit.found(plates, pictures, boxes, np.array([3.0, 2, 1]), 1) == (0, 1)
    assert fit.found(plates, pictures, boxes, np.array([3.0, 2, 1]), 2) == (1, 1)
    assert fit.found([[(100, 0, 20, 19)]], pictures, boxes, np.array([3.0, 2, 1]), 2) == (0, 0)
