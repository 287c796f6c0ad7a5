"""Figures of the chapter on today's models: they draw what `describe` says."""

import numpy as np
import pytest
from checkpoint_configs import SMALL

from posenc.checkpoint import describe, figures, planes
from posenc.checkpoint.exercises import oracle
from posenc.checkpoint.figures import save, speeds
from posenc.checkpoint.published import config

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

#: Arguments, and what the drawing must hold: see `figure_rules`.
LLAMA = describe(config("Llama 3.1 8B")).layer(0)
SHOWS = {
    "opening": (
        {},
        2 * np.pi / LLAMA.rotation.unstretched(),
        2 * np.pi / LLAMA.frequencies(131_072),
    ),
    "slowed": ({}, *map(speeds.slowness, speeds.RULES)),
    "wavelengths": (
        {"checkpoint": GEMMA},
        *(planes(GEMMA.layer(n), None, GEMMA.max_len).wavelengths for n in (0, 5)),
    ),
}


@pytest.mark.parametrize("sizes", [(2, 2, 3, 2), (0, 4, 1, 1), (5, 1, 1, 0)])
def test_places_are_those_of_the_oracle(sizes):
    before, height, width, after = sizes
    expected = oracle.multimodal_places(before, 1, height, width, after)
    np.testing.assert_array_equal(figures.places_of(*sizes), expected)


def test_files_are_written_or_refused(tmp_path):
    save(describe({"model_type": "llama"} | SMALL), tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(
        ValueError, match=r"method must be one of rope, .* got 'learned'"
    ):
        save(describe({"model_type": "bert"} | SMALL), tmp_path / "b.png")
