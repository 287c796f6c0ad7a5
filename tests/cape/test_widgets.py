"""The widget of the chapter on CAPE on the side of Python."""

import numpy as np
from figure_rules import drawn

from posenc.cape import augmented_positions
from posenc.cape.figures import crossings, unit_draws
from posenc.cape.widgets import CHOICES, DRAWS, MOST_TOKENS, THETAS, AugmentedTimeline
from posenc.sinusoidal import sinusoidal_encoding


def test_draws_are_those_of_posenc():
    maxima = {"max_global_shift": 3.0, "max_local_shift": 0.75, "max_scale": 1.5}
    draws = AugmentedTimeline().draws
    assert len(draws) == DRAWS
    for seed, draw in enumerate(draws):
        positions = np.arange(float(MOST_TOKENS))
        wanted = augmented_positions(
            positions, rng=np.random.default_rng(seed), **maxima
        )
        p = positions - positions.mean() + 3.0 * draw["shift"]
        p = 1.5 ** draw["scale"] * (p + 0.75 * np.asarray(draw["jitter"]))
        np.testing.assert_allclose(p, wanted, rtol=0, atol=1e-12)


def test_draws_are_worth_looking_at():
    """Some of them cross with jitters beyond half a step, and some do not."""
    counts = []
    for seed in range(DRAWS):
        jitter = unit_draws(seed, 8).jitter * 0.75
        counts.append(len(crossings(np.arange(8.0), np.arange(8.0) + jitter)))
    assert 0 in counts
    assert max(counts) >= 1


def test_frequencies_are_those_of_the_sinusoids():
    table = sinusoidal_encoding(np.asarray([1.0]), 16)
    np.testing.assert_allclose(np.sin(THETAS), table[0, : 2 * len(THETAS) : 2])


def test_choices_are_what_python_accepts():
    widget = AugmentedTimeline()
    assert widget.choices == {
        **CHOICES,
        "thetas": THETAS,
        "most_tokens": MOST_TOKENS,
    }
    for name, values in CHOICES.items():
        for value in values:
            setattr(widget, name, value)
            assert getattr(widget, name) == value


def test_picture_follows_the_state():
    before = AugmentedTimeline().picture()
    assert before.alt.startswith("8 tokens on a time line")
    assert "jitters of at most 0.5 and a scale of at most 1.5" in before.alt
    first = drawn(before)
    for change in (
        {"tokens": 9},
        {"max_global_shift": 8.0},
        {"max_local_shift": 2.0},
        {"max_scale": 2.0},
        {"draw": 3},
        {"pair": 2},
    ):
        after = AugmentedTimeline(**change).picture()
        assert after.alt != before.alt
        assert drawn(after) != first
