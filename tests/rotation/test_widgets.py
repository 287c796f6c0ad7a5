"""The widget on rotation, on the side of Python: traits, tables of numbers, picture."""

import matplotlib as mpl
import numpy as np
import pytest
from figure_rules import drawn

from posenc.rotation import position_similarity
from posenc.rotation.widgets import BASES, SIZES, ShiftClocks
from posenc.sinusoidal import sinusoidal_encoding

SETTINGS = [(d_model, base) for d_model in SIZES for base in BASES]


@pytest.mark.parametrize(("d_model", "base"), SETTINGS)
def test_frequencies_are_those_of_the_encoding(d_model, base):
    thetas = np.asarray(ShiftClocks().thetas[f"{d_model},{base}"])
    encoding = sinusoidal_encoding(np.arange(41.0), d_model, base=base)
    angles = np.arange(41)[:, None] * thetas
    hands = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(41, d_model)
    np.testing.assert_allclose(hands, encoding, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("d_model", "base"), SETTINGS)
def test_similarities_are_the_dot_products(d_model, base):
    values = ShiftClocks().similarities[f"{d_model},{base}"]
    expected = position_similarity(np.arange(41), d_model, base=base) / (d_model / 2)
    np.testing.assert_allclose(values, expected, rtol=0, atol=6e-6)
    assert values[0] == 1


def test_every_setting_can_be_looked_up_and_no_other():
    keys = {f"{d_model},{base}" for d_model, base in SETTINGS}
    assert set(ShiftClocks().thetas) == set(ShiftClocks().similarities) == keys


def test_colors_are_matplotlibs():
    for name, table in (("turn", "coolwarm"), ("similarity", "viridis")):
        channels = np.frombuffer(bytes.fromhex(ShiftClocks().colors[name]), np.uint8)
        expected = mpl.colormaps[table](np.arange(256))[:, :3]
        assert np.array_equal(channels.reshape(256, 3), np.round(255 * expected))


def test_picture_and_its_words_follow_the_setting():
    """That it stands where JavaScript is missing is tested for every widget."""
    picture = ShiftClocks(t=7, offset=-4, d_model=16).picture()
    assert picture.alt.startswith("8 clocks, each with a hand at position 7")
    assert "shift by −4" in picture.alt
    assert drawn(picture) != drawn(ShiftClocks().picture())
