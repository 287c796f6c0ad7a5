"""Marks of a class without nbgrader, from the tables of ``python -m posenc grade``."""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from posenc.core.chapters import metadata

from .roster import Student, read_roster
from .tables import ClassPoints

__all__ = ["read_grade_tables"]

#: Columns that a table must have, and the one that a teacher may add.
_NEEDED, _ADDED = ("student", "file", "points", "of", "passed", "not passed"), "paper"


def read_grade_tables(
    tables: Sequence[Path], roster: Path | None = None
) -> tuple[ClassPoints, list[str]]:
    """Return the points of all students in all assignments, and remarks to look at.

    Parameters
    ----------
    tables : sequence of Path
        One for each assignment, which is named after its file. A column ``paper``, with
        the points for derivations, may have been added: they count.
    roster : Path, optional
        The class's list of names: see `posenc.classroom.roster.read_roster`. Its
        students are listed whether they have handed anything in or not.

    Raises
    ------
    ValueError
        If two tables have one name, a student's exercise comes twice in one, or a table
        or the list is not what it should be.
    """
    listed = (
        {} if roster is None else {entry.id: entry for entry in read_roster(roster)}
    )
    students, remarks = dict(listed), list[str]()
    points, possible = dict[tuple[str, str], float](), dict[str, float]()
    for path in tables:
        name = path.stem
        if name in possible:
            msg = f"tables must have names of their own, got {name!r} twice: rename one"
            raise ValueError(msg)
        of: dict[str, float] = {}
        held: dict[tuple[str, str], str] = {}
        for line, row in _rows(path):
            student = row["student"]
            for exercise in _exercises(row):
                first = held.setdefault((student, exercise), row["file"])
                if first != row["file"]:
                    msg = (
                        f"a table must hold each exercise of a student once, got "
                        f"{exercise} in {first} and in {row['file']} of {path.name}: "
                        "put one of them away, and grade the folder again"
                    )
                    raise ValueError(msg)
            students.setdefault(student, Student(student))
            if not row["points"].strip():
                remarks.append(f"{name}: {row['file']} could not be graded.")
                continue
            here = (student, name)
            for column in ("points", _ADDED):
                earned = _number(path, line, row.get(column) or "0")
                points[here] = points.get(here, 0.0) + earned
            of[student] = of.get(student, 0.0) + _number(path, line, row["of"])
            if _ADDED in row:
                of[student] += _on_paper(row)
        possible[name] = max(of.values(), default=0.0)
    if roster is not None:
        unknown = [name for name in students if name not in listed]
        if unknown:
            remarks.append(f"Not in {roster.name}: {', '.join(sorted(unknown))}.")
    ordered = sorted(students.values(), key=lambda student: student.place)
    return ClassPoints(ordered, possible, points), remarks


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield a table's lines, numbered; a spreadsheet may have written semicolons."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        first = file.readline()
        file.seek(0)
        delimiter = ";" if first.count(";") > first.count(",") else ","
        reader = csv.DictReader(file, delimiter=delimiter)
        missing = [name for name in _NEEDED if name not in (reader.fieldnames or ())]
        if missing:
            msg = (
                f"tables must be those that grade writes, got {path.name} without a "
                f"column {missing[0]!r}: name the table after --out, and not the one "
                "of the exercises"
            )
            raise ValueError(msg)
        for row in reader:
            yield reader.line_num, {key: value or "" for key, value in row.items()}


def _number(path: Path, line: int, text: str) -> float:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        msg = f"points must be numbers, got {text!r} in {path.name}, line {line}"
        raise ValueError(msg) from None


def _on_paper(row: dict[str, str]) -> int:
    """Return the points of the derivations of a notebook's exercises."""
    listed = (exercise.split(".") for exercise in _exercises(row))
    exercises = [
        metadata(slug).get("exercises", {}).get(name, {}) for slug, name in listed
    ]
    return sum(
        count for exercise in exercises for count, _ in exercise.get("rubric", [])
    )


def _exercises(row: dict[str, str]) -> list[str]:
    """Return the names of the exercises of a notebook."""
    return re.findall(r"\w+\.\w+", f"{row['passed']} {row['not passed']}")
