"""Sources are the same if what they hold is the same; what is in doubt has changed."""

import json
import os
import time

import pytest
from freshness import Moment, Record, digest


@pytest.fixture
def root(tmp_path):
    """A project with a module, some data, and requirements."""
    for name in ("src/a.py", "data/d.json", "data/deep/e.json", "requirements.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "change", "changes"),
    [
        ("src/a.py", "src/a.py", True),
        ("src/a.py", "src/b.py", False),
        ("src/absent.py", "src/absent.py", True),
        ("data/", "data/new.json", True),
        ("data/", "data/d.json", False),  # listed, not read
        ("data/", "data/.d.json.swp", False),
        ("data/", "data/d.json~", False),
        ("data/", "data/__pycache__/d.pyc", False),
        ("data/**", "data/deep/e.json", True),
        ("data/**", "data/deep/new.json", True),
        ("data/**", "data/__pycache__/d.pyc", False),
    ],
)
def test_digest(root, name, change, changes):
    before = digest(root, name)
    (root / change).parent.mkdir(exist_ok=True)
    (root / change).write_text("2")
    assert (digest(root, name) != before) == changes


@pytest.mark.parametrize(
    ("name", "change", "touches"),
    [
        ("src/a.py", "src/a.py", True),
        ("src/a.py", "src/b.py", False),
        ("book/", "book/new", True),
        ("book/", "book/page.md", False),
        ("book/", "book/.page.md.swp", False),
        ("book/deep/", "book/deep/new", True),
        ("book/**", "book/deep/e.json", True),
        ("book/**", "book/__pycache__/e.pyc", False),
    ],
)
def test_touched(root, name, change, touches):
    for file in ("book/page.md", "book/deep/e.json"):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).touch()
    time.sleep(0.02)  # a file's date is that of the clock's last tick
    moment = Moment(root)
    assert not moment.touched(name)
    time.sleep(0.02)
    (root / change).parent.mkdir(exist_ok=True)
    (root / change).write_text("1")
    assert moment.touched(name) == touches


def test_a_folder_that_was_not_there_is_new(root):
    moment = Moment(root)
    assert not moment.touched("src/new/")
    (root / "src/new").mkdir()
    (root / "src/new/a.py").touch()
    assert moment.touched("src/new/")


def test_an_older_file_in_place_of_another_is_new(root):
    time.sleep(0.02)
    moment = Moment(root)
    time.sleep(0.02)
    (root / "older").write_text("")
    os.utime(root / "older", (0, 0))
    (root / "older").replace(root / "src/a.py")
    assert moment.touched("src/a.py")


@pytest.fixture
def record(root):
    found = Record(root, root / "cache", "book/one")
    time.sleep(0.02)
    found.write("cells", ["src/a.py", "src/"], Moment(root))
    return found


def test_a_record_holds_while_nothing_changes(record):
    assert record.holds("cells")


@pytest.mark.parametrize("name", ["src/a.py", "src/new.py", "requirements.txt"])
def test_what_was_read_must_not_change(root, record, name):
    (root / name).write_text("2")
    assert not record.holds("cells")


def test_other_cells_have_read_nothing(record):
    assert not record.holds("other cells")


def test_another_python_reads_anew(record):
    found = json.loads(record.file.read_text())
    record.file.write_text(json.dumps(found | {"python": "4.0"}))
    assert not record.holds("cells")


def test_without_a_record_nothing_holds(root):
    assert not Record(root, root / "cache", "book/other").holds("cells")


def test_what_changes_during_a_run_leaves_no_record(root, record):
    since = Moment(root)
    time.sleep(0.02)
    (root / "src/a.py").write_text("2")
    record.write("cells", ["src/a.py"], since)
    assert not record.holds("cells")
