"""The widget of the chapter on CAPE on the side of Python."""

import json
import re

import numpy as np
import pytest
import traitlets
from bs4 import BeautifulSoup

from posenc.cape import augmented_positions
from posenc.figures.cape_data import crossings, unit_draws
from posenc.sinusoidal import sinusoidal_encoding
from posenc.widgets.cape import (
    CHOICES,
    DRAWS,
    MOST_TOKENS,
    THETAS,
    AugmentedTimeline,
)


def test_draws_are_those_of_posenc():
    maxima = {"max_global_shift": 3.0, "max_local_shift": 0.75, "max_scale": 1.5}
    draws = AugmentedTimeline().draws
    assert len(draws) == DRAWS
    for seed, drawn in enumerate(draws):
        positions = np.arange(float(MOST_TOKENS))
        wanted = augmented_positions(
            positions, rng=np.random.default_rng(seed), **maxima
        )
        p = positions - positions.mean() + 3.0 * drawn["shift"]
        p = 1.5 ** drawn["scale"] * (p + 0.75 * np.asarray(drawn["jitter"]))
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


@pytest.mark.parametrize(
    ("trait", "value"),
    [
        ("tokens", 3),
        ("tokens", MOST_TOKENS + 1),
        ("max_global_shift", 4.0),
        ("max_local_shift", -0.1),
        ("max_scale", 0.5),
        ("draw", DRAWS),
        ("pair", len(THETAS)),
    ],
)
def test_values_out_of_range_are_refused(trait, value):
    widget = AugmentedTimeline()
    before = getattr(widget, trait)
    with pytest.raises(traitlets.TraitError, match=trait):
        setattr(widget, trait, value)
    assert getattr(widget, trait) == before


@pytest.mark.parametrize("trait", ["draws", "choices"])
def test_tables_are_read_only(trait):
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(AugmentedTimeline(), trait, {})


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
        assert after.svg("light") != before.svg("light")


def test_page_holds_the_state_and_a_picture():
    html = AugmentedTimeline(tokens=12).static_html()
    soup = BeautifulSoup(html, "html.parser")
    images = soup.div.find_all("img")
    assert [image["class"][0] for image in images] == ["pe-light", "pe-dark"]
    start = html.index("{", html.index('mount(widget, "posenc-augmentedtimeline-'))
    state, _ = json.JSONDecoder().raw_decode(html[start:])
    assert state == json.loads(json.dumps(AugmentedTimeline(tokens=12).static_state()))
    assert set(state) == {
        "tokens", "max_global_shift", "max_local_shift", "max_scale", "draw", "pair",
        "draws", "choices",
    }  # fmt: skip
    assert state["tokens"] == 12


def test_files_become_one_module():
    module = AugmentedTimeline._esm
    assert re.findall(r"^export .*$", module, flags=re.MULTILINE) == [
        "export default { render };"
    ]
    for name in ("controls", "timeLine", "describe", "wavePicture", "render"):
        assert module.count(f"function {name}(") == 1
