"""Drawing, cutting and the network's shape."""
import numpy as np
import pytest
import torch

from sign_reader import augment, collect, fonts, render, scene
from sign_reader.labels import KINDS, OTHER, VALUES
from sign_reader.network import CropNorm, Probabilities, SignReader

FACES = fonts.available(fonts.PLATE + [fonts.STROKES])


def test_a_crop_at_the_pictures_edge_goes_on_with_the_edge():
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[:20, :20] = 200
    crop = scene.around(picture, (0, 0, 20, 20))
    assert crop.shape == (scene.SIZE, scene.SIZE, 3)
    assert (crop[:50, :50] == 200).all() and (crop[-4:, -4:] == 0).all()


def test_the_plain_cut_shows_the_sign_with_the_margin_asked_for():
    stored = np.zeros((1, scene.SIZE, scene.SIZE, 3), np.uint8)
    inner = scene.SIZE / (1 + 2 * scene.CONTEXT)
    low, high = round((scene.SIZE - inner) / 2), round((scene.SIZE + inner) / 2)
    stored[:, low:high, low:high] = 255
    tight = augment.plain(torch.from_numpy(stored), 0.0)
    assert tight.shape == (1, 3, 48, 48) and tight[0, :, 2:-2, 2:-2].min() > 250
    wide = augment.plain(torch.from_numpy(stored), 0.1)
    assert wide[0, :, :3].max() < 130 and wide[0, :, 24, 24].min() > 254


def test_colours_that_changed_places_change_back():
    y, x = np.mgrid[0 : scene.SIZE, 0 : scene.SIZE] - 31.5
    radius = np.hypot(x, y) / (scene.SIZE / (1 + 2 * scene.CONTEXT) / 2)
    sign = np.full((scene.SIZE, scene.SIZE, 3), 128, np.uint8)
    sign[(radius > 0.75) & (radius < 1)] = (30, 40, 200)
    assert (collect.red_again(sign) == sign).all()
    assert (collect.red_again(np.ascontiguousarray(sign[..., [1, 2, 0]])) == sign).all()
    assert (collect.red_again(np.ascontiguousarray(sign[..., [2, 0, 1]])) == sign).all()
    half = sign.copy()
    half[32:] = half[32:][..., [1, 2, 0]]
    assert collect.red_again(half) is None


def test_a_darker_or_paler_crop_is_the_same_to_the_network():
    crop = torch.rand(1, 3, 48, 48) * 200
    norm = CropNorm()
    assert torch.allclose(norm(crop), norm(crop * 0.5 + 40), atol=0.02)
    assert norm(torch.full((1, 3, 48, 48), 90.0)).abs().max() < 1e-3


def test_the_shipped_network_gives_probabilities_of_kinds_and_values():
    kind, value = Probabilities(SignReader(), 2.0, 2.0).eval()(torch.rand(2, 3, 48, 48) * 255)
    assert kind.shape == (2, len(KINDS)) and value.shape == (2, len(VALUES))
    assert torch.allclose(kind.sum(1), torch.ones(2)) and torch.allclose(value.sum(1), torch.ones(2))


@pytest.mark.skipif(not FACES, reason="no typefaces installed")
@pytest.mark.parametrize("family", list(render.SHARES))
def test_every_family_can_be_drawn_and_repeats_with_its_seed(family):
    background = np.full((64, 64, 3), 100, np.uint8)
    crops = []
    for _ in range(2):
        rng = np.random.default_rng(7)
        pen, label = render.draw(family, rng, FACES, FACES)
        crops.append(scene.place(pen.image, rng, background)[0])
    assert crops[0].shape == (64, 64, 3) and (crops[0] == crops[1]).all() and crops[0].std() > 3
    assert (label.kind == OTHER) == (family == "other")
