"""Cheats earn exactly what they would have earned without cheating."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from answer_sources import right_answers

import posenc
from posenc.core.chapters import PACKAGE
from posenc.exercises import names
from posenc.grading.grader import graded
from posenc.grading.grades import Grades, Limits
from posenc.grading.landlock import NO_LANDLOCK, is_available

pytestmark = pytest.mark.slow

START, VALUE, BUCKET = (
    "t5.last_bucket_start",
    "t5.buckets_by_hand",
    "t5.relative_position_bucket",
)
ORACLE = str(PACKAGE / "t5/exercises/oracle.py")
PARENT = str(PACKAGE / "t5/exercises")

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
VALUES = right_answers(VALUE)[0]
BY_HAND = f"from posenc.exercises import check\ncheck({VALUE!r}, {VALUES})"
#: The oracle as a source of answers, once its text or module is there.
USE = (
    "\ndef start(b, m):\n"
    "    return oracle['bucket_starts'](oracle['Setting'](False, b, m))[-1]\n"
)


def answer_by(function):
    """Return code of an answer that calls posenc's function by another name."""
    call = f"{function}(bidirectional=False, num_buckets=b, max_distance=m)[-1]"
    return f"\ndef start(b, m):\n    return {call}"


def answer_of_text(code):
    """Return code of an answer by the oracle, whose text is `text` or in mine.py."""
    text = "\ntext = open('mine.py').read()" if "mine.py" in code else ""
    return f"{code}{text}\noracle = {{}}\nexec(text, oracle){USE}"


