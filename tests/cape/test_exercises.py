"""The exercises of this chapter, judged as those of every chapter are."""

from exercise_rules import TestExercises

from posenc.cape.exercises import oracle, paths

__all__ = ["TestExercises"]


def test_the_numbers_of_paths_are_counted():
    assert (oracle.paths_of("o", 3), oracle.paths_of("oo", 4)) == paths.BY_HAND[4:]
