"""Marks of a class as tables that learning platforms import.

Each function of `FORMATS` gives the rows of a file: a line of headings, then a line for
each student, with a column for each assignment. Work that was not handed in has an
empty place, which no platform takes for zero points.

References
----------
Canvas: ``lib/gradebook_importer.rb`` of instructure/canvas-lms, at commit 00b222d (what
its import asks for). Moodle: "Grade import" of its documentation, version 3.11, and
``grade/import/csv/classes/load_data.php`` of moodle/moodle. Blackboard: "Uploading or
Downloading Grade Center Items for Working Offline" of its help for instructors.
"""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .roster import Student

__all__ = ["FORMATS", "ClassPoints", "write_points"]

Rows = list[list[str]]


@dataclass(frozen=True)
class ClassPoints:
    """Points of a class.

    Attributes
    ----------
    students : sequence of Student
        In the order of the file.
    possible : mapping
        Assignments in the order of the file, with the points that each has.
    points : mapping
        Points by id of the student and name of the assignment; none for what was not
        handed in.
    """

    students: Sequence[Student]
    possible: Mapping[str, float]
    points: Mapping[tuple[str, str], float]

    def of(self, student: Student) -> list[str]:
        """Return a student's points in each assignment; empty for what is missing."""
        marks = (self.points.get((student.id, name)) for name in self.possible)
        return ["" if points is None else number(points) for points in marks]


def number(value: float) -> str:
    """Return points as platforms read them: no more digits than they keep."""
    return f"{round(value, 2):g}"


def plain(marks: ClassPoints) -> Rows:
    """Return rows for people and spreadsheets: with the sums of each student."""
    heads = ["id", "last_name", "first_name", "email", *marks.possible, "total"]
    rows = [heads]
    for student in marks.students:
        points = (marks.points.get((student.id, name), 0.0) for name in marks.possible)
        names = [student.id, student.last_name, student.first_name, student.email]
        rows.append([*names, *marks.of(student), number(sum(points))])
    return rows


def canvas(marks: ClassPoints) -> Rows:
    """Return rows for Canvas, which identifies students by its own number or login."""
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]]
    rows[0] += marks.possible
    possible = [number(points) for points in marks.possible.values()]
    rows.append(["    Points Possible", "", "", "", "", *possible])
    for student in marks.students:
        known = [student.sortable_name, student.lms_user_id, "", student.id, ""]
        rows.append([*known, *marks.of(student)])
    return rows


def moodle(marks: ClassPoints) -> Rows:
    """Return rows for Moodle: the import form asks which column names the student."""
    rows = [["First name", "Last name", "Username", "Email address", *marks.possible]]
    for student in marks.students:
        names = [student.first_name, student.last_name, student.id, student.email]
        rows.append([*names, *marks.of(student)])
    return rows


def blackboard(marks: ClassPoints) -> Rows:
    """Return rows for Blackboard, which identifies students by their user name."""
    rows = [["Last Name", "First Name", "Username", *marks.possible]]
    for student in marks.students:
        names = [student.last_name, student.first_name, student.id]
        rows.append([*names, *marks.of(student)])
    return rows


#: Function that makes the rows, by the name of the platform.
FORMATS: dict[str, Callable[[ClassPoints], Rows]] = {
    "plain": plain,
    "canvas": canvas,
    "moodle": moodle,
    "blackboard": blackboard,
}


def write_points(marks: ClassPoints, platform: str, path: Path) -> None:
    """Write a file that a platform imports.

    Parameters
    ----------
    marks : ClassPoints
        What to write.
    platform : str
        A key of `FORMATS`.
    path : Path
        The file.
    """
    if platform not in FORMATS:
        msg = f"platform must be one of {', '.join(FORMATS)}, got {platform!r}"
        raise ValueError(msg)
    # Blackboard needs every field in quotes; the others allow it.
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows(FORMATS[platform](marks))
