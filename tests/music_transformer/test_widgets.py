"""The widgets of the chapter on the skew on the side of Python."""

import numpy as np
import pytest
from figure_rules import drawn

from posenc import music_transformer
from posenc.music_transformer.figures import (
    bytes_in_words,
    memory_bytes,
    skew_frames,
)
from posenc.music_transformer.widgets import (
    HEADS,
    LENGTHS,
    PAPER,
    WIDTHS,
    MemoryCalculator,
    SkewSteps,
)

SETTINGS = [(n, masked) for n in range(2, 7) for masked in (True, False)]


class TestSkewSteps:
    @pytest.mark.parametrize(("seq_len", "masked"), SETTINGS)
    def test_frames_end_with_posencs_skew(self, seq_len, masked):
        frames = SkewSteps().frames[f"{'causal' if masked else 'both'},{seq_len}"]
        products = np.arange(1.0, seq_len * frames["columns"] + 1)
        products = products.reshape(seq_len, frames["columns"])
        skew = music_transformer.skew if masked else music_transformer.skew_unmasked
        shown = np.asarray(frames["matrices"][3])
        np.testing.assert_array_equal(np.where(shown < 0, 0, shown + 1), skew(products))
        wanted = np.tril(shown + 1) - 1 if masked else shown
        assert set(frames["wanted"]) == {int(n) for n in wanted.ravel() if n >= 0}

    def test_every_setting_that_can_be_chosen_is_there(self):
        names = {True: "causal", False: "both"}
        assert set(SkewSteps().frames) == {f"{names[m]},{n}" for n, m in SETTINGS}

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
        picture = SkewSteps(zero=3).picture()
        assert "A zero that was put in has a thick frame" in picture.alt
        assert drawn(picture) != drawn(SkewSteps().picture())

    def test_alt_and_picture_follow_the_setting(self):
        widget = SkewSteps(seq_len=3, masked=False)
        picture = widget.picture()
        assert "unmasked skew of the products of 3 queries" in picture.alt
        assert "keep L rows" in picture.alt
        assert drawn(picture) != drawn(SkewSteps(seq_len=3).picture())


class TestMemoryCalculator:
    def test_defaults_are_the_papers(self):
        widget = MemoryCalculator()
        assert (widget.seq_len, widget.d_model, widget.num_heads) == (2048, 512, 8)
        for words in ("8.59 GB", "4.19 MB", "134 MB", "1 layer:"):
            assert words in widget.picture().alt

    def test_alt_follows_the_setting(self):
        widget = MemoryCalculator(seq_len=128, num_layers=12, itemsize=2)
        need = memory_bytes(128, 512, 8, num_layers=12, itemsize=2)
        assert "12 layers" in widget.picture().alt
        for count in need.values():
            assert bytes_in_words(count) in widget.picture().alt

    @pytest.mark.parametrize(
        "other",
        [{"num_heads": 2}, {"num_layers": 12}, {"itemsize": 2}, {"d_model": 64}],
    )
    def test_the_picture_shows_the_setting_that_its_alt_tells(self, other):
        pictures = [MemoryCalculator(**some).picture() for some in ({}, other)]
        assert drawn(pictures[0]) != drawn(pictures[1])
        assert pictures[0].alt != pictures[1].alt

    def test_every_head_has_whole_features(self):
        assert all(width % heads == 0 for width in WIDTHS for heads in HEADS)
        assert set(PAPER) < set(LENGTHS)

    def test_the_choices_are_those_of_the_traits(self):
        choices = dict(MemoryCalculator().choices)
        assert choices.pop("paper") == PAPER
        for name, values in choices.items():
            for value in values:
                assert getattr(MemoryCalculator(**{name: value}), name) == value
