"""The exercises of this chapter, judged as those of every chapter are; and a memory."""

import itertools
import re

import numpy as np
import pytest
from answer_sources import answers_of, made
from exercise_rules import PATIENT, TestExercises, judge

from posenc.exercises import check
from posenc.shaw.exercises.oracle import MISTAKES

__all__ = ["TestExercises"]


def test_a_vector_for_each_pair_of_every_head_needs_too_much_memory():
    """In a process of its own, where memory has a bound."""
    answer = made(answers_of("shaw").SCORES_BROADCAST)
    result = check("shaw.position_scores", answer, time_limit=PATIENT)
    assert "L L d are enough" in repr(result), result


def test_a_product_with_each_row_of_a_long_table_needs_too_much_memory():
    """The form that the page prints before the exercise is not an answer to it."""
    answer = answers_of("shaw").scores_gathered
    result = check("shaw.position_scores", answer, time_limit=PATIENT)
    assert "2k + 1 products for each query" in repr(result), result
    assert "d = 640 and k = 2: fits into memory" in repr(result), result


def _repaired(*wrong):
    """Return right code of the attention to be repaired, with some of its bugs back."""
    back = {
        "swapped": ("clip(offsets", "clip(-offsets"),
        "unshifted": ("clip) + clip", "clip)"),
        "one_table": ("* value_table", "* key_table"),
    }
    return made(answers_of("shaw").ATTENTION, *(back[name] for name in wrong))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_named_bug_changes_the_example_that_is_shown(size):
    """A repair of the named line alone must change the output of the shown case."""
    names = ("swapped", "unshifted", "one_table")
    for wrong in itertools.combinations(names, size):
        shown = repr(judge("shaw.repair_attention", _repaired(*wrong)))
        (named,) = (
            name for name in names if MISTAKES[name] in shown.replace("\n", " ")
        )
        assert named in wrong
        vectors, tokens = (
            int(re.search(pattern, " ".join(shown.split()))[1])
            for pattern in (r"tables of shape \((\d+)", r"q of shape \((\d+)")
        )
        rng = np.random.default_rng(0)
        case = [rng.normal(size=(tokens, 3)) for _ in range(3)]
        case += [rng.normal(size=(vectors, 3)) for _ in range(2)]
        rest = [name for name in wrong if name != named]
        assert not np.allclose(_repaired(*wrong)(*case), _repaired(*rest)(*case))
