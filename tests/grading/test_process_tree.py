"""Processes of a submission: how many there are, and that none is left."""

import contextlib
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from posenc.grading import batch
from posenc.grading.grader import graded
from posenc.grading.grades import Limits

START = "t5.last_bucket_start"
DUMPABLE, SUBREAPER = 3, 37  # options of prctl that read

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it needs /proc")


def below(top):
    """Return the processes below one, however far."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            parents[int(stat.parent.name)] = int(fields[1])
    found, size = {top}, 0
    while len(found) > size:
        size = len(found)
        found |= {child for child, parent in parents.items() if parent in found}
    return found - {top}


def of_sandboxes_in(folder):
    """Return workers, and what they started: all have the same arguments."""
    processes = []
    for told in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if os.fsencode(folder) in told.read_bytes():
                processes.append(told)
    return processes


def flags():
    """Return whether others may read this process's memory, and if it adopts."""
    prctl, adopts = ctypes.CDLL(None).prctl, ctypes.c_int()
    prctl(SUBREAPER, ctypes.byref(adopts), 0, 0, 0)
    return prctl(DUMPABLE, 0, 0, 0, 0), adopts.value


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Let sandboxes be made in a folder of this test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def content_of(*cells):
    return {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}


def grade(*cells, **limits):
    return graded(content_of(*cells), [START], Limits(**limits))


#: A cell whose answer sleeps until there is a file `go`.
SLEEP = f"""
import pathlib, time
from posenc.exercises import check
def start(b, m):
    pathlib.Path('asleep').touch()
    while not pathlib.Path('go').exists():
        time.sleep(0.01)
    return 7
check({START!r}, start)
"""


def wait_until(condition, is_running=lambda: True):
    give_up = time.monotonic() + 120
    while not condition():
        assert is_running()
        assert time.monotonic() < give_up
        time.sleep(0.01)


def is_asleep(home):
    return list(home.glob("posenc-*/home/asleep"))


def test_two_processes_run_while_an_answer_sleeps(home):
    before, flags_before, marks = below(os.getpid()), flags(), []
    thread = threading.Thread(target=lambda: marks.append(grade(SLEEP, answer=300)))
    thread.start()
    try:
        wait_until(lambda: is_asleep(home), thread.is_alive)
        processes, flags_while = below(os.getpid()) - before, flags()
    finally:
        for sandbox in home.glob("posenc-*"):
            (sandbox / "home" / "go").touch()
        thread.join()
    assert len(processes) == 2
    assert flags_while == (0, 1)  # no memory to be read, and orphans are adopted
    assert flags() == flags_before
    assert [mark.status for mark in marks[0].grades] == ["failed"]
    assert of_sandboxes_in(home) == []


def test_an_answer_that_sleeps_ends_with_the_grader_even_if_that_is_killed(home):
    program = f"""
from posenc.grading.grader import graded
from posenc.grading.grades import Limits
graded({content_of(SLEEP)!r}, limits=Limits(answer=300))
"""
    grader = subprocess.Popen([sys.executable, "-c", program])
    wait_until(lambda: is_asleep(home), lambda: grader.poll() is None)
    assert len(of_sandboxes_in(home)) == 2
    grader.kill()
    grader.wait()
    wait_until(lambda: not of_sandboxes_in(home))


def test_an_interrupt_ends_all_notebooks_that_are_graded(home, monkeypatch):
    folder, stopped = home / "in", []
    folder.mkdir()
    for name, cells in (("ada", []), ("bob", [SLEEP])):
        (folder / f"{name}.ipynb").write_text(json.dumps(content_of(*cells)))

    def note_if_stopped(*given):
        try:
            return graded(*given)
        except KeyboardInterrupt:
            stopped.append(given)
            raise

    def interrupt(line):
        if "ada" in line:
            wait_until(lambda: is_asleep(home))
            raise KeyboardInterrupt

    monkeypatch.setattr(batch, "graded", note_if_stopped)
    with pytest.raises(KeyboardInterrupt):
        batch.grade_folder(folder, home / "out.csv", jobs=2, report=interrupt)
    assert len(stopped) == 1
    assert of_sandboxes_in(home) == []


#: A cell that starts a process which leaves its group and its parent.
DETACH = (
    "import os, time\n"
    "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
    "        open('there', 'w').close()\n        os.closerange(3, 99)\n"
    "        time.sleep(600)\n    os._exit(0)\n"
    "while not os.path.exists('there'):\n    time.sleep(0.01)\n"
)


@pytest.mark.parametrize("end", ["", "os._exit(1)"], ids=["alive", "dead"])
def test_what_a_cell_detaches_ends_with_its_worker(end, home):
    """Even if the worker ends before the grader can look at what it started."""
    marks = grade(DETACH + end)
    assert bool(marks.errors) == bool(end)
    assert of_sandboxes_in(home) == []
