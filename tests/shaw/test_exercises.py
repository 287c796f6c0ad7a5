"""The exercises of this chapter, judged as those of every chapter are; and a memory."""

from answer_sources import answers_of, made
from exercise_rules import PATIENT, TestExercises

from posenc.exercises import check

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
