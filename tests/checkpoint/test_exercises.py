"""The exercises of this chapter, judged as those of every chapter are."""

from exercise_rules import TestExercises

__all__ = ["TestExercises"]
