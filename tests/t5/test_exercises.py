"""The exercises on T5: those rules that hold everywhere, and the judge's own oracle."""

import pytest
from exercise_rules import TestExercises

from posenc.t5.exercises import oracle
from posenc.t5.exercises.bias import BIAS_SETTINGS

__all__ = ["TestExercises"]


@pytest.mark.parametrize("setting", BIAS_SETTINGS, ids=str)
def test_rounding_cannot_matter_where_the_bias_is_checked(setting):
    result = [oracle.bucket(-n, setting) for n in range(setting.max_distance + 100)]
    assert not any(b.edge for b in result)
