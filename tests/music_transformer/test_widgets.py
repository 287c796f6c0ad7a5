"""The widgets of the chapter on the skew on the side of Python."""

import pytest

from posenc.music_transformer.figures import skew_frames
from posenc.music_transformer.widgets import (
    HEADS,
    LENGTHS,
    PAPER,
    WIDTHS,
    SkewSteps,
)


class TestSkewSteps:
    @pytest.mark.parametrize(
        ("setting", "label"),
        [
            ({}, "b2"),
            ({"query": 5, "offset": -5}, "d0"),
            ({"query": 0, "offset": 5}, "a3"),
            ({"query": 2, "offset": 1, "masked": False}, "c4"),
            ({"query": 5, "offset": 5, "masked": False, "seq_len": 2}, "b2"),
        ],
    )
    def test_the_followed_product_stays_within_the_table(self, setting, label):
        widget = SkewSteps(**setting)
        frames = skew_frames(widget.seq_len, masked=widget.masked)
        assert frames.label(widget.followed()) == label
        assert label in widget.picture().alt

    def test_a_zero_may_be_followed_where_there_is_one(self):
        assert SkewSteps(zero=3).followed() == -4
        assert SkewSteps(zero=4).followed() == SkewSteps().followed()
        assert SkewSteps(zero=4, masked=False).followed() == -5


def test_every_head_has_whole_features():
    assert all(width % heads == 0 for width in WIDTHS for heads in HEADS)
    assert set(PAPER) < set(LENGTHS)