#: A copy of a function of posenc's whose code is `code`.
COPY = (
    "\ng = types.FunctionType(code, vars(posenc.t5.buckets), 'g', f.__defaults__)\n"
    "g.__kwdefaults__ = f.__kwdefaults__"
) + answer_by("g")
#: Another program, started in a way that Python does not report.
SPAWN = (
    "from multiprocessing import util\nutil.spawnv_passfds("
    f"b'/bin/cp', [b'cp', {os.fsencode(ORACLE)!r}, b'mine.py'], [])\nos.wait()"
)
#: Ways to the text of the oracle.
READ = {
    "read": f"text = open({ORACLE!r}).read()",
    "found by way of a folder": (
        f"import os\nos.chdir({PARENT!r})\ntext = open('oracle.py').read()"
    ),
    "linked": f"import os\nos.link({ORACLE!r}, 'mine.py')",
    "read by NumPy": (
        f"import numpy as np\ntext = np.fromfile({ORACLE!r}, np.uint8).tobytes()"
    ),
    "read by another program": (
        f"import subprocess\ntext = subprocess.check_output(['cat', {ORACLE!r}])"
    ),
    "read by the shell": f"import os\nos.system('cp {ORACLE} mine.py')",
    "read by IPython": f"!cp {ORACLE} mine.py\n",
    "read by C": (
        "import ctypes, os\n"
        f"file = ctypes.CDLL(None).open({os.fsencode(ORACLE)!r}, 0)\n"
        "text = os.read(file, 100_000)"
    ),
    "named by its place in a folder": (
        "import os\nfolder = os.open('/tmp', os.O_RDONLY)\n"
        f"file = os.open('..' + {ORACLE!r}, os.O_RDONLY, dir_fd=folder)\n"
        "text = os.read(file, 100_000)"
    ),
    "after names are decoded otherwise": (
        "import os\nkept = os.fsdecode\nos.fsdecode = lambda name: 'x'\n"
        f"file = open({ORACLE!r})\nos.fsdecode = kept\ntext = file.read()"
    ),
    "after links are followed otherwise": (
        "import posixpath\nkept = posixpath._joinrealpath\n"
        "posixpath._joinrealpath = lambda *args: ('/x', True)\n"
        f"file = open({ORACLE!r})\nposixpath._joinrealpath = kept\ntext = file.read()"
    ),
    "after nothing is text": (
        "import builtins\nkept = isinstance\nbuiltins.isinstance = lambda *a: False\n"
        f"try:\n    file = open({ORACLE!r})\n"
        "finally:\n    builtins.isinstance = kept\ntext = file.read()"
    ),
    "copied by code that says it is Python's": (
        f"code = compile('import os; os.system(\"cp {ORACLE} mine.py\")', "
        "'<frozen importlib>', 'exec')\nexec(code)"
    ),
    "copied by code that was changed to say so": (
        f"import os\ndef copy():\n    os.system('cp {ORACLE} mine.py')\n"
        "code = copy.__code__\n"
        "copy.__code__ = code.replace(co_filename='<frozen importlib>')\ncopy()"
    ),
    "copied by a file of its own": (
        f"text = 'import os; os.system(\"cp {ORACLE} mine.py\")'\n"
        "open('copied.py', 'w').write(text)\nimport sys\n"
        "sys.path.insert(0, '')\nimport copied"
    ),
    "read by a program that a library starts": f"import os\n{SPAWN}",
    "read by a program that a fresh module starts": (
        "import importlib.util, os, sys\nkept = sys.modules.pop('_posixsubprocess')\n"
        f"import _posixsubprocess as fresh\n{SPAWN}"
    ),
    "read by a spawned program": (
        f"import os\nos.posix_spawn('/bin/cp', ['cp', {ORACLE!r}, 'mine.py'], {{}})\n"
        "os.wait()"
    ),
    "read by a child that becomes another program": (
        "import os\nif os.fork() == 0:\n"
        f"    os.execv('/bin/cp', ['cp', {ORACLE!r}, 'mine.py'])\nos.wait()"
    ),
    "mapped into memory": (
        f"import mmap, os\nfile = os.open({ORACLE!r}, os.O_RDONLY)\n"
        "text = mmap.mmap(file, 0, prot=mmap.PROT_READ)[:]"
    ),
    "read by another interpreter": (
        "try:\n    import _interpreters as others\n"
        "except ImportError:\n    import _xxsubinterpreters as others\n"
        f"read = \"open('mine.py', 'w').write(open({ORACLE!r}).read())\"\n"
        "others.run_string(others.create(), read)"
    ),
    "read as the history of a shell": (
        f"import readline\nreadline.read_history_file({ORACLE!r})\n"
        "count = readline.get_current_history_length()\n"
        "lines = [readline.get_history_item(n + 1) for n in range(count)]\n"
        "text = '\\n'.join(lines)"
    ),
    "read by torch": (
        f"import torch\ntext = torch.from_file({ORACLE!r}, "
        f"size={Path(ORACLE).stat().st_size}, dtype=torch.uint8).numpy().tobytes()"
    ),
}
#: Cells, each after the last; the wrong answer and the check follow.
WORTHLESS = {f"the oracle's file, {way}": answer_of_text(READ[way]) for way in READ} | {
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
        "import posenc.grading.worker as s\n"
        "s.facts_of = lambda answer, replaced: s.Facts(\n"
        "    none=False, callable=True, ours=False, name='', type='', replaced=[])"
    ),
    "outcomes that are made up": (
        "import posenc.grading.worker as s\n"
        "s.encode_outcome = lambda outcome: {'status': 'passed', 'points': 2}"
    ),
    "a verdict of its own": (
        "import posenc.exercises as e\n"
        "e._submit = lambda name, answer: e.Result(name, 'passed')"
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
        "atexit.register(lambda: print(json.dumps({'grades': [], 'points': 99})))"
    ),
    "an import of the oracle": "from posenc.t5.exercises import oracle",
    "the oracle's file, imported": (
        "import importlib.util\n"
        f"spec = importlib.util.spec_from_file_location('o', {ORACLE!r})\n"
        "module = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(module)\noracle = vars(module)" + USE
    ),
    "the oracle's file, found among the loaders": (
        "import sys\nfrom importlib.machinery import SourceFileLoader\n"
        f"oracle = vars(SourceFileLoader('o', {ORACLE!r}).load_module())" + USE
    ),
    "the oracle's file, read while it is asked": (
        f"def start(b, m):\n    oracle = {{}}\n"
        f"    exec(open({ORACLE!r}).read(), oracle)\n"
        "    return oracle['bucket_starts'](oracle['Setting'](False, b, m))[-1]"
    ),
    "an end of the grader": (
        "import os, signal\n"
        "signal.pidfd_send_signal(os.pidfd_open(os.getppid()), signal.SIGKILL)"
    ),
    "another memory of Python": (
        "import ctypes\n"
        "ctypes.memmove(id(1), ctypes.c_char_p(bytes(8)), 0)\n"
        "ctypes.pythonapi.PyRun_SimpleString(b'')"
    ),
    "other modules instead of the grader's": (
        "import sys, types\nfor name in list(sys.modules):\n"
        "    if name.startswith('posenc.'):\n"
        "        kept = sys.modules[name]\n"
        "        sys.modules[name] = types.SimpleNamespace(**vars(kept))"
    ),
    "a cell's own messages to the grader": (
        "import json, os, struct\n"
        "for words in ({'outcome': {'status': 'value', 'value': True}}, "
        "{'ended': '', 'flags': []}, {'submitted': 't5.last_bucket_start', 'facts': "
        "{'callable': True}}):\n"
        "    data = json.dumps(words).encode()\n"
        "    for fd in range(3, 30):\n"
        "        try:\n            os.write(fd, struct.pack('>Q', len(data)) + data)\n"
        "        except OSError:\n            pass"
    ),
    "another gate for the book's functions": (
        "import contextlib, posenc\nfrom posenc.grading import worker\n"
        "worker.ApiBlocker = lambda allowed: contextlib.nullcontext()"
        + answer_by("posenc.t5.bucket_starts")
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
        "from posenc.t5 import bucket_starts as mine" + answer_by("mine")
    ),
    "the book's function in a closure": (
        "import functools, posenc\n"
        "f = functools.partial(posenc.t5.bucket_starts, bidirectional=False)\n"
        "def start(b, m, f=f):\n    return f(num_buckets=b, max_distance=m)[-1]"
    ),
    "a copy of the book's function": (
        "import types, posenc\nf = posenc.t5.bucket_starts\ncode = f.__code__" + COPY
    ),
    "a copy of the book's function, which says it is another's": (
        "import types, posenc\nf = posenc.t5.bucket_starts\nf.__module__ = 'mine'\n"
        "code = f.__code__" + COPY
    ),
    "a copy of the book's function, had from an error": (
        "import types, posenc\nf = posenc.t5.bucket_starts\n"
        "try:\n    f(num_buckets='many')\nexcept Exception as error:\n"
        "    trace = error.__traceback__.tb_next\n"
        "    code = trace.tb_frame.f_code" + COPY
    ),
    "a copy of the book's function, had by another name": (
        "import operator, types, posenc\nf = posenc.t5.bucket_starts\n"
        "code = operator.attrgetter('__code' + '__')(f)" + COPY
    ),
    "the book's source": (
        "import inspect, posenc\ntext = inspect.getsource(posenc.t5.bucket_starts)\n"
        "space = dict(vars(inspect.getmodule(posenc.t5.bucket_starts)))\n"
        "exec(text, space)" + answer_by("space['bucket_starts']")
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
    "an end of the grader": (
        "import os, signal\ndef start(b, m):\n    os.kill(os.getppid(), signal.SIGKILL)"
    ),
}


