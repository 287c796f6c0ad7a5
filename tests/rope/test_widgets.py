"""The page's sentences on its widgets hold for their first settings."""

import numpy as np

from posenc import rope
from posenc.rope.widgets import TurnedPair


def test_one_relative_position_has_the_largest_score_at_first():
    """The page's question has one answer, which is not yet that of its solution."""
    widget, r = TurnedPair(), np.arange(-6, 7)
    gaps = (widget.k_angle - widget.q_angle + r * widget.degrees) % 360
    nearest = np.minimum(gaps, 360 - gaps)
    assert (nearest == nearest.min()).sum() == 1
    assert r[nearest.argmin()] != -1
    # "After how many tokens does it repeat?": the ruler is long enough to see it.
    assert 360 % widget.degrees == 0
    assert widget.n + 360 // widget.degrees <= widget.last_position
    # The key before the query can be reached: angles go in steps of 15 degrees.
    assert widget.set_trait("k_angle", (widget.q_angle + widget.degrees) % 360) is None


def test_four_planes_leave_one_relative_position_with_the_largest_score():
    widget, r = TurnedPair(), np.arange(-12, 13)
    assert len(widget.further) + 1 == max(widget.choices)
    first = {"share": 1, "long": widget.lengths[0], "short": widget.lengths[1]}
    pairs = [{**first, "q": widget.q_angle, "k": widget.k_angle}, *widget.further]
    # The bars can be as long as the shadows of the keys: no query stretches them.
    assert [pair["long"] for pair in pairs] == [1] * 4
    shares = rope.rotary_angles(np.asarray(1.0), 8, base=16.0)
    np.testing.assert_allclose([pair["share"] for pair in pairs], shares)
    scores = np.asarray(
        [
            p["short"] * np.cos(np.radians(p["k"] - p["q"] + r * p["share"] * 30))
            for p in pairs
        ]
    )
    largest = np.isclose(scores[0], scores[0].max())
    assert r[largest].tolist() == [-2, 10]  # one plane repeats itself
    total = scores.sum(axis=0)
    assert r[total.argmax()] == -2
    assert total[r == 10] < 0.3 * total.max()
