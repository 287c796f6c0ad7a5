"""The widget that opens the laboratory: its numbers are those of the tables."""

import numpy as np
import pytest
from widget_page import readout, shown, widget

from posenc.laboratory import lengths, results
from posenc.laboratory.figures import LOOKS
from posenc.laboratory.widgets.longer_texts import LENGTHS, LongerTexts

WIDGETS = (LongerTexts.opening,)
ENCODINGS = [
    *("sinusoidal", "convolutional", "shaw", "transformer_xl", "t5", "alibi", "rope")
]


def test_bars_are_the_runs_that_solved_the_task():
    copy = results("copy")
    assert lengths(copy.values()) == list(LENGTHS)
    bars = LongerTexts().bars
    assert [bar["title"] for bar in bars] == [LOOKS[name].title for name in ENCODINGS]
    for name, bar in zip(ENCODINGS, bars, strict=True):
        solved = np.array(copy[name].solved)
        shares = np.array(list(copy[name].accuracy.values()))
        np.testing.assert_array_equal(bar["shares"], shares[:, solved])
    assert not any(copy["none"].solved)
    assert not any(copy["learned"].solved)


@pytest.mark.browser
def test_each_length_shows_the_means_of_its_own(page):
    root = widget(page)
    for place, length in enumerate(LENGTHS):
        drawn = shown(root)
        assert (drawn["length"], drawn["place"]) == (length, place)
        means = [np.mean(results("copy")[n].of_solved(length)) for n in ENCODINGS]
        assert [bar["mean"] for bar in drawn["bars"]] == pytest.approx(means)
        right, below = (sum(np.array(means) >= limit) for limit in (0.95, 0.5))
        assert f"right: {right} of the 7" in readout(root)
        assert readout(root).endswith(f"less than half right: {7 - below}.")
        root.locator("canvas").press("ArrowRight")