def grade(*cells, exercises=(START,), limits=None, forbidden=()):
    """Grade a notebook with these cells."""
    content = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
    return graded(content, exercises, limits or Limits(cell=30, answer=20), forbidden)


@pytest.mark.parametrize("cheat", WORTHLESS)
def test_a_cheat_earns_nothing_and_costs_nothing(cheat):
    """The wrong answer stays wrong; what was right before the cheat stays right."""
    marks = grade(BY_HAND, WRONG, WORTHLESS[cheat], CHECK, exercises=(START, VALUE))
    assert [mark.points for mark in marks.grades] == [0, 1], marks


def test_the_oracle_would_earn_points_if_it_could_be_read(tmp_path):
    """The cheats above are worthless because they are refused, and not for mistakes."""
    copy = shutil.copyfile(ORACLE, tmp_path / "copy.py")
    read = answer_of_text(f"text = open({str(copy)!r}).read()")
    assert grade(read, CHECK).points == 2


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_that_is_none_earns_nothing(answer):
    marks = grade(ANSWERS[answer], CHECK)
    assert [(mark.points, mark.status) for mark in marks.grades] == [(0, "failed")]


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
    assert [(m.points, m.status) for m in marks.grades] == [(0, "failed")], marks
    assert marks.grades[0].problem == OURS


