"""Figures of the chapter on Transformer-XL: they draw what posenc computes."""

import numpy as np
import pytest

from posenc.core import data
from posenc.transformer_xl import relative_shift, relative_shift_padded
from posenc.transformer_xl.figures import (
    MEMORY_LEN,
    STEPS,
    WORDS,
    example_terms,
    first_reached,
    shift_step,
)

LENGTHS = [(q_len, k_len) for q_len in range(1, 6) for k_len in range(q_len, 9)]

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "clamp_gains": [{"gains": {"one": [{64: 0, 128: -3}] * 2, "two": [{64: 0}]}}],
    "shift_cost": [
        {
            name: data.load("bench_transformer_xl")["results"][key]["forward"]
            for name, key in (("memory", "scaling"), ("times", "over_length"))
        }
    ],
    "shift_steps": [{}, {"q_len": 1, "k_len": 1, "method": "view"}],
    "slowdown_curves": [
        {
            "tokens": [1, 30, 1900],
            "slower": {"one": [6, 200, 2700], "two": [3000] * 3},
            "measured": 1874,
            "marks": [1, 1900],
        }
    ],
}

#: Arguments, and what the drawing must hold: see `figure_rules`.
MEASURED = {
    "memory": {str(n): {"view": {"mib": n}, "padded": {"mib": 3 * n}} for n in (1, 2)},
    "times": {str(n): {"view": [n, 1, 2, 3, 9], "padded": [5] * 5} for n in (1, 2)},
}
DROPPED = [cell for row in shift_step("pad", 3, 2, 3) for cell in row]
SHOWS = {
    "shift_steps": (
        {"method": "pad", "q_len": 2, "k_len": 3},
        ["0" if c.row < 0 else f"{'ab'[c.row]}{c.distance}" for c in DROPPED],
    ),
    "shift_cost": (
        MEASURED,
        np.asarray([3, 6]),
        np.asarray([2, 2]),
        np.asarray([5, 5]),
    ),
    "slowdown_curves": (ARGUMENTS["slowdown_curves"][0], np.asarray([6, 200, 2700])),
    "clamp_gains": (ARGUMENTS["clamp_gains"][0], np.asarray([0, -3])),
    "opening": ({}, [*"0123"]),
}


def numbers(q_len, k_len):
    """Products that tell their row and distance: 100 row + distance, from 100 on."""
    distances = np.arange(k_len - 1.0, -1, -1)
    return 100.0 * np.arange(1, q_len + 1)[:, None] + distances


def as_numbers(rows):
    return [
        [100 * (c.row + 1) + c.distance if c.row >= 0 else 0 for c in row]
        for row in rows
    ]


class TestReach:
    @pytest.mark.parametrize("segment_len", [1, 2, 3, 5])
    @pytest.mark.parametrize("memory_len", [0, 1, 3, 7])
    def test_it_is_that_of_a_walk_through_all_states(self, segment_len, memory_len):
        for num_layers in (1, 2, 3):
            for position in range(17):
                states = {position}
                for _ in range(num_layers):
                    states = {
                        key
                        for p in states
                        for key in range(p + 1)
                        if key >= p // segment_len * segment_len - memory_len
                    }
                setting = {"segment_len": segment_len, "memory_len": memory_len}
                first = first_reached(position, num_layers=num_layers, **setting)
                assert states == set(range(first, position + 1))


class TestShift:
    @pytest.mark.parametrize(("q_len", "k_len"), LENGTHS)
    def test_last_step_is_posencs_shift(self, q_len, k_len):
        products = numbers(q_len, k_len)
        shifts = {"pad": relative_shift_padded, "view": relative_shift}
        for method, shift in shifts.items():
            rows = shift_step(method, len(STEPS[method]) - 1, q_len, k_len)
            assert np.array_equal(as_numbers(rows), shift(products))
            valid = [[cell.valid for cell in row] for row in rows]
            past = np.tril(np.ones((q_len, k_len), bool), k_len - q_len)
            assert np.array_equal(valid, past)


class TestTerms:
    def test_v_alone_keeps_cat_at_home(self):
        a, b, c, d = (np.asarray(term)[4, :9] for term in example_terms())
        assert WORDS[1] == WORDS[MEMORY_LEN + 4] == "cat"
        shares = [np.exp(s) / np.exp(s).sum() for s in (a + b + c + d, a + b + c)]
        assert shares[0][8] > 0.5 < shares[1][1]  # the page says so
