"""What Linux refuses to a submission that gets around Python, and around its watch."""

import os
import subprocess
import sys

import pytest

from posenc.grading import landlock

SHUT = pytest.mark.skipif(
    not landlock.is_available(), reason="this system's kernel has no Landlock"
)
NEWER = pytest.mark.skipif(
    landlock._version() < 6, reason="this kernel's Landlock knows files alone"
)

RUN = """
import errno, os, socket, sys
from pathlib import Path
from posenc.grading.landlock import restrict

sandbox, secret, free = map(Path, sys.argv[1:4])
outside = os.getppid()
assert restrict(sandbox, [str(secret)])


def told():
    {code}


if {forked} and (child := os.fork()):
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
try:
    told()
except OSError as error:  # a link is refused as if to another disk
    if error.errno in (errno.EPERM, errno.EACCES, errno.EXDEV):
        print("refused", flush=True)
"""


@pytest.fixture
def places(tmp_path):
    """A sandbox, a file that it must not open, and one that it may read."""
    (tmp_path / "posenc-own").mkdir()
    (tmp_path / "posenc-other").mkdir()
    for name in ("secret", "free", "posenc-other/mine"):
        (tmp_path / name).write_text(f"the {name}\n")
    return tmp_path


def said(places, code, forked=False):
    """What a process that is shut in prints."""
    program = RUN.format(code=code, forked=forked)
    paths = [places / "posenc-own", places / "secret", places / "free"]
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, paths)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return done.stdout.strip()


@SHUT
@pytest.mark.parametrize("forked", [False, True])
@pytest.mark.parametrize(
    "code",
    [
        "secret.read_text()",
        "os.link(secret, sandbox / 'mine')",
        "(sandbox / 'link').symlink_to(secret); (sandbox / 'link').read_text()",
        "secret.write_text('')",
        "free.write_text('')",
        "(free.parent / 'new').write_text('')",
        "(sandbox.parent / 'posenc-other' / 'mine').read_text()",
        "os.execv('/bin/true', ['true'])",
        "Path(f'/proc/{outside}/mem').open('rb')",
        pytest.param("socket.create_connection(('127.0.0.1', 9))", marks=NEWER),
        pytest.param("os.kill(outside, 0)", marks=NEWER),
    ],
)
def test_this_is_refused(code, forked, places):
    assert said(places, code, forked) == "refused"


@SHUT
@pytest.mark.parametrize(
    ("code", "prints"),
    [
        ("print(free.read_text())", "the free"),
        ("(sandbox / 'a').mkdir(); (sandbox / 'a/b').write_text('1'); print(2)", "2"),
        ("(sandbox / 'a').write_text('1'); (sandbox / 'a').rename(sandbox / 'b')", ""),
        ("import wave; print(wave.__name__)", "wave"),
        ("open('/dev/null', 'w').write('1'); print(len(os.urandom(3)))", "3"),
        ("print(len(os.listdir('/')) > 3)", "True"),
        ("import multiprocessing; multiprocessing.Lock(); print(1)", "1"),
    ],
)
def test_this_is_not(code, prints, places):
    assert said(places, code) == prints


def test_without_it_nothing_changes(places, monkeypatch):
    monkeypatch.setattr(landlock, "_version", lambda: 0)
    assert not landlock.is_available()
    assert not landlock.restrict(places / "posenc-own", [str(places / "secret")])
    assert (places / "secret").read_text() == "the secret\n"
