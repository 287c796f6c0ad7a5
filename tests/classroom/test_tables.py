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


def test_every_platform_is_tried():
    assert FILES.keys() == FORMATS.keys()


@pytest.mark.parametrize("platform", FORMATS)
def test_what_is_written(platform, tmp_path):
    write_points(MARKS, platform, tmp_path / "marks.csv")
    with (tmp_path / "marks.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == FILES[platform]


def test_every_field_is_in_quotes(tmp_path):
    write_points(MARKS, "blackboard", tmp_path / "marks.csv")
    first, *_ = (tmp_path / "marks.csv").read_text("utf-8").splitlines()
    assert first == '"Last Name","First Name","Username","homework1","final"'


def test_an_unknown_platform_is_an_error(tmp_path):
    with pytest.raises(ValueError, match=r"one of plain, canvas, .*, got 'paper'"):
        write_points(MARKS, "paper", tmp_path / "marks.csv")
