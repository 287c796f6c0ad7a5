"""Odd but honest styles earn their points."""

import pytest
from answer_sources import right_answers

from posenc.grading.grader import run_cell
from posenc.grading.grades import Grades, Limits
from posenc.grading.notebook_cells import Cell, parse_notebook
from posenc.grading.sandbox import build_sandbox
from posenc.grading.session import GradingSession
from posenc.grading.worker_client import Sandbox, WorkerClient

LIMITS = Limits(answer=60)

START, VALUE = "t5.last_bucket_start", "t5.buckets_by_hand"
VALUES = right_answers(VALUE)[0]
FIRST = """
import math
from fractions import Fraction
import numpy as np
from posenc.exercises import check
"""
LOOP = """    e = b // 2
    n = e
    while n ** (b - e) < m ** (b - e - 1) * e:
        n += 1
    return n
"""
START_IT = f"def start(b, m):\n{LOOP}"
G = f"def g(b, m):\n{LOOP}\n"
CALLS_G = f"    return g(b, m)\ncheck({START!r}, start)"
ASK = f"check({START!r}, start)"
BOTH = f"{START_IT}\n{ASK}"

#: Cells of one notebook each; all of them answer the exercise.
STYLES = {
    "a function": [BOTH],
    "a lambda": [
        f"check({START!r}, lambda b, m: next(n for n in range(b // 2, m + 1) "
        "if n ** (b - b // 2) >= m ** (b - b // 2 - 1) * (b // 2)))"
    ],
    "an object": [
        f"class S:\n    def __call__(self, b, m):\n        return g(b, m)\n"
        f"def g(b, m):\n{LOOP}\ncheck({START!r}, S())"
    ],
    "a bound method": [
        f"def g(b, m):\n{LOOP}\nclass S:\n    def f(self, b, m):\n"
        f"        return g(b, m)\ncheck({START!r}, S().f)"
    ],
    "partial": [
        f"import functools\ndef g(x, b, m):\n{LOOP}\n"
        f"check({START!r}, functools.partial(g, None))"
    ],
    "a cache": [f"import functools\n@functools.cache\n{START_IT}\n{ASK}"],
    "a decorator": [
        "import functools\ndef loud(f):\n    @functools.wraps(f)\n"
        "    def g(*a):\n        return f(*a)\n    return g\n"
        f"@loud\n{START_IT}\n{ASK}"
    ],
    "recursion": [
        "def up(n, b, m):\n    e = b // 2\n"
        "    return n if n ** (b - e) >= m ** (b - e - 1) * e else up(n + 1, b, m)\n"
        f"import sys\nsys.setrecursionlimit(20_000)\n"
        f"def start(b, m):\n    return up(b // 2, b, m)\n{ASK}"
    ],
    "a number of NumPy's": [
        f"def g(b, m):\n{LOOP}\ndef start(b, m):\n    return np.int64(g(b, m))\n{ASK}"
    ],
    "an array without axes": [
        f"def g(b, m):\n{LOOP}\ndef start(b, m):\n    return np.array(g(b, m))\n{ASK}"
    ],
    "printing": [f"{G}def start(b, m):\n    print('try', b, m)\n{CALLS_G}"],
    "warnings": [
        f"import warnings\n{G}def start(b, m):\n    warnings.warn('slow')\n{CALLS_G}"
    ],
    "a global name": [
        f"SEEN = 0\n{G}def start(b, m):\n    global SEEN\n    SEEN = b\n{CALLS_G}"
    ],
    "an assertion behind it": [f"{START_IT}\nassert check({START!r}, start)"],
    "a result that is shown": [
        f"from IPython.display import display\n{START_IT}\n"
        f"display(check({START!r}, start))"
    ],
    "keywords": [f"{START_IT}\ncheck(name={START!r}, answer=start)"],
    "a seed and a time": [f"{START_IT}\ncheck({START!r}, start, seed=3, time_limit=2)"],
    "another name for check": [
        f"from posenc.exercises import check as c\n{START_IT}\nc({START!r}, start)"
    ],
    "the module's check": [
        f"import posenc.exercises as ex\n{START_IT}\nex.check({START!r}, start)"
    ],
    "posenc's check": [
        f"import posenc\nimport posenc.exercises\n{START_IT}\n"
        f"posenc.exercises.check({START!r}, start)"
    ],
    "a loop over answers": [
        f"{START_IT}\nfor name, f in {{{START!r}: start}}.items():\n    check(name, f)"
    ],
    "a function that checks": [
        f"{START_IT}\ndef test(f):\n    return check({START!r}, f)\ntest(start)"
    ],
    "a name of their own that is check": [f"check = 5\n{START_IT}", ASK],
    "a name of their own that is answer": [f"answer = None\n{BOTH}"],
    "a name of their own that is print": [f"print = None\n{BOTH}"],
    "a name of their own that is list": [f"list = [1]\nmax = 3\nsum = 2\n{BOTH}"],
    "a name of their own that is np": [f"np = 'numbers please'\nposenc = 1\n{BOTH}"],
    "a wrong try before": [f"def start(b, m):\n    return 7\n{ASK}", BOTH],
    "a wrong try behind": [BOTH, f"def start(b, m):\n    return 7\n{ASK}"],
    "the stub left behind": [
        BOTH,
        f"def start(b, m):\n    raise NotImplementedError\n{ASK}",
    ],
    "an error in the cell before": ["1 / 0", BOTH],
    "a syntax error elsewhere": ["def f(:\n", BOTH],
    "an import that fails elsewhere": ["import a_package_that_nobody_has", BOTH],
    "an error in the check's own cell": [START_IT, f"undefined_name\n{ASK}"],
    "a magic": ["%matplotlib inline", BOTH],
    "a timed cell": [f"%%time\n{BOTH}"],
    "a timed line": [f"{START_IT}\n%timeit -n 1 -r 1 start(8, 20)\n{ASK}"],
    "a shell command": ["!ls", BOTH],
    "help": ["np.sum?", BOTH],
    "semicolons": [f"{START_IT}\n{ASK};"],
    "a picture": [
        f"import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n{BOTH}"
    ],
    "settings of NumPy": [
        f"np.set_printoptions(precision=2)\nnp.seterr(all='ignore')\n{BOTH}"
    ],
    "filters of warnings": [
        f"import warnings\nwarnings.filterwarnings('ignore')\n{BOTH}"
    ],
    "a file of functions": [
        f"%%writefile helpers.py\n{START_IT}",
        f"from helpers import start\n{ASK}",
    ],
    "settings that reload files": [f"%load_ext autoreload\n%autoreload 2\n{BOTH}"],
    "the book, loaded again": [
        f"import importlib, posenc.t5\nimportlib.reload(posenc.t5)\n{BOTH}"
    ],
    "a folder that is soon gone": [
        "import pathlib, tempfile\nwith tempfile.TemporaryDirectory() as folder:\n"
        "    (pathlib.Path(folder) / 'a' / 'b').mkdir(parents=True)\n"
        f"    (pathlib.Path(folder) / 'a' / 'b' / 'x').write_text('1')\n{BOTH}"
    ],
    "a vectorized function": [f"@np.vectorize\n{START_IT}\n{ASK}"],
    "what runs as the main program": [
        f"{START_IT}\nif __name__ == '__main__':\n    {ASK}"
    ],
    "a coroutine": [f"{START_IT}\nasync def main():\n    return {ASK}\nawait main()"],
    "the last value": [f"{START_IT}\nstart", f"check({START!r}, _)"],
    "another alphabet": [f"def начало(b, m):\n{LOOP}\ncheck({START!r}, начало)"],
    "output that is kept": [f"%%capture out\n{BOTH}"],
    "files": [f"open('notes.txt', 'w').write('3')\nopen('notes.txt').read()\n{BOTH}"],
    "another folder": [f"import os\nos.makedirs('work')\nos.chdir('work')\n{BOTH}"],
    "await": [f"import asyncio\nawait asyncio.sleep(0)\n{BOTH}"],
    "stars": [f"from math import *\nfrom numpy import *\n{BOTH}"],
    "input that nobody gives": ["input('Your name? ')", BOTH],
    "an exit in a cell before": ["exit()", BOTH],
    "the book's functions, to compare": [
        f"import posenc\nposenc.t5.bucket_starts(num_buckets=8)\n{BOTH}"
    ],
    "the source of the book's functions, to read": [
        f"import posenc\nfrom posenc.pages.display import Source\n"
        f"Source(posenc.t5.bucket_starts)\n{BOTH}"
    ],
    "help on the book's functions": [
        f"import posenc\nhelp(posenc.t5.bucket_starts)\n{BOTH}"
    ],
    "help on the book's functions, by IPython": [
        "import posenc",
        "posenc.t5.bucket_starts?",
        BOTH,
    ],
    "the book's words on an error": [
        "import posenc, traceback\n"
        "try:\n    posenc.t5.bucket_starts(num_buckets='many')\n"
        "except TypeError:\n    traceback.print_exc()",
        BOTH,
    ],
    "a temporary file": [
        "import tempfile\nwith tempfile.NamedTemporaryFile('w') as file:\n"
        f"    file.write('3')\n{BOTH}"
    ],
    "threads that wait for each other": [
        "import threading\n"
        f"{G}def start(b, m):\n    found = []\n"
        "    t = threading.Thread(target=lambda: found.append(g(b, m)))\n"
        f"    t.start()\n    t.join()\n    return found[0]\n{ASK}"
    ],
    "an array in a file": [
        f"np.save('a.npy', [1, 2])\nnp.load('a.npy', mmap_mode='r')\n{BOTH}"
    ],
    "Windows' line ends": [BOTH.replace("\n", "\r\n")],
}
#: Values in other clothes.
VALUE_STYLES = {
    "a list": f"{VALUES}",
    "a tuple": f"tuple({VALUES})",
    "an array": f"np.array({VALUES})",
    "NumPy's numbers": f"[np.int32(v) for v in {VALUES}]",
    "a map": f"list(map(int, {VALUES}))",
}


