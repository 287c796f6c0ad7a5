"""Files that learning platforms import."""

import csv

import pytest

from posenc.classroom.roster import Student
from posenc.classroom.tables import FORMATS, ClassPoints, write_points

ADA = Student("ada", "Ada", "Lovelace", "ada@example.org", "17")
KURT = Student("kurt")
MARKS = ClassPoints(
    [ADA, KURT],
    {"homework1": 13, "final": 2.5},
    {("ada", "homework1"): 12.3456, ("ada", "final"): 2.0, ("kurt", "final"): 0.0},
)
#: All that each platform is given.
FILES = {
    "plain": [
        ["id", "last_name", "first_name", "email", "homework1", "final", "total"],
        ["ada", "Lovelace", "Ada", "ada@example.org", "12.35", "2", "14.35"],
        ["kurt", "", "", "", "", "0", "0"],
    ],
    "canvas": [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *MARKS.possible],
        ["    Points Possible", "", "", "", "", "13", "2.5"],
        ["Lovelace, Ada", "17", "", "ada", "", "12.35", "2"],
        ["kurt", "", "", "kurt", "", "", "0"],
    ],
    "moodle": [
        ["First name", "Last name", "Username", "Email address", "homework1", "final"],
        ["Ada", "Lovelace", "ada", "ada@example.org", "12.35", "2"],
        ["", "", "kurt", "", "", "0"],
    ],
    "blackboard": [
        ["Last Name", "First Name", "Username", "homework1", "final"],
        ["Lovelace", "Ada", "ada", "12.35", "2"],
        ["", "", "kurt", "", "0"],
    ],
}


def test_what_is_written(tmp_path):
    file = tmp_path / "marks.csv"
    for platform in FORMATS:
        write_points(MARKS, platform, file)
        text = file.read_text("utf-8")
        assert list(csv.reader(text.splitlines())) == FILES[platform]
        assert text.startswith('"')  # every field is in quotes
    with pytest.raises(ValueError, match=r"one of plain, canvas, .*, got 'paper'"):
        write_points(MARKS, "paper", file)
