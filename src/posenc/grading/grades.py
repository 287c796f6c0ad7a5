"""The limits of a notebook, and its grades."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from posenc.kit.exercises.result import Result


@dataclass(frozen=True)
class Limits:
    """Seconds: for a cell, for all calls of one answer, and for a notebook."""

    cell: float = 60.0
    answer: float = 10.0
    notebook: float = 600.0


@dataclass
class Grade:
    """Points for an exercise, and the result of its check.

    `status` is that of a `Result`; "missing" if nothing in the notebook checks it; "on
    paper" if a person marks it, and "marked" if one has. `cell` is the number of the
    cell with the check, `title` the exercise's heading in the notebook.
    """

    exercise: str
    points: int
    of: int
    status: str
    problem: str = ""
    example: str = ""
    mistakes: Sequence[str] = ()
    held: Sequence[str] = ()
    seed: int | None = None
    cell: int = 0
    answer: str = ""
    title: str = ""

    @classmethod
    def of_result(cls, result: Result, of: int, **about: Any) -> Self:
        """Return the grade for a result: all points if it passed, else none."""
        about |= {name: getattr(result, name) for name in _SHARED}
        return cls(result.name, of if result else 0, of, **about)

    def result(self) -> Result:
        """Return the result, as a notebook shows it."""
        shared: Any = {name: getattr(self, name) for name in _SHARED}
        if self.status == "missing":
            shared["status"] = "unanswered"
        return Result(self.exercise, **shared)


#: Fields that a grade has in common with a result.
_SHARED = ("status", "problem", "example", "mistakes", "held", "seed")


@dataclass
class Grades:
    """The grades of a notebook.

    Attributes
    ----------
    grades : list of Grade
        One for each exercise.
    suspicious : list of str
        Code that no answer needs, each with the number of its cell.
    errors : list of str
        Cells that ended with an error, or did not end.
    ended : dict
        Error of each cell that was run, or nothing, by the cell's number.
    asked : dict
        Exercises that a cell checks, by its number.
    seconds : float
        How long it took.
    """

    grades: list[Grade]
    suspicious: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    ended: dict[int, str] = field(default_factory=dict)
    asked: dict[int, list[str]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def points(self) -> int:
        """Points in all."""
        return sum(grade.points for grade in self.grades)

    @property
    def of(self) -> int:
        """Points that there are."""
        return sum(grade.of for grade in self.grades)
