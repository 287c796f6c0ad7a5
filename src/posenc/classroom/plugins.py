"""Plugins for nbgrader: the rule for late work, and files for platforms."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from nbgrader.plugins import ExportPlugin, LateSubmissionPlugin
from traitlets import Dict, Unicode

from .late import late_penalty
from .roster import Student, read_roster
from .tables import ClassPoints, write_points

__all__ = ["Blackboard", "Canvas", "LatePolicy", "Moodle", "Plain"]


class LatePolicy(LateSubmissionPlugin):
    """Policy for late work, with the penalty of `rule`: see `late_penalty`."""

    rule = Dict(help="points_per_day, grace_hours and at_most").tag(config=True)

    def late_submission_penalty(
        self, student_id: str, score: float, total_seconds_late: float
    ) -> float | None:
        """Return points to take away; nbgrader takes no more than the work has."""
        return late_penalty(total_seconds_late, self.rule) or None


class Plain(ExportPlugin):
    """Points of all students, a column for each assignment, after penalties.

    Names come from ``roster.csv`` beside ``nbgrader_config.py``, if it is there, and
    are kept in nbgrader's database. Students of the roster are listed before they hand
    anything in.
    """

    platform = "plain"
    roster = Unicode("roster.csv", help="the class's list of names").tag(config=True)

    def export(self, gradebook: Any) -> None:
        """Write the file that ``--to`` names, or one named after the platform."""
        target = Path(self.to or f"{self.platform}.csv")
        place = Path(self.parent.coursedir.root) / self.roster
        if place.is_file():
            for student in read_roster(place):
                columns = {
                    name: value for name, value in asdict(student).items() if value
                }
                gradebook.update_or_create_student(columns.pop("id"), **columns)
        write_points(self.marks(gradebook), self.platform, target)
        self.log.info("Wrote %s", target)

    def marks(self, gradebook: Any) -> ClassPoints:
        """Return the marks of the students and assignments requested, or of all."""
        only, some = {*map(str, self.student)}, {*map(str, self.assignment)}
        assignments = [a for a in gradebook.assignments if not some or a.name in some]
        points = {
            (submission.student.id, assignment.name): max(
                0.0, submission.score - submission.late_submission_penalty
            )
            for assignment in assignments
            for submission in assignment.submissions
        }
        students = [
            Student(*(getattr(row, name) or "" for name in Student.__match_args__))
            for row in gradebook.students
            if not only or row.id in only
        ]
        students.sort(key=lambda student: student.place)
        return ClassPoints(students, {a.name: a.max_score for a in assignments}, points)


class Canvas(Plain):
    """Points as Canvas imports them."""

    platform = "canvas"


class Moodle(Plain):
    """Points as Moodle imports them."""

    platform = "moodle"


class Blackboard(Plain):
    """Points as Blackboard imports them."""

    platform = "blackboard"
