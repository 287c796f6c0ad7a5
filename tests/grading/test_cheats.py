"""What cheats earn: exactly what they would have earned without cheating."""

import os
from pathlib import Path

import pytest
from answer_sources import answers_of

import posenc
from posenc.core.chapters import PACKAGE
from posenc.exercises import names
from posenc.grading.judge import graded
from posenc.grading.marks import Limits

pytestmark = pytest.mark.slow

START, VALUE, BUCKET = (
    "t5.last_bucket_start",
    "t5.buckets_by_hand",
    "t5.relative_position_bucket",
)
ORACLE = PACKAGE / "t5/exercises/oracle.py"

HONEST = """
def start(b, m):
    e = b // 2
    n = e
    while n ** (b - e) < m ** (b - e - 1) * e:
        n += 1
    return n
"""
WRONG = "def start(b, m):\n    return 7"
CHECK = f"from posenc.exercises import check\ncheck({START!r}, start)"
VALUES = answers_of("t5").RIGHT[VALUE][0]
BY_HAND = f"from posenc.exercises import check\ncheck({VALUE!r}, {VALUES})"
#: The oracle as a source of answers, once its text or module is had.
USE = "\ndef start(b, m):\n    return oracle['bucket_starts'](b, m)[-1]\n"

#: Cells, each after the last; the wrong answer and the check follow.
WORTHLESS = {
    "a result that is always true": (
        "from posenc.exercises import Result\nResult.__bool__ = lambda self: True"
    ),
    "a result whose status is passed": (
        "from posenc.exercises import Result\n"
        "Result.status = property(lambda self: 'passed', lambda self, value: None)"
    ),
    "another check": (
        "import posenc.exercises as e\n"
        "e.check = lambda *args, **kwargs: e.Result(args[0], 'passed')"
    ),
    "an attempt that rejects nothing": (
        "from posenc.kit.exercises.attempt import Attempt\n"
        "Attempt.reject = lambda self, *args: None"
    ),
    "allclose that is always true": (
        "import numpy as np\nnp.allclose = np.isclose = np.array_equal = "
        "lambda *args, **kwargs: True"
    ),
    "isinstance that is always true": (
        "import builtins\nbuiltins.isinstance = lambda *args: True"
    ),
    "all that is always true": "import builtins\nbuiltins.all = lambda *args: True",
    "other modules": (
        "import sys, types\nfor name in list(sys.modules):\n"
        "    if 'exercises' in name:\n"
        "        sys.modules[name] = types.ModuleType(name)"
    ),
    "facts that are made up": (
        "import posenc.grading.submission as s\n"
        "s.facts = lambda answer: {'none': False, 'callable': True, 'passed': True}"
    ),
    "outcomes that are made up": (
        "import posenc.grading.submission as s\n"
        "s.of_outcome = lambda outcome: {'status': 'passed', 'points': 2}"
    ),
    "a verdict of its own": (
        "import posenc.exercises as e\n"
        "e._hand_in = lambda name, answer: e.Result(name, 'passed')"
    ),
    "messages on every pipe": (
        "import json, os, struct\n"
        "data = json.dumps({'ended': '', 'passed': True, 'points': 2}).encode()\n"
        "for fd in range(3, 30):\n"
        "    try:\n        os.write(fd, struct.pack('>Q', len(data)) + data)\n"
        "    except OSError:\n        pass"
    ),
    "bytes that are no message": (
        "import os\nfor fd in range(3, 30):\n"
        "    try:\n        os.write(fd, b'x' * 100)\n    except OSError:\n        pass"
    ),
    "another environment": (
        "import os\nos.environ.update(POSENC_PROGRESS='x', PYTHONPATH='/', CI='true')"
    ),
    "the end of Python": (
        "import atexit, json\n"
        "atexit.register(lambda: print(json.dumps({'marks': [], 'points': 99})))"
    ),
    "an import of the oracle": "from posenc.t5.exercises import oracle",
    "the oracle's file, read": (
        f"oracle = {{}}\nexec(open({str(ORACLE)!r}).read(), oracle)" + USE
    ),
    "the oracle's file, found by way of a folder": (
        f"import os\nos.chdir({str(ORACLE.parent)!r})\n"
        "oracle = {}\nexec(open('oracle.py').read(), oracle)" + USE
    ),
    "the oracle's file, linked": (
        f"import os\nos.link({str(ORACLE)!r}, 'mine.py')\n"
        "oracle = {}\nexec(open('mine.py').read(), oracle)" + USE
    ),
    "the oracle's file, imported": (
        "import importlib.util\n"
        f"spec = importlib.util.spec_from_file_location('o', {str(ORACLE)!r})\n"
        "module = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\noracle = vars(module)" + USE
    ),
    "the oracle's file, read by NumPy": (
        "import numpy as np\n"
        f"text = np.fromfile({str(ORACLE)!r}, np.uint8).tobytes()\n"
        "oracle = {}\nexec(text, oracle)" + USE
    ),
    "the oracle's file, read by another program": (
        "import subprocess\noracle = {}\n"
        f"exec(subprocess.check_output(['cat', {str(ORACLE)!r}]), oracle)" + USE
    ),
    "the oracle's file, read by the shell": (
        f"import os\nos.system('cp {ORACLE} mine.py')\n"
        "oracle = {}\nexec(open('mine.py').read(), oracle)" + USE
    ),
    "the oracle's file, read by IPython": (
        f"!cp {ORACLE} mine.py\n"
        "oracle = {}\nexec(open('mine.py').read(), oracle)" + USE
    ),
    "the oracle's file, read by C": (
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        f"file = libc.open({str(ORACLE).encode()!r}, 0)\n"
        "import os\noracle = {}\nexec(os.read(file, 100_000), oracle)" + USE
    ),
    "the oracle among all objects": (
        "import gc\noracle = next(vars(o) for o in gc.get_objects() "
        "if getattr(o, '__name__', '').endswith('exercises.oracle'))" + USE
    ),
    "the oracle in the frames": (
        "import sys\nframe = sys._getframe()\n"
        "while 'oracle' not in frame.f_globals:\n    frame = frame.f_back\n"
        "oracle = vars(frame.f_globals['oracle'])" + USE
    ),
    "the book's function under another name": (
        "from posenc.t5 import bucket_starts as mine\ndef start(b, m):\n"
        "    return mine(bidirectional=False, num_buckets=b, max_distance=m)[-1]"
    ),
    "the book's function in a closure": (
        "import functools, posenc\n"
        "f = functools.partial(posenc.t5.bucket_starts, bidirectional=False)\n"
        "def start(b, m, f=f):\n    return f(num_buckets=b, max_distance=m)[-1]"
    ),
    "a copy of the book's function": (
        "import types, posenc\nf = posenc.t5.bucket_starts\n"
        "g = types.FunctionType(f.__code__, f.__globals__, 'g', f.__defaults__)\n"
        "g.__kwdefaults__ = f.__kwdefaults__\ndef start(b, m):\n"
        "    return g(bidirectional=False, num_buckets=b, max_distance=m)[-1]"
    ),
    "the book's source": (
        "import inspect, posenc\ntext = inspect.getsource(posenc.t5.bucket_starts)\n"
        "space = dict(vars(inspect.getmodule(posenc.t5.bucket_starts)))\n"
        "exec(text, space)\ndef start(b, m):\n"
        "    return space['bucket_starts'](bidirectional=False, num_buckets=b, "
        "max_distance=m)[-1]"
    ),
}

