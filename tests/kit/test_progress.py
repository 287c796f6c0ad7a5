"""The progress: what is counted, how it looks, and that nothing is ever lost."""

import multiprocessing
import re
from pathlib import Path

import pytest

from posenc.exercises import check, names, progress
from posenc.kit.exercises import progress_file as _progress

NAME = "t5.last_bucket_start"
HAND = "rope.turn_by_hand"
HAND_RIGHT = [-1, 3, -2, 1, 4, 0, 5, -1]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "progress.jsonl"
    monkeypatch.setenv("POSENC_PROGRESS", str(path))
    return path


def row(name):
    (found,) = (row for row in progress().rows if row.name == name)
    return found


def test_tries_are_counted_and_a_pass_stays_a_pass(file):
    check(HAND, [0] * 8)
    assert (row(HAND).state, row(HAND).tries) == ("tried", 1)
    check(HAND, HAND_RIGHT)
    assert (row(HAND).state, row(HAND).tries) == ("passed", 2)
    check(HAND, [0] * 8)
    assert (row(HAND).state, row(HAND).tries) == ("passed", 3)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", row(HAND).last)
    others = {row.state for row in progress().rows if row.name != HAND}
    assert others == {"not begun"}


def test_progress_does_not_count_dots_and_errors(file):
    assert {check(NAME, blank).status for blank in (None, ...)} == {"unanswered"}
    check(HAND, [...] * 8)
    check("rope.zzz", 1)
    check(HAND, HAND_RIGHT, record=False)
    assert not file.exists()


@pytest.mark.parametrize(
    "rubbish",
    [
        b"\xff\xfe\x00rubbish",
        b'{"version": 1, "time": "2026',
        b"[1, 2]",
        b"7",
        b'{"version": 1, "time": 3, "exercise": "a.b", "passed": true}',
        b'{"version": "one"}',
        b"[" * 100_000,
    ],
)
def test_damage_costs_the_damaged_line_alone_and_is_kept(file, rubbish):
    check(HAND, HAND_RIGHT)
    with file.open("ab") as log:
        log.write(rubbish)  # a crash in the middle of a line: there is no newline
    check(NAME, 3)  # a value for a function: no try
    check(HAND, [0] * 8)
    assert (row(HAND).state, row(HAND).tries) == ("passed", 2)
    note = "Not used, but left in the file: 1 line that could not be read."
    assert progress().notes == (note,)
    assert f"Note: {note}" in repr(progress())
    assert rubbish in file.read_bytes()


def test_lines_of_a_newer_version_are_left_alone(file):
    newer = b'{"version": 2, "exercise": {"id": 7}}\n'
    file.parent.mkdir()
    file.write_bytes(newer * 2)
    check(HAND, HAND_RIGHT)
    assert row(HAND).state == "passed"
    assert progress().notes == (
        "Not used, but left in the file: 2 lines of a newer posenc.",
    )
    assert file.read_bytes().startswith(newer * 2)


def _tries(count):
    for _ in range(count):
        _progress.record(HAND, False, 1)


def test_two_notebooks_lose_nothing(file):
    context = multiprocessing.get_context("spawn")
    kernels = [context.Process(target=_tries, args=(50,)) for _ in range(4)]
    for kernel in kernels:
        kernel.start()
    for kernel in kernels:
        kernel.join()
    assert row(HAND).tries == 200
    assert progress().notes == ()


@pytest.fixture
def blocked(tmp_path, monkeypatch):
    """A place where no file can be made (even by a superuser)."""
    (tmp_path / "no_folder").write_text("")
    path = tmp_path / "no_folder" / "progress.jsonl"
    monkeypatch.setenv("POSENC_PROGRESS", str(path))
    return path


def test_a_file_that_cannot_be_written_is_a_note(blocked):
    result = check(HAND, HAND_RIGHT)
    assert result
    assert "This try is not in your progress" in result.notes[-1]
    assert str(blocked.parent) in result.notes[-1]
    assert "POSENC_PROGRESS" in result.notes[-1]
    assert "cannot be read" in progress().notes[0]


def test_progress_file_is_in_the_data_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("POSENC_PROGRESS")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert _progress.location() == tmp_path / "posenc" / "progress.jsonl"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert _progress.location() == tmp_path / ".local/share/posenc/progress.jsonl"
    monkeypatch.setattr(_progress, "IN_BROWSER", True)
    monkeypatch.chdir(tmp_path)
    assert _progress.location() == tmp_path / "posenc-progress.jsonl"


def test_the_table_in_words(file):
    check(HAND, HAND_RIGHT)
    check(NAME, lambda b, d: 99)
    text = repr(progress("rope")).splitlines()
    count = len(names("rope"))
    assert text[0] == f"Your progress: 1 of {count} exercises passed"
    assert re.fullmatch(r"    turn_by_hand    +✓ passed +1 try  \d{4}-.*", text[2])
    assert re.fullmatch(r"    apply_rotary    +… not begun", text[3])
    everything = repr(progress())
    assert f"1 of {len(names())} exercises passed, 1 tried" in everything
    assert re.search(r"^    last_bucket_start +✗ tried +1 try", everything, re.M)
    swin = len(names("swin"))
    assert f"  swin: 0 of {swin} exercises passed\n  rope: 1 of {count}" in everything


def test_the_table_as_html(file):
    check(NAME, lambda b, d: 99)
    page = progress("t5")._repr_html_()
    assert '<th scope="col"' in page
    assert page.count('<th scope="row"') == len(names("t5"))
    summary = f"t5: 0 of {len(names('t5'))} exercises passed, 1 tried"
    assert f"<details open><summary>{summary}" in page
    assert "✗ tried</td>" in page
    assert "<details><summary>swin" in progress()._repr_html_()


def test_progress_table_escapes_html(tmp_path, monkeypatch):
    monkeypatch.setenv("POSENC_PROGRESS", str(tmp_path / "<b>"))
    page = progress("<i>")._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "<i>" not in page
    assert (
        "There is no chapter named '<i>'. There are attention, "
        in progress("<i>").notes[0]
    )
