"""The limits of a notebook, and its grades."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """Seconds: for a cell, for all calls of one answer, and for a notebook."""

    cell: float = 60.0
    answer: float = 10.0
    notebook: float = 600.0


@dataclass
class Grade:
    """What an exercise came to.

    `status` is that of a `Result`; "missing" if nothing in the notebook checks it; "on
    paper" if a person marks it, and "marked" if one has. `title` is its heading in the
    notebook.
    """

    exercise: str
    points: int
    of: int
    status: str
    problem: str = ""
    example: str = ""
    mistakes: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    seed: int | None = None
    cell: int = 0
    answer: str = ""
    title: str = ""


@dataclass
class Grades:
    """What a notebook came to.

    Attributes
    ----------
    grades : list of Grade
        One for each exercise.
    suspicious : list of str
        What answers do not need, each with the number of its cell.
    errors : list of str
        Cells that ended with an error, or did not end.
    ended : dict
        Error of each cell that was run, or nothing, by the cell's number as text.
    asked : dict
        Exercises that a cell checks, by its number as text.
    seconds : float
        How long it took.
    """

    grades: list[Grade]
    suspicious: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    ended: dict[str, str] = field(default_factory=dict)
    asked: dict[str, list[str]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def points(self) -> int:
        """Points in all."""
        return sum(grade.points for grade in self.grades)

    @property
    def of(self) -> int:
        """Points that there are."""
        return sum(grade.of for grade in self.grades)