#: Answers themselves.
ANSWERS = {
    "equal to everything": (
        "class Yes:\n    def __eq__(self, other):\n        return True\n"
        "    def __array__(self, *args, **kwargs):\n        return self\n"
        "def start(b, m):\n    return Yes()"
    ),
    "a number equal to everything": (
        "class Yes(int):\n    __eq__ = __le__ = __ge__ = lambda self, other: True\n"
        "    __hash__ = int.__hash__\ndef start(b, m):\n    return Yes(7)"
    ),
    "an array close to everything": (
        "import numpy as np\nclass Yes(np.ndarray):\n"
        "    def __array_function__(self, *args):\n        return True\n"
        "    def __array_ufunc__(self, *args, **kwargs):\n        return True\n"
        "def start(b, m):\n    return np.asarray(7).view(Yes)"
    ),
    "a pickle that runs": (
        "class Bad:\n    def __reduce__(self):\n"
        "        return (exec, ('import os; os._exit(0)',))\n"
        "def start(b, m):\n    return Bad()"
    ),
    "a message instead of a number": (
        "def start(b, m):\n    return {'status': 'passed', 'verdict': ['passed', '']}"
    ),
    "far too much": (
        "import numpy as np\ndef start(b, m):\n    return np.zeros(10**9, np.int8)"
    ),
    "an end of Python": "import os\ndef start(b, m):\n    os._exit(0)",
    "an end of the judge": (
        "import os, signal\ndef start(b, m):\n    os.kill(os.getppid(), signal.SIGKILL)"
    ),
}


