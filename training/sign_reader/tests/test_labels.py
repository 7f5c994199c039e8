"""Labels, splits and readings, worked by hand."""
import numpy as np
import torch

from sign_reader import calibrate, scoring, splits
from sign_reader.labels import END, END_ALL, OTHER, PLATE_MPH, ROUND, VALUES, Label, gtsrb_label, truth_label


def test_benchmark_classes_become_labels():
    assert gtsrb_label(0) == Label(ROUND, 20) and gtsrb_label(8) == Label(ROUND, 120)
    assert gtsrb_label(6) == Label(END, 80) and gtsrb_label(32) == Label(END_ALL)
    assert gtsrb_label(41) == gtsrb_label(9) == Label(OTHER)


def test_truth_lines_become_labels():
    sign = {"kind": "speed_limit", "value": 35, "unit": "mph"}
    assert truth_label(sign) == Label(PLATE_MPH, 35)
    assert truth_label({**sign, "unit": "km/h"}) == Label(ROUND, 35)
    assert truth_label({**sign, "ignore": True}) is None
    assert truth_label({**sign, "value": 33}) is None
    assert truth_label({"kind": "end_of_limit", "value": None}) == Label(END_ALL)
    assert VALUES[Label(ROUND, 5).index] == 5 and Label(OTHER).index == -1


def test_each_class_holds_out_a_sign_and_no_sign_is_in_two_parts():
    parts = splits.gtsrb({0: ["a", "b", "c"], 1: [str(i) for i in range(30)]})
    of = lambda number: [part for (n, _), part in parts.items() if n == number]
    assert of(0).count("test") == 1 and of(0).count("validation") == 0
    assert of(1).count("test") == 6 and of(1).count("validation") == 3
    assert parts == splits.gtsrb({1: [str(i) for i in reversed(range(30))], 0: ["c", "b", "a"]})


def test_the_frames_that_measure_alone_never_train():
    assert {splits.picture("scenes-de", f"gtsdb_gtsdb-{n:05d}") for n in range(500, 600)} == {"test"}
    assert "test" not in {splits.picture("scenes-de", f"gtsdb_gtsdb-{n:05d}") for n in [*range(0, 500), *range(600, 900)]}
    assert splits.picture("scenes-us", "us_00005") == "test"


def logits(*probabilities):
    return torch.log(torch.tensor([probabilities]))


def test_a_limit_scores_kind_times_value_and_the_end_kinds_count_together():
    values = [0.9 if v == 50 else 0.1 / 27 for v in VALUES]
    kind, value, score = scoring.read(logits(0.1, 0.8, 0.04, 0.02, 0.03, 0.01), logits(*values))
    assert kind[0] == ROUND and VALUES[value[0]] == 50 and abs(score[0] - 0.72) < 1e-5
    kind, _, score = scoring.read(logits(0.1, 0.1, 0.1, 0.1, 0.35, 0.25), logits(*values))
    assert kind[0] == END and abs(score[0] - 0.6) < 1e-5
    kind, value, score = scoring.read(logits(0.5, 0.48, 0.005, 0.005, 0.005, 0.005), logits(*values))
    assert kind[0] == OTHER and value[0] == -1 and abs(score[0] - 0.5) < 1e-5


def test_an_overconfident_reader_gets_a_temperature_above_one():
    truth = torch.tensor([0] * 80 + [1] * 20)
    assert abs(calibrate.temperature(torch.tensor([[2 * np.log(4.0), 0.0]] * 100), truth) - 2) < 0.03


def test_the_reliability_of_ten_readings_is_worked_out():
    rows, error = calibrate.reliability(np.array([0.9] * 10), np.array([True] * 7 + [False] * 3), (0, 0.5, 1))
    assert len(rows) == 1 and rows[0][2:] == (10, 0.9, 0.7) and abs(error - 0.2) < 1e-9
