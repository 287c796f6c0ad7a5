"""The exercises on T5: those rules that hold everywhere, and the judge's own oracle."""

import json
from pathlib import Path

import numpy as np
import pytest
from exercise_rules import TestExercises

from posenc import t5
from posenc.t5.exercises import oracle
from posenc.t5.exercises.bias import BIAS_SETTINGS

__all__ = ["TestExercises"]

BOOK = Path(__file__).parents[2] / "book"
SETTINGS = [
    oracle.Setting(both, num_buckets, max_distance)
    for both in (True, False)
    for num_buckets in (2, 4, 7, 8, 12, 16, 32)
    for max_distance in (3, 5, 9, 20, 24, 64, 128)
]


def test_the_oracle_gives_the_printed_tables():
    text = (BOOK / "data" / "printed_tables.json").read_text("utf-8")
    printed = json.loads(text)["t5"]
    for both, name in [(True, "bidirectional"), (False, "causal")]:
        setting = oracle.Setting(both, 16, 128)
        received = [
            [oracle.bucket(j - i, setting).number for j in range(16)] for i in range(16)
        ]
        assert received == printed[name]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_oracle_refuses_the_settings_that_posenc_refuses(setting):
    try:
        t5.bucket_starts(**setting._asdict())
    except ValueError:
        assert setting.flaw()
    else:
        assert not setting.flaw()


@pytest.mark.parametrize("setting", BIAS_SETTINGS, ids=str)
def test_rounding_cannot_matter_where_the_bias_is_checked(setting):
    result = [oracle.bucket(-n, setting) for n in range(setting.max_distance + 100)]
    assert not any(b.edge for b in result)


def test_the_first_scale_without_an_empty_bucket_is_followed_by_no_worse_one():
    """The solution claims it for 2 to 80 buckets; beyond the bound none is empty."""
    for count in range(2, 81):
        exact = count // 2
        steps, longest, empty = count - exact, exact + 1, []
        while longest * exact ** (steps - 1) < (exact + 1) ** steps:
            longest += 1
        for reach in range(exact + 1, longest + 1):
            starts = t5.bucket_starts(
                bidirectional=False, num_buckets=count, max_distance=reach
            )
            empty.append(bool((np.diff(starts) == 0).any()))
        assert empty == sorted(empty, reverse=True)
        assert not empty[-1]