def grade(*cells, exercises=(START,), limits=None):
    """Marks of a notebook with these cells."""
    content = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
    return graded(content, exercises, limits or Limits(cell=30, answer=20))


@pytest.mark.parametrize("cheat", WORTHLESS)
def test_a_cheat_earns_nothing_and_costs_nothing(cheat):
    """The wrong answer stays wrong; what was right before the cheat stays right."""
    marks = grade(BY_HAND, WRONG, WORTHLESS[cheat], CHECK, exercises=(START, VALUE))
    assert [mark.points for mark in marks.marks] == [0, 1], marks


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_that_is_none_earns_nothing(answer):
    marks = grade(ANSWERS[answer], CHECK)
    assert [(mark.points, mark.status) for mark in marks.marks] == [(0, "failed")]


#: Exercises that a function of the book's would answer, of the same name.
SHARED = [
    name
    for name in names(graded=True)
    if callable(getattr(getattr(posenc, name.split(".")[0]), name.split(".")[1], None))
]
OURS = "That is our own function: now write yours."
#: Ways to hand in that function, and what is said: {} is its full name.
HANDED_IN = {
    "as it is": ("answer = posenc.{}", OURS),
    "in a partial": ("import functools\nanswer = functools.partial(posenc.{})", OURS),
    "as a bound method": (
        "import types\nanswer = types.MethodType(posenc.{}, 3)",
        OURS,
    ),
    "in a wrapper": (
        "def answer(*args, **kwargs):\n    return posenc.{}(*args, **kwargs)",
        "Your answer calls posenc.{}, a function of the book's.",
    ),
    "by NumPy": (
        "import numpy as np\nanswer = np.vectorize(posenc.{}, otypes=[float])",
        "Your answer calls posenc.{}, a function of the book's.",
    ),
}


@pytest.mark.parametrize("name", SHARED)
def test_the_books_own_function_is_refused_with_a_sentence(name):
    """Each way is the last one once, since what is said of the last one is kept."""
    slug, _, function = name.partition(".")
    cells = [
        f"import posenc\nfrom posenc.exercises import check\n{code.format(name)}\n"
        f"check({name!r}, answer)"
        for code, _ in HANDED_IN.values()
    ]
    imported = f"from posenc.{slug} import {function}\ncheck({name!r}, {function})"
    marks = grade(*cells[:-1], imported, exercises=(name,), limits=Limits(answer=60))
    assert [(m.points, m.status) for m in marks.marks] == [(0, "failed")], marks
    assert marks.marks[0].problem == OURS


@pytest.mark.parametrize("way", HANDED_IN)
def test_each_way_to_hand_it_in_gets_its_sentence(way):
    code, said = HANDED_IN[way]
    cell = f"import posenc\nfrom posenc.exercises import check\n{code.format(BUCKET)}"
    marks = grade(cell, f"check({BUCKET!r}, answer)", exercises=(BUCKET,))
    assert [(m.points, m.status) for m in marks.marks] == [(0, "failed")]
    assert marks.marks[0].problem.startswith(said.format(BUCKET)), marks


def test_replaced_names_fail_the_cell_with_a_sentence():
    marks = grade(HONEST, "import numpy as np\nnp.floor = np.ceil", CHECK)
    assert marks.points == 0
    assert "numpy.floor is no longer what it was" in marks.marks[0].problem


def test_the_files_of_the_judge_are_refused_and_it_is_told():
    marks = grade(WORTHLESS["the oracle's file, read"], CHECK)
    assert "Cell 1: It tried to read the files of the judge." in marks.suspicious


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("import pexpect\npexpect.run('true')", "start another program"),
        ("import subprocess\nsubprocess.run(['true'])", "start another program"),
        ("import httpx\nhttpx.get('http://127.0.0.1:9/')", "reach the network"),
        (
            "import socket\nudp = socket.socket(type=socket.SOCK_DGRAM)\n"
            "udp.sendto(b'1', ('127.0.0.1', 9))",
            "reach the network",
        ),
        (
            "import socket\nudp = socket.socket(type=socket.SOCK_DGRAM)\n"
            "udp.sendmsg([b'1'], [], 0, ('127.0.0.1', 9))",
            "reach the network",
        ),
        ("import socket\nsocket.gethostbyname('localhost')", "reach the network"),
        ("open('/proc/self/mem', 'rb')", "look into the memory of Python"),
    ],
    ids=["pexpect", "subprocess", "httpx", "udp", "message", "name", "memory"],
)
def test_programs_and_the_network_are_refused_through_libraries_too(cell, said):
    marks = grade(cell, HONEST, CHECK)
    assert f"Cell 1: It tried to {said}." in marks.suspicious
    assert [error[:17] for error in marks.errors] == ["Cell 1 ended with"]
    assert marks.points == 2


