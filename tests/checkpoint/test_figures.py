"""Figures of the chapter on today's models: they draw what `describe` says."""

import math

import figure_rules
import numpy as np
import pytest
from checkpoint_configs import SMALL
from matplotlib.colors import to_hex

from posenc.checkpoint import describe, figures, planes
from posenc.checkpoint.exercises import oracle
from posenc.checkpoint.figures import draw, save, speeds, survey
from posenc.checkpoint.figures.survey import year_of
from posenc.checkpoint.published import config, models, rows
from posenc.kit.figures.palette import THEMES

LIGHT = THEMES["light"]
GEMMA = describe(config("Gemma 3 4B"))

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "draw": [
        {"checkpoint": GEMMA},
        {"checkpoint": describe({"model_type": "bloom"})},
        {"checkpoint": describe({"model_type": "t5"})},
    ],
    "wavelengths": [{"checkpoint": GEMMA}],
}


def test_the_opening_shows_wavelengths_and_lengths():
    ax = figures.opening()
    layer = describe(config("Llama 3.1 8B")).layer(0)
    before, now, *_ = [line.get_ydata() for line in ax.lines]
    np.testing.assert_allclose(before, 2 * np.pi / layer.rotation.unstretched())
    np.testing.assert_allclose(now, 2 * np.pi / layer.frequencies(131_072))
    assert any("29 of 64 planes" in words for words in figure_rules.texts(ax))


def test_bars_of_heads_are_the_features_that_turn():
    bars = figures.heads().patches
    for number, name in enumerate(speeds.HEAD_MODELS):
        layer = describe(config(name)).layer(0)
        whole, turned = bars[2 * number : 2 * number + 2]
        assert whole.get_width() == layer.head_dim
        assert (turned.get_x(), turned.get_width()) == (
            layer.first_turned,
            layer.rotary_dim,
        )


def test_cells_of_layers_have_the_color_of_their_kind():
    ax = figures.layer_kinds(first=8)
    cells = iter(ax.patches)
    for name in survey.LAYER_MODELS:
        for layer in describe(config(name)).layers[:8]:
            kind = survey.kind_of(layer)
            shade, hatch = survey.KINDS[kind]
            cell = next(cells)
            assert to_hex(cell.get_facecolor()) == LIGHT[shade]
            assert (cell.get_hatch() or "") == hatch
            expected = "no rotation" if not layer.rotary_dim else kind
            assert expected == kind
    kinds = [survey.kind_of(layer) for layer in GEMMA.layers[:6]]
    assert kinds == ["window"] * 5 + ["all tokens"]


def test_models_stand_in_their_rows_at_their_months():
    ax = figures.history()
    spots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines]
    assert spots == [
        (year_of(model["month"]), rows().index(model["row"])) for model in models()
    ]
    assert year_of("2024-07") == pytest.approx(2024.5417, abs=1e-4)


@pytest.mark.parametrize("sizes", [(2, 2, 3, 2), (0, 4, 1, 1), (5, 1, 1, 0)])
def test_places_are_those_of_the_oracle(sizes):
    before, height, width, after = sizes
    expected = oracle.multimodal_places(before, 1, height, width, after)
    np.testing.assert_array_equal(figures.places_of(*sizes), expected)
    numbers = [t for t in figure_rules.texts(figures.places()) if t.isdigit()]
    table = oracle.multimodal_places(2, 1, 2, 3, 2)
    assert numbers == [str(n) for n in table.ravel()]


def test_slowness_reaches_the_factor_at_the_last_plane():
    for rule in speeds.RULES:
        slower = speeds.slowness(rule)
        assert slower[-1] == pytest.approx(8)
        assert (np.diff(slower) > -1e-9).all()
        assert slower[0] == pytest.approx(8 if rule == "linear" else 1)
    never = 18  # as the line in the figure counts them
    arcs = {rule: speeds.slowness(rule)[-never:-1] for rule in speeds.RULES}
    assert (arcs["dynamic"] < 7.75).all()
    for rule in ("linear", "yarn", "llama3"):
        np.testing.assert_allclose(arcs[rule], 8)
    curves = [line.get_ydata() for line in figures.slowed().lines]
    for rule, curve in zip(speeds.RULES, curves, strict=False):
        np.testing.assert_array_equal(curve, speeds.slowness(rule))


def test_wavelengths_of_both_kinds_of_layers():
    ax = figures.wavelengths(GEMMA)
    for group_number, layer in enumerate((GEMMA.layer(0), GEMMA.layer(5))):
        waves = planes(layer, None, GEMMA.max_len).wavelengths
        drawn = [line.get_ydata() for line in ax.lines if len(line.get_xdata()) == 128]
        assert any(np.array_equal(waves, one) for one in drawn), group_number


@pytest.mark.parametrize("name", ["llama", "gemma3_text", "marian", "transfo-xl"])
def test_wavelengths_are_drawn(name):
    checkpoint = describe({"model_type": name})
    ax = draw(checkpoint)
    theta = checkpoint.layer(0).frequencies()
    np.testing.assert_allclose(ax.lines[0].get_ydata(), 2 * math.pi / theta)


def test_biases_are_drawn():
    ax = draw(describe({"model_type": "bloom"}))
    assert len(ax.lines) == 8
    assert ax.lines[0].get_ydata()[2] == pytest.approx(-2 * 2**-1)
    ax = draw(describe({"model_type": "t5"}))
    assert ax.lines[1].get_ydata()[-1] == 0


def test_files_are_written_or_refused(tmp_path):
    save(describe({"model_type": "llama"} | SMALL), tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(
        ValueError, match=r"method must be one of rope, .* got 'learned'"
    ):
        save(describe({"model_type": "bert"} | SMALL), tmp_path / "b.png")
