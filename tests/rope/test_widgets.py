"""The widgets on rotary embedding on the side of Python: traits, tables, pages."""

from itertools import product

import numpy as np
import pytest
from figure_rules import drawn

from posenc import rope
from posenc.rope.figures import CONTENTS, METHODS, contents
from posenc.rope.widgets import (
    BASES,
    DECAY_BASES,
    DECAY_LAST,
    DECAY_SIZES,
    DISTANCES,
    LAYOUT_SIZES,
    LAYOUTS,
    SCALES,
    SIZES,
    TRAINED,
    DecayCurves,
    LayoutMixup,
    PlaneClocks,
    TurnedPair,
)

WIDGETS = (TurnedPair, PlaneClocks, DecayCurves, LayoutMixup)


def test_picture_of_several_planes_is_another_one():
    one, two, four = (TurnedPair(planes=n).picture() for n in (1, 2, 4))
    assert one.alt.endswith("a cosine.")
    assert "4 planes, the first of which turns 30° per token" in four.alt
    assert len({drawn(one), drawn(two), drawn(four)}) == 3


@pytest.mark.parametrize("kind", WIDGETS)
class TestEveryWidget:
    def test_picture_follows_the_state(self, kind):
        change = {
            TurnedPair: {"n": 7},
            PlaneClocks: {"distance": 12},
            DecayCurves: {"content": "random"},
            LayoutMixup: {"permuted": True},
        }[kind]
        before, after = kind().picture(), kind(**change).picture()
        assert before.alt != after.alt
        assert drawn(before) != drawn(after)


def test_one_relative_position_has_the_largest_score_at_first():
    """What the page asks has one answer, and not yet the one it wants to be made."""
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


def test_clocks_offer_their_choices():
    widget = PlaneClocks()
    assert widget.choices == {
        "head_dim": SIZES,
        "base": BASES,
        "trained_len": TRAINED,
        "method": list(METHODS.items()),
        "scale": SCALES,
        "distance": DISTANCES,
    }
    # Every wanted distance can be reached, to see that interpolation brings hands back.
    assert {length * scale for length in TRAINED for scale in SCALES} <= set(DISTANCES)


def test_decay_curves_are_posencs():
    widget, distances = DecayCurves(), np.arange(DECAY_LAST + 1.0)
    assert len(widget.curves) == len(CONTENTS) * len(DECAY_SIZES) * len(DECAY_BASES)
    for d, base in product(DECAY_SIZES, DECAY_BASES):
        mean = rope.mean_partial_sum(distances, d, base=base)
        np.testing.assert_allclose(widget.means[f"{d},{base}"], mean, atol=5e-5)
        angles = rope.rotary_angles(distances, d, base=base)
        for name in CONTENTS:
            q, k = contents(name, d)
            turned = rope.apply_rotary(np.tile(q, (DECAY_LAST + 1, 1)), angles)
            table = widget.curves[f"{name},{d},{base}"]
            np.testing.assert_allclose(table["score"], turned @ k, atol=5.1e-4)
            bound = rope.decay_bound(q, k, distances, base=base)
            np.testing.assert_allclose(table["bound"], bound, atol=5.1e-4)


def test_rounding_leaves_the_number_of_rises():
    widget = DecayCurves()
    score = np.asarray(widget.curves["ones,128,10000"]["score"])
    mean = np.asarray(widget.means["128,10000"])
    assert ((np.diff(score) > 0).sum(), (np.diff(mean) > 0).sum()) == (134, 138)


def test_layout_tables_are_posencs():
    widget = LayoutMixup()
    for d, a, b in product(LAYOUT_SIZES, LAYOUTS, LAYOUTS):
        order = rope.layout_permutation(d, source=a, target=b)
        assert widget.orders[f"{d},{a},{b}"] == order.tolist()
        repaired = widget.scores[f"{d},{a},{b},true"]
        assert repaired == widget.scores[f"{d},{a},{a},false"]
        raw = widget.scores[f"{d},{a},{b},false"]
        assert (raw == repaired) == (a == b)