@pytest.mark.parametrize("place", ["source/t5.ipynb", "gradebook.db", "homework1.csv"])
@pytest.mark.parametrize("mode", ["r", "w"])
def test_the_files_of_a_class_are_refused(place, mode, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / place
    path.parent.mkdir(exist_ok=True)
    path.write_text("the solutions")
    marks = grade(f"open({str(path)!r}, {mode!r})", HONEST, CHECK)
    assert marks.suspicious == ["Cell 1: It tried to read the files of the judge."]
    assert path.read_text() == "the solutions"


@pytest.mark.parametrize(
    "cell",
    [
        "import sqlite3\nsqlite3.connect({0!r} + '/gradebook.db')",
        "import os\nos.mkdir({0!r} + '/source/mine')",
        "import os\nopen('mine', 'w').close()\n"
        "os.rename('mine', {0!r} + '/gradebook.db')",
        "open({0!r} + '/graded/t5.md')",
    ],
    ids=["database", "folder", "renamed", "the checkout where it is graded"],
)
def test_there_is_no_other_way_to_them(cell, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("source", "graded"):
        (tmp_path / name).mkdir()
    for name in ("gradebook.db", "_toc.yml", "graded/t5.md"):
        (tmp_path / name).touch()
    marks = grade(cell.format(str(tmp_path)), HONEST, CHECK)
    assert marks.suspicious == ["Cell 1: It tried to read the files of the judge."]
    assert marks.points == 2


def test_only_a_few_guesses_are_judged():
    guesses = (
        f"for i in range(9):\n    check({VALUE!r}, {VALUES} if i == 8 else [i] * 9)"
    )
    marks = grade("from posenc.exercises import check", guesses, exercises=(VALUE,))
    assert [(m.points, m.status) for m in marks.marks] == [(0, "failed")]


def test_what_it_starts_and_detaches_ends_with_it(tmp_path):
    left = tmp_path / "pid"
    cell = (
        "import os, time\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        f"        open({str(left)!r}, 'w').write(str(os.getpid()))\n"
        "        time.sleep(60)\n    os._exit(0)\n"
        f"while not os.path.exists({str(left)!r}):\n    time.sleep(0.01)"
    )
    marks = grade(cell, HONEST, CHECK)
    assert marks.points == 2
    assert not Path(f"/proc/{left.read_text()}").exists()
    assert os.getpid() != int(left.read_text())


def test_a_cell_that_ends_python_costs_its_own_points_alone():
    marks = grade(
        "import os\nos._exit(1)",
        HONEST,
        CHECK,
        "import os\nos._exit(1)",
        BY_HAND,
        exercises=(START, VALUE),
    )
    assert [mark.status for mark in marks.marks] == ["passed", "passed"]
    assert marks.errors == ["Cell 1 ended Python.", "Cell 4 ended Python."]


def test_a_cell_that_ends_python_only_when_it_runs_again_costs_no_other_points():
    second = (
        "import os\nif os.path.exists('seen'):\n    os._exit(1)\n"
        "open('seen', 'w').close()"
    )
    marks = grade(HONEST, second, "import os\nos._exit(1)", CHECK)
    assert marks.points == 2


def test_a_cell_that_does_not_end_is_interrupted_and_the_next_ones_run():
    loop = "while True:\n    pass"
    marks = grade(loop, HONEST, CHECK, limits=Limits(cell=3, answer=20))
    assert marks.points == 2
    assert "KeyboardInterrupt" in marks.errors[0]


def test_an_answer_that_does_not_end_costs_its_points():
    cells = ["def start(b, m):\n    while True:\n        pass", CHECK]
    marks = grade(*cells, limits=Limits(cell=30, answer=2))
    assert marks.marks[0].status == "failed"
    assert "2 s" in marks.marks[0].problem
