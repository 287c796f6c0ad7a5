"""A folder of notebooks, its tables, and the pages of feedback."""

import csv
import dataclasses
import json
from itertools import chain, repeat

import pytest

from posenc import __main__
from posenc.grading import batch as tables_of
from posenc.grading.batch import TamperedError, grade_folder
from posenc.grading.feedback import render
from posenc.grading.grader import graded
from posenc.grading.grades import Grade, Grades, Limits

START = "t5.last_bucket_start"
FOUND = Grades(
    [
        Grade(
            START, 2, 2, "passed", held=["small ones"], seed=3, cell=4, answer="f = 1"
        ),
        Grade(
            "t5.buckets_by_hand",
            *(0, 1, "failed", "=1 of 9 is <not> right.", "for 3: 4"),
            mistakes=["The sign is turned."],
        ),
        Grade("t5.unused_buckets", 0, 2, "missing", "Its test was deleted."),
    ],
    suspicious=["Cell 3: It imports gc."],
    seconds=1.5,
)


LISTED = [mark.exercise for mark in FOUND.grades]
OF_ALL = {"posenc": {"exercises": dict.fromkeys(LISTED, "f")}}


def put(path, name):
    """A notebook that was given out with all three exercises."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"cells": [], "metadata": OF_ALL, "name": name}
    path.write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Three notebooks; what they come to is known, and counted in ``graded``."""
    for name in ("ada.ipynb", "bob/rope.ipynb", "cy/t5/t5.ipynb", "cy/.x/no.ipynb"):
        put(tmp_path / "in" / name, name)
    calls = []

    def stand_in(content, exercises, limits, forbidden):
        calls.append(content["name"])
        marks = [
            mark for mark in FOUND.grades if mark.exercise in (exercises or LISTED)
        ]
        return dataclasses.replace(FOUND, grades=marks)

    monkeypatch.setattr(tables_of, "graded", stand_in)
    monkeypatch.setattr(tables_of, "calls", calls, raising=False)
    return tmp_path / "in"


