"""The widgets of the chapter on sinusoids, on the side of Python."""

import numpy as np
import pytest
from figure_rules import drawn

from posenc.kit.widgets import base as _base
from posenc.sinusoidal.figures import ENCODING_COLORS
from posenc.sinusoidal.widgets import (
    BASES,
    LENGTHS,
    WIDTHS,
    BitsAndSines,
    ClosedCurve,
    EncodingHeatmap,
)

WIDGETS = [BitsAndSines, EncodingHeatmap, ClosedCurve]
OWN = {
    BitsAndSines: {"position", "cosines", "choices"},
    EncodingHeatmap: {"seq_len", "d_model", "base", "order", "choices", "colors"},
    ClosedCurve: {"curve", "last", "base", "azimuth", "elevation", "choices"},
}


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        (BitsAndSines, {"position": 2.5}, "a line at position 2.5"),
        (EncodingHeatmap, {"seq_len": 10, "base": 100}, "of 10 positions"),
        (EncodingHeatmap, {"d_model": 16, "order": "half"}, "layout half"),
        (ClosedCurve, {"curve": "slow"}, "slower periods"),
        (ClosedCurve, {"last": 5}, "to 5"),
        (ClosedCurve, {"azimuth": -100}, "Curve in a cube"),
        (ClosedCurve, {"elevation": 80}, "Curve in a cube"),
    ],
)
def test_picture_and_its_words_follow_the_setting(kind, change, words):
    picture = kind(**change).picture()
    assert words in picture.alt
    assert drawn(picture) != drawn(kind().picture())


def test_picture_of_slow_waves_follows_the_base():
    pictures = [ClosedCurve(curve="slow", base=b).picture() for b in (10, 1000)]
    assert drawn(pictures[0]) != drawn(pictures[1])


def test_presets_of_the_sources_can_be_chosen():
    for seq_len, d_model in ((10, 64), (500, 768)):
        widget = EncodingHeatmap(seq_len=seq_len, d_model=d_model)
        assert (widget.seq_len, widget.d_model) == (seq_len, d_model)
    choices = EncodingHeatmap().choices
    assert choices == {"seq_len": LENGTHS, "d_model": WIDTHS, "base": BASES}
    assert all(np.asarray(WIDTHS) % 2 == 0)


def test_colors_are_those_of_the_figures():
    assert EncodingHeatmap().colors == _base.color_table(ENCODING_COLORS)