#: Honest, but reported to the teacher.
REPORTED = {"a shell command", "the book's functions, to compare"} | {
    "an import that fails elsewhere",
    "a file of functions",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the submissions run, one after the other."""
    folder = tmp_path_factory.mktemp("sandbox")
    build_sandbox(folder)
    return folder


class OneRun:
    """A process for all styles, as each would have one: it forgets what they did."""

    def __init__(self, folder):
        self._session = None
        self.process = WorkerClient(
            lambda *args: self._session.check(*args), Sandbox(folder, LIMITS)
        )
        self._home = folder / "home"

    def grade(self, sources, name):
        """Grade these cells."""
        for source in ("%reset -f", f"import os; os.chdir({str(self._home)!r})"):
            self.process.cell(Cell(0, source))
        content = {"cells": [{"cell_type": "code", "source": s} for s in sources]}
        notebook, marks = parse_notebook(content), []
        self._session = GradingSession([name], LIMITS)
        for cell in notebook.cells:
            found = Grades([])
            run_cell(self.process, cell, self._session, found)
            marks += [*found.suspicious, *cell.odd]
        return self._session.grade(name, notebook), marks

    def close(self):
        """End it."""
        self.process.close()


@pytest.fixture(scope="module")
def run(folder):
    """The process."""
    one = OneRun(folder)
    yield one
    one.close()


def test_a_submission_starts_without_what_only_teachers_install(run):
    source = "import sys\nassert not {*sys.modules} & {'nbgrader', 'torch'}"
    assert run.process.cell(Cell(0, source))[0] == ""


def test_worker_that_cannot_start_is_the_graders_failure(tmp_path):
    build_sandbox(tmp_path)
    (tmp_path / "posenc" / "grading" / "protocol.py").unlink()
    with pytest.raises(
        RuntimeError, match=r"did not start(.|\n)*posenc\.grading\.protocol"
    ):
        WorkerClient(lambda *args: None, Sandbox(tmp_path, LIMITS))


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_an_odd_style_earns_its_points(run, style):
    mark, suspicious = run.grade([FIRST, *STYLES[style]], START)
    assert mark.points == 2, mark
    assert bool(suspicious) == (style in REPORTED)


@pytest.mark.slow
@pytest.mark.parametrize("style", VALUE_STYLES)
def test_equivalent_types_earn_the_point(run, style):
    ask = f"check({VALUE!r}, {VALUE_STYLES[style]})"
    assert run.grade([FIRST, ask], VALUE)[0].points == 1