@pytest.mark.parametrize("way", HANDED_IN)
def test_each_way_to_hand_it_in_gets_its_sentence(way):
    code, said = HANDED_IN[way]
    cell = f"import posenc\nfrom posenc.exercises import check\n{code.format(BUCKET)}"
    marks = grade(cell, f"check({BUCKET!r}, answer)", exercises=(BUCKET,))
    assert [(m.points, m.status) for m in marks.grades] == [(0, "failed")]
    assert marks.grades[0].problem.startswith(said.format(BUCKET)), marks


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
        (
            "import os, signal\n"
            "signal.pidfd_send_signal(os.pidfd_open(os.getppid()), 0)",
            "send a signal to a process",
        ),
        (
            "import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_CPU)",
            "change the limits of a process",
        ),
        (
            "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))",
            "change the limits of a process",
        ),
        (
            "from posenc.grading.system_calls import prctl\nprctl(36, 0)",
            "look into the memory of Python",
        ),
    ],
    ids=[
        *("pexpect", "subprocess", "httpx", "udp", "message", "name", "memory"),
        *("pidfd", "limit", "own limit", "prctl"),
    ],
)
def test_programs_network_and_grader_are_out_of_reach(cell, said):
    marks = grade(cell, HONEST, CHECK)
    assert f"Cell 1: It tried to {said}." in marks.suspicious
    assert [error[:17] for error in marks.errors] == ["Cell 1 ended with"]
    assert marks.points == 2


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("open({!r} + '/x', 'w')", "write outside its own folder"),
        ("import os\nos.mkdir({!r} + '/x')", "write outside its own folder"),
        (
            "import numpy as np\nnp.save({!r} + '/x', [1])",
            "write outside its own folder",
        ),
        (
            "import sqlite3\nsqlite3.connect('file:' + {!r} + '/x', uri=True)",
            "open a database",
        ),
    ],
    ids=["file", "folder", "array", "database"],
)
def test_nothing_is_written_elsewhere(cell, said, monkeypatch, tmp_path):
    """Python's libraries, say, or the files that a shell reads when it starts."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    cache = Path(__file__).parents[2] / ".pytest_cache"  # no folder for temporary files
    cache.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as place:
        marks = grade(cell.format(place), HONEST, CHECK)
        assert list(Path(place).iterdir()) == []
    assert marks.suspicious == [f"Cell 1: It tried to {said}."]
    assert marks.points == 2


@pytest.mark.parametrize("place", ["another sandbox", "a folder of notebooks"])
def test_the_work_of_others_is_refused(place, tmp_path):
    with tempfile.TemporaryDirectory(prefix="posenc-") as sandbox:
        is_sandbox = place == "another sandbox"
        other = (Path(sandbox) if is_sandbox else tmp_path) / "ada.ipynb"
        other.write_text(HONEST)
        forbidden = () if is_sandbox else [str(tmp_path)]
        cell = f"exec(open({str(other)!r}).read())"
        marks = grade(cell, CHECK, forbidden=forbidden)
    assert marks.suspicious == ["Cell 1: It tried to read the files of the grader."]
    assert marks.points == 0


@pytest.mark.parametrize(
    "cell",
    [
        *(
            f"open({{0!r}} + '/{place}', {mode!r})"
            for place in ("source/t5.ipynb", "gradebook.db", "homework1.csv")
            for mode in "rw"
        ),
        "import sqlite3\nsqlite3.connect({0!r} + '/gradebook.db')",
        "import os\nos.mkdir({0!r} + '/source/mine')",
        "import os\nopen('mine', 'w').close()\n"
        "os.rename('mine', {0!r} + '/gradebook.db')",
        "open({0!r} + '/graded/t5.md')",
        "import os\nos.listdir({0!r} + '/dist')",
    ],
)
def test_the_files_of_a_class_and_of_a_checkout_are_refused(
    cell, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for name in ("source", "graded", "dist"):
        (tmp_path / name).mkdir()
    files = ("source/t5.ipynb", "gradebook.db", "homework1.csv", "graded/t5.md")
    for name in (*files, "_toc.yml"):
        (tmp_path / name).write_text("the solutions")
    marks = grade(cell.format(str(tmp_path)), HONEST, CHECK)
    assert marks.suspicious == ["Cell 1: It tried to read the files of the grader."]
    assert {(tmp_path / name).read_text() for name in files} == {"the solutions"}
    assert marks.points == 2


#: A function that asks the book, and an answer that asks that function.
SERVE = (
    "import json, os, posenc\nask, asked = os.pipe()\nread, told = os.pipe()\n"
    "def work():\n    while True:\n        b, m = json.loads(os.read(ask, 99))\n"
    "        n = posenc.t5.bucket_starts(\n"
    "            bidirectional=False, num_buckets=b, max_distance=m)[-1]\n"
    "        os.write(told, str(n).encode())\n"
)
REQUEST = (
    "\ndef start(b, m):\n    os.write(asked, json.dumps([int(b), int(m)]).encode())\n"
    "    return int(os.read(read, 99))"
)
#: Answers that the book gave before they were asked for.
ASKED_BEFORE = {
    "a table": (
        "import posenc\nf = posenc.t5.bucket_starts\n"
        "known = {(b, m): f(bidirectional=False, num_buckets=b, max_distance=m)[-1]\n"
        "         for b in (8, 16, 32) for m in (64, 128)}\n"
        "def start(b, m):\n    return known.get((b, m), 7)"
    ),
    "a thread": (
        f"{SERVE}import threading\n"
        f"threading.Thread(target=work, daemon=True).start(){REQUEST}"
    ),
    "a second copy": (
        "import sys, importlib\n"
        "names = [n for n in sys.modules if 'posenc.t5' in n]\n"
        "kept = {n: sys.modules.pop(n) for n in names}\n"
        "copy = importlib.import_module('posenc.t5').bucket_starts\n"
        "sys.modules.update(kept)\nsetattr(sys.modules['posenc'], 't5', "
        "kept['posenc.t5'])\n"
        "first = copy(bidirectional=False, num_buckets=8, max_distance=64)"
        + answer_by("copy")
    ),
}


@pytest.mark.parametrize("way", ASKED_BEFORE)
def test_who_asks_the_book_beforehand_is_reported(way):
    marks = grade(ASKED_BEFORE[way], CHECK)
    assert "It called posenc.t5.bucket_starts" in "\n".join(marks.suspicious), marks


IMPORT = "from posenc.exercises import check"
END = "import os\nos._exit(1)"
LOOP = "while True:\n    pass"
FILES = "It tried to read the files of the grader."
FIVE_WRONG = [f"def start(b, m):\n    return {n}\n{CHECK}" for n in range(5)]
#: Cells, the points that they earn, and words that are said of them.
CELLS = {
    "an expression far too deep": (
        [f"{IMPORT}\ncheck({START!r}, {'-' * 1500}1)", BY_HAND],
        [0, 1],
    ),
    "a signal that posenc would send": (
        [
            "from posenc.kit.exercises.executor import kill_group\n"
            "kill_group(2**22 + 1)",
            HONEST,
            CHECK,
        ],
        [2],
        "Cell 1: It tried to send a signal to a process.",
    ),
    "a name that is replaced": (
        [HONEST, "import numpy as np\nnp.floor = np.ceil", CHECK],
        [0],
        "numpy.floor is no longer what it was",
    ),
    "files of the grader": (
        [WORTHLESS["the oracle's file, read"], CHECK],
        [0],
        f"Cell 1: {FILES}",
    ),
    "files of the grader, while an answer is asked": (
        [WORTHLESS["the oracle's file, read while it is asked"], CHECK],
        [0],
        f"Cell 2: {FILES}",
    ),
    "a look at the book in another cell": (
        ["import posenc\nposenc.t5.bucket_starts(bidirectional=False)", HONEST, CHECK],
        [2],
    ),
    "guesses": (
        [
            IMPORT,
            f"for i in range(9):\n"
            f"    check({VALUE!r}, {VALUES} if i == 8 else [i] * 9)",
        ],
        [0, 0],
        "More than 5 answers were checked",
    ),
    "five answers, the last of them right": (
        [*FIVE_WRONG[:4], f"{HONEST}\n{CHECK}"],
        [2],
    ),
    "six answers, the last of them right": (
        [*FIVE_WRONG, f"{HONEST}\n{CHECK}"],
        [0],
        "More than 5 answers were checked",
    ),
    "two ends of Python": (
        [END, HONEST, CHECK, END, BY_HAND],
        [2, 1],
        "Cell 1 ended Python.",
        "Cell 4 ended Python.",
    ),
    "an end of Python when cells run again": (
        [
            HONEST,
            "import os\nif os.path.exists('seen'):\n    os._exit(1)\n"
            "open('seen', 'w').close()",
            END,
            CHECK,
        ],
        [2],
        "Cell 3 ended Python.",
    ),
    "a cell that does not end": (
        [LOOP, HONEST, CHECK],
        [2],
        "Cell 1 ended with an interrupt, since it ran for more than 3 seconds",
    ),
    "an answer that does not end": (
        [f"def start(b, m):\n    {LOOP.replace(chr(10), chr(10) + '    ')}", CHECK],
        [0],
        "2 s",
    ),
}
LIMITS = {
    "a cell that does not end": Limits(cell=3, answer=20),
    "an answer that does not end": Limits(cell=30, answer=2),
}


@pytest.mark.parametrize("what", CELLS)
def test_cells_cost_their_own_points_alone(what):
    cells, points, *told = CELLS[what]
    exercises = (START, VALUE)[: len(points)]
    marks = grade(*cells, exercises=exercises, limits=LIMITS.get(what))
    assert [mark.points for mark in marks.grades] == points, marks
    words = [*marks.suspicious, *marks.errors, *(m.problem for m in marks.grades)]
    for one in told:
        assert any(one in said for said in words), marks
    if not told:
        assert marks.suspicious == []


def test_cells_that_run_again_begin_no_later_than_the_notebook_may():
    """Quick at first, they take their time behind a cell that ended Python."""
    slow = (
        "import os, time\nif os.path.exists('ended'):\n    time.sleep(1.5)\n"
        "assert not os.path.exists('last')"
    )
    end = "import os\nopen('ended', 'w').close()\nos._exit(1)"
    last = "open('last', 'w').close()"
    limits = Limits(cell=30, answer=20, notebook=4)
    marks = grade(*[slow] * 8, end, last, limits=limits)
    assert marks.seconds < 9
    assert "From cell 10 on nothing was run" in marks.errors[-1]


@pytest.mark.skipif(not is_available(), reason="this kernel has no Landlock")
def test_what_the_class_handed_in_to_nbgrader_is_out_of_reach(tmp_path):
    """The grading account may read the exchange, a submission must not."""
    nbgrader = pytest.importorskip("posenc.grading.nbgrader")
    from nbformat.v4 import new_code_cell, new_notebook
    from traitlets.config import Config

    others = tmp_path / "exchange" / "course" / "inbound" / "bob.txt"
    others.parent.mkdir(parents=True)
    others.write_text(HONEST)
    theirs = f"exec(open({str(others)!r}).read())\n{CHECK}"
    notebook = new_notebook(cells=[new_code_cell(theirs)])
    notebook.metadata["posenc"] = {"exercises": {START: "start"}}
    for exchange, points in ((tmp_path / "exchange", 0), (tmp_path / "other", 2)):
        grader = nbgrader.Grader(config=Config({"Exchange": {"root": str(exchange)}}))
        seen = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                nbgrader,
                "graded",
                lambda *a, s=seen, **k: s.append(graded(*a, **k)) or s[0],
            )
            grader.preprocess(notebook.copy(), {})
        assert seen[0].points == points, seen


def test_nbgrader_says_if_submissions_are_not_shut_in(monkeypatch):
    nbgrader = pytest.importorskip("posenc.grading.nbgrader")
    from nbformat.v4 import new_notebook

    monkeypatch.setattr(nbgrader, "graded", lambda *_, **__: Grades([]))
    said = []
    for there in (True, False):
        grader = nbgrader.Grader()
        monkeypatch.setattr(nbgrader, "is_available", lambda there=there: there)
        monkeypatch.setattr(grader.log, "warning", lambda *words: said.append(words))
        grader.preprocess(new_notebook(), {})
    assert said == [("%s", NO_LANDLOCK)]


#: Ways to let the book answer that a teacher is told of: a copy of its text would do.
TOLD = {
    "its code, among what it refers to": (
        "import gc, types, posenc\nf = posenc.t5.bucket_starts\n"
        "code = [o for o in gc.get_referents(f) if isinstance(o, types.CodeType)][0]"
        + COPY
    ),
    "its code, seen by a tracer": (
        "import sys, types, posenc\nf, seen = posenc.t5.bucket_starts, []\n"
        "sys.settrace(lambda frame, *_: seen.append(getattr(frame, 'f_' + 'code')))\n"
        "f()\nsys.settrace(None)\ndef start(b, m):\n    return seen[0].co_argcount"
    ),
    "a gate that is open, and facts that say it is not": (
        "import contextlib, sys, posenc\nmodule = sys.modules.get\n"
        "module('posenc.grading.worker').ApiBlocker = "
        "lambda allowed: contextlib.nullcontext()\n"
        "module('posenc.grading.globals_snapshot').GlobalsSnapshot.replaced = list"
        + answer_by("posenc.t5.bucket_starts")
    ),
    "a gate that is opened from inside": (
        "import sys, posenc\nframe = getattr(sys, '_get' + 'frame')\n"
        "def start(b, m):\n    at = frame()\n"
        "    while 'prepare' not in at.f_locals:\n"
        "        at = getattr(at, 'f_' + 'back')\n"
        "    at.f_locals['prepare'].args[0].__exit__()\n"
        "    return posenc.t5.bucket_starts(\n"
        "        bidirectional=False, num_buckets=b, max_distance=m)[-1]"
    ),
    "a child that asks it": (
        f"{SERVE}if getattr(os, 'fo' + 'rk')() == 0:\n    work(){REQUEST}"
    ),
    "a thread that nobody watches": (
        f"{SERVE}import threading\n"
        f"getattr(threading, '_start_' + 'new_thread')(work, ()){REQUEST}"
    ),
    "a pickle of all its code": (
        "import cloudpickle, posenc\n"
        "cloudpickle.register_pickle_by_value(posenc)\n"
        "g = cloudpickle.loads(cloudpickle.dumps(posenc.t5.bucket_starts))"
        + answer_by("g")
    ),
}


@pytest.mark.parametrize("way", TOLD)
def test_who_lets_the_book_answer_is_reported(way):
    marks = grade(BY_HAND, TOLD[way], CHECK, exercises=(START, VALUE))
    assert marks.suspicious, marks
    assert marks.grades[1].points == 1
