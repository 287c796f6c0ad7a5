"""Marks of a class without nbgrader, with names and for platforms."""

import csv

import pytest

from posenc import __main__

#: Begins as the judge's tables do, with a mark that spreadsheets want.
HEAD = "\ufeffstudent,file,points,of,passed,not passed,errors\n"
START = "t5.last_bucket_start"
ROSTER = "id,first_name,last_name\nada,Ada,Lovelace\nkurt,Kurt,Gödel\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Two tables and a list of names."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "homework1.csv").write_text(
        HEAD + f"ada,ada/a.ipynb,2,2,{START},,\n"
        "ada,ada/b.ipynb,1,3,t5.buckets_by_hand,t5.unused_buckets (failed),\n"
        "tom,tom.ipynb,,,,,It could not be graded: no notebook\n",
        encoding="utf-8",
    )
    # As a spreadsheet where commas are decimal keeps it, with points for derivations.
    (tmp_path / "test1.csv").write_text(
        HEAD.replace(",", ";").replace(";errors", ";paper")
        + f"tom;tom.ipynb;0;2;;{START} (failed);1,5\n",
        encoding="utf-8",
    )
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    return tmp_path


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_points_get_names_and_sums(files, capsys):
    options = ["--roster", "roster.csv", "--out", "all.csv"]
    assert __main__.main(["marks", "homework1.csv", "test1.csv", *options]) == 0
    assert rows(files / "all.csv") == [
        ["id", "last_name", "first_name", "email", "homework1", "test1", "total"],
        ["kurt", "Gödel", "Kurt", "", "", "", "0"],
        ["ada", "Lovelace", "Ada", "", "3", "", "3"],
        ["tom", "", "", "", "", "1.5", "1.5"],
    ]
    said = capsys.readouterr().out
    assert "homework1: tom.ipynb could not be graded." in said
    assert "Not in roster.csv: tom." in said


def test_a_platform_gets_its_columns_and_the_points_that_there_are(files):
    arguments = ["homework1.csv", "test1.csv", "--to", "canvas", "--out", "c.csv"]
    assert __main__.main(["marks", *arguments]) == 0
    head, possible, *found = rows(files / "c.csv")
    assert head[3:] == ["SIS Login ID", "Section", "homework1", "test1"]
    assert possible[5:] == ["5", "5"]  # of the second one, three are on paper
    assert [row[3] for row in found] == ["ada", "tom"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["roster.csv", "--out", "x.csv"], "without a column 'student'"),
        (["homework1.csv", "--out", "homework1.csv"], "must be a new file"),
        (["homework1.csv", "homework1.csv", "--out", "x.csv"], "'homework1' twice"),
        (["none.csv", "--out", "x.csv"], "No such file"),
    ],
)
def test_what_cannot_be_done_is_said(files, arguments, words, capsys):
    assert __main__.main(["marks", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not (files / "x.csv").exists()
    assert (files / "homework1.csv").read_text("utf-8").startswith(HEAD)