def rows(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_moodle_s_folders_tell_whose_they_are_in_every_assignment(folder, tmp_path):
    """It numbers a student anew in each, and may put files into no folder."""
    for file in (
        "Ada Lovelace_123456_assignsubmission_file/t5.ipynb",
        "Kurt Gödel_7_assignsubmission_file_/a/t5.ipynb",
        "Emmy Noether_8_assignsubmission_file_t5.ipynb",
        "Emmy Noether_8_assignsubmission_file_rope.ipynb",
        "x_1_assignsubmission_online/t5.ipynb",
    ):
        put(folder / file, file)
    out, pages = tmp_path / "m.csv", tmp_path / "pages"
    grade_folder(folder, out, pages=pages, report=lambda words: None)
    whose = {row["file"]: row["student"] for row in rows(out)}
    assert {file: student for file, student in whose.items() if "_" in file} == {
        "Ada Lovelace_123456_assignsubmission_file/t5.ipynb": "Ada Lovelace",
        "Kurt Gödel_7_assignsubmission_file_/a/t5.ipynb": "Kurt Gödel",
        "Emmy Noether_8_assignsubmission_file_t5.ipynb": "Emmy Noether",
        "Emmy Noether_8_assignsubmission_file_rope.ipynb": "Emmy Noether",
        "x_1_assignsubmission_online/t5.ipynb": "x_1_assignsubmission_online",
    }
    details = rows(tmp_path / "m-exercises.csv")
    assert {row["file"]: row["student"] for row in details} == whose
    assert (pages / "Ada Lovelace_123456_assignsubmission_file/t5.html").exists()


@pytest.mark.parametrize(
    "other", ["Ada_2_assignsubmission_file_/t5.ipynb", "Ada.ipynb", "Ada/t5.ipynb"]
)
def test_two_students_of_one_name_are_not_made_one(folder, tmp_path, other, capsys):
    out = tmp_path / "m.csv"
    grade_folder(folder, out, report=lambda words: None)
    before = out.read_bytes()
    put(folder / "Ada_1_assignsubmission_file/t5.ipynb", "one")
    put(folder / other, "other")
    assert __main__.main(["grade", str(folder), "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert "must have a name of their own, got 'Ada' for" in said
    for named in ("Ada_1_assignsubmission_file", other.partition("/")[0]):
        assert f" {named} " in said
    assert "replace 'Ada' by another name in one, in every assignment" in said
    assert out.read_bytes() == before


def test_both_tables_hold_points_diagnoses_and_suspicions(folder, tmp_path):
    grade_folder(folder, tmp_path / "marks.csv", report=lambda words: None)
    first = rows(tmp_path / "marks.csv")[0]
    assert (first["student"], first["points"], first["of"]) == ("ada", "2", "5")
    assert first["passed"] == START
    assert "t5.unused_buckets (missing)" in first["not passed"]
    assert first["suspicious cells"] == "Cell 3: It imports gc."
    details = rows(tmp_path / "marks-exercises.csv")
    assert len(details) == 9
    assert details[1]["diagnosis"].startswith("'=1 of 9")  # no formula in a spreadsheet
    assert "The sign is turned." in details[1]["diagnosis"]
    assert details[0]["seed"] == "3"


def test_a_run_that_was_stopped_goes_on(folder, tmp_path):
    out, said = tmp_path / "marks.csv", []
    grade_folder(folder, out, report=said.append, jobs=1)
    assert len(tables_of.calls) == 3
    assert "[3/3] cy/t5/t5.ipynb: 2 of 5 points, 1.5 s; look at it" in said[-1]
    put(folder / "ada.ipynb", "ada again")
    grade_folder(folder, out, report=said.append, jobs=1)
    assert tables_of.calls[3:] == ["ada again"]
    assert "2 of 3 notebooks are graded already." in said
    assert len(rows(out)) == 3


def test_it_says_where_python_alone_refuses(folder, tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(tables_of, "is_available", lambda: False)
    grade_folder(folder, tmp_path / "marks.csv", report=said.append)
    assert said[0].startswith("This system cannot shut submissions in (no Landlock)")
    monkeypatch.setattr(tables_of, "is_available", lambda: True)
    grade_folder(folder, tmp_path / "marks.csv", report=said.append)
    assert "Landlock" not in "".join(said[1:])


def test_a_table_that_something_else_has_written_is_refused(folder, tmp_path):
    out = tmp_path / "marks.csv"

    def meddle(words):
        out.write_text(out.read_text("utf-8").replace(",2,5,", ",5,5,"))

    with pytest.raises(TamperedError, match="has been changed by something else"):
        grade_folder(folder, out, report=meddle, jobs=1)


def test_a_change_of_posenc_meanwhile_is_refused(folder, tmp_path, monkeypatch):
    prints = chain("aa", repeat("b"))
    monkeypatch.setattr(tables_of, "fingerprint", lambda: next(prints))
    with pytest.raises(TamperedError, match="posenc have changed while bob/rope"):
        grade_folder(folder, tmp_path / "m.csv", report=lambda words: None, jobs=1)
    assert [row["file"] for row in rows(tmp_path / "m.csv")] == ["ada.ipynb"]


def test_a_file_that_cannot_be_graded_is_told_and_the_others_are(folder, tmp_path):
    (folder / "ada.ipynb").write_text("{")
    grade_folder(folder, tmp_path / "m.csv", report=lambda words: None)
    first, *others = rows(tmp_path / "m.csv")
    assert (first["points"], first["of"]) == ("", "")  # no mark rather than none of 0
    assert first["errors"].startswith("It could not be graded")
    assert [row["points"] for row in others] == ["2", "2"]
    grade_folder(folder, tmp_path / "m.csv", report=lambda words: None)  # as it was
    put(folder / "ada.ipynb", "ada mended")
    tables_of.calls.clear()
    grade_folder(folder, tmp_path / "m.csv", report=lambda words: None)
    assert tables_of.calls == ["ada mended"]


def test_what_is_asked_for_later_is_given(folder, tmp_path):
    """Pages that are not there yet, and other exercises; and nothing twice."""
    out, pages, calls = tmp_path / "m.csv", tmp_path / "pages", tables_of.calls

    def again(**options):
        calls.clear()
        grade_folder(folder, out, report=lambda words: None, **options)
        return len(calls)

    assert again() == 3
    assert again(pages=pages) == 3
    assert again(pages=pages) == again() == 0
    (pages / "cy/t5/t5.html").unlink()
    assert again(pages=pages) == 1
    assert again(exercises=[START]) == 3
    assert [row["of"] for row in rows(out)] == ["2", "2", "2"]
    assert again(exercises=[START]) == 0
    assert again() == 3
    assert [row["of"] for row in rows(out)] == ["5", "5", "5"]


def test_pages_have_the_marks_of_the_tables(folder, tmp_path):
    """Even where the last run, for other exercises, was told of no pages."""
    out, pages, calls = tmp_path / "m.csv", tmp_path / "pages", tables_of.calls

    def again(**options):
        calls.clear()
        grade_folder(folder, out, report=lambda words: None, **options)
        return len(calls), "<th>2 of 2<" in (pages / "ada.html").read_text("utf-8")

    assert again(pages=pages) == (3, False)
    assert again(exercises=[START]) == (
        3,
        False,
    )  # "without --feedback, old pages stay"
    assert again(exercises=[START], pages=pages) == (3, True)
    assert again(exercises=[START], pages=pages) == (0, True)
    assert again(pages=pages) == (3, False)


def test_a_table_of_other_notebooks_is_refused(folder, tmp_path):
    out = tmp_path / "m.csv"
    grade_folder(folder, out, report=lambda words: None)
    before = out.read_bytes()
    (folder / "ada.ipynb").unlink()
    with pytest.raises(ValueError, match=r"has ada\.ipynb, which is not there: name"):
        grade_folder(folder, out, report=lambda words: None)
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([3, 3, 1], "c/t5.ipynb: it lacks t5.buckets_by_hand, t5.unused"),
        ([2, 3, 2], "b/t5.ipynb: it adds t5.unused_buckets, which"),
    ],
)
def test_an_exercise_that_one_lacks_or_adds_is_told(folder, tmp_path, counts, words):
    said = []
    for student in "abc":
        put(folder / student / "t5.ipynb", student)

    def other(content, exercises, limits, forbidden):
        usual = sorted(counts)[1]
        count = dict(zip("abc", counts, strict=True)).get(content["name"], usual)
        return dataclasses.replace(FOUND, grades=FOUND.grades[:count])

    tables_of.graded = other  # put back by the fixture
    grade_folder(folder, tmp_path / "m.csv", report=said.append)
    (warning,) = [line for line in said if line.startswith("Look at")]
    assert f"Look at {words}" in warning
    assert "--exercises" in warning


def test_neighbors_tables_and_pages_are_kept_from_submissions(
    folder, tmp_path, monkeypatch
):
    """Whatever their names are, and wherever the command runs."""
    given = []

    def keep(content, exercises, limits, forbidden):
        given.append(forbidden)
        return FOUND

    monkeypatch.setattr(tables_of, "graded", keep)
    out, pages = tmp_path / "m.csv", tmp_path / "theirs"
    grade_folder(folder, out, pages=pages, report=lambda words: None)
    places = [folder, pages, out, tmp_path / "m-exercises.csv"]
    assert given == [[str(place) for place in places]] * 3


def test_a_folder_that_holds_what_a_submission_needs_is_refused(folder, monkeypatch):
    monkeypatch.setattr(tables_of.sys, "prefix", str(folder / "env"))
    with pytest.raises(ValueError, match="must hold nothing else, got"):
        grade_folder(folder, folder / "m.csv", report=lambda words: None)


def test_bad_folders_and_tables_are_refused(folder, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    for arguments, words in (
        (["empty", "--out", "m.csv"], "must hold notebooks"),
        (["in", "--out", "other.csv"], "must be a table of marks or a new file"),
        (["in", "--out", "m.csv", "--exercises", "t5.sing"], "no exercise named"),
    ):
        paths = [
            str(tmp_path / a) if a[-1] != "g" and a[0] != "-" else a for a in arguments
        ]
        assert __main__.main(["grade", *paths]) == 2
        assert words in capsys.readouterr().err
    assert other.read_text() == "a,b\n1,2\n"


def test_the_shell_sets_every_limit(folder, tmp_path, monkeypatch):
    given = set()

    def keep(content, exercises, limits, forbidden):
        given.add(limits)
        return FOUND

    monkeypatch.setattr(tables_of, "graded", keep)
    some = ["--cell-seconds", "1", "--answer-seconds", "2", "--notebook-seconds", "3"]
    some += ["--feedback", str(tmp_path / "pages")]
    for n, options in enumerate(([], some)):
        out = str(tmp_path / f"{n}.csv")
        assert __main__.main(["grade", str(folder), "--out", out, *options]) == 0
    assert len(list((tmp_path / "pages").rglob("*.html"))) == 3
    assert given == {Limits(), Limits(cell=1, answer=2, notebook=3)}


def test_a_page_tells_each_exercise_once_with_its_hint_and_sums_that_are_right():
    page = render("Ada", FOUND, {START: "Nice & short"}, {"Handed in late": -1})
    assert page.count("1 of 9 is &lt;not&gt; right.") == 1
    assert page.count("The sign is turned.") == 1
    assert "Its test was deleted." in page
    assert "Nice &amp; short" in page
    assert "A hint:" in page
    assert "-1" in page
    assert "<th>In all, so far</th><th></th><th>1 of 5</th>" in page
    assert "http" not in page
    assert "Derivations: your teacher marks them" in page


def test_a_page_has_the_headings_of_the_notebook_and_no_advice_to_ask_for_hints():
    """What is not answered says so once, and shows a hint itself."""
    unanswered = Grade(
        "t5.buckets_by_hand",
        *(0, 1, "unanswered", 'hint("t5.buckets_by_hand") gives a first hint.'),
        title="Exercise 2: By hand",
    )
    paper = Grade("t5-last_bucket_start-derivation", 2, 3, "marked", title="Exercise 1")
    page = render("Ada", Grades([paper, unanswered]))
    assert page.count("Exercise 2: By hand") == 2
    assert page.count("Buckets of nine relative positions, by hand.") == 1
    assert "gives a first hint" not in page
    assert "<strong>A hint:</strong>" in page
    assert "Exercise 1 (on paper)" in page
    assert "marked by your teacher" in page
    assert "<th>In all</th><th></th><th>2 of 4</th>" in page


def test_the_marks_of_a_real_notebook(tmp_path):
    """Run all parts once: a sandbox, a worker, the grader and their protocol."""
    cells = [
        "from posenc.exercises import check",
        "def f(b, m):\n    e = b // 2\n    n = e\n"
        "    while n ** (b - e) < m ** (b - e - 1) * e:\n        n += 1\n    return n",
        f'check("{START}", f)',
    ]
    content = {"cells": [{"cell_type": "code", "source": source} for source in cells]}
    marks = graded(content, [START, "t5.buckets_by_hand"])
    assert (marks.points, marks.of) == (2, 3)
    assert [mark.status for mark in marks.grades] == ["passed", "missing"]
    assert marks.grades[0].answer == cells[1]
    assert marks.suspicious == marks.errors == []
