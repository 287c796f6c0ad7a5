"""Each thread that a warning cites has a date and a status."""

import datetime
import re
import tomllib
from pathlib import Path

import pytest

import posenc.checkpoint
from posenc.checkpoint.published import cited

FOLDER = Path(posenc.checkpoint.__file__).parent
TABLE = tomllib.loads((FOLDER / "threads.toml").read_text("utf-8"))
THREADS = TABLE["threads"]
PITFALLS = tomllib.loads((FOLDER / "pitfalls.toml").read_text("utf-8"))["pitfall"]
#: What cites threads; the docstring of `cited` names some as examples.
CITING = [
    path
    for path in FOLDER.iterdir()
    if path.suffix in (".py", ".toml") and path.stem != "threads"
]


def test_cited_threads_are_those_of_the_table():
    found = {
        name
        for path in CITING
        for name in re.findall(r"[\w-]+/[\w.-]+#\d+", path.read_text("utf-8"))
    }
    assert found == set(THREADS)
    assert {name for pitfall in PITFALLS for name in pitfall["at"]} < found


@pytest.mark.parametrize("name", THREADS)
def test_cited_thread_shows_its_date_and_status(name):
    thread, looked_up = THREADS[name], TABLE["looked_up"]
    assert set(thread) == {"opened", "status"}
    assert datetime.date(2020, 1, 1) < thread["opened"] <= looked_up
    assert re.match(r"(open|closed|merged)\b", thread["status"])
    told = cited([name])
    assert f"{name} of {thread['opened']}: {thread['status']};" in told
    assert told.endswith(f"looked up on {looked_up})")
