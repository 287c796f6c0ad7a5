"""Odd but honest styles earn their points."""

import pytest

from posenc.grading.grader import run_cell
from posenc.grading.grades import Grades, Limits
from posenc.grading.notebook_cells import Cell, parse_notebook
from posenc.grading.sandbox import build_sandbox
from posenc.grading.session import GradingSession
from posenc.grading.worker_client import Sandbox, WorkerClient

LIMITS = Limits(answer=60)

START = "t5.last_bucket_start"
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
    "an object": [
        f"class S:\n    def __call__(self, b, m):\n        return g(b, m)\n"
        f"def g(b, m):\n{LOOP}\ncheck({START!r}, S())"
    ],
    "a cache": [f"import functools\n@functools.cache\n{START_IT}\n{ASK}"],
    "printing": [f"{G}def start(b, m):\n    print('try', b, m)\n{CALLS_G}"],
    "keywords": [f"{START_IT}\ncheck(name={START!r}, answer=start)"],
    "a seed and a time": [f"{START_IT}\ncheck({START!r}, start, seed=3, time_limit=2)"],
    "the module's check": [
        f"import posenc.exercises as ex\n{START_IT}\nex.check({START!r}, start)"
    ],
    "a loop over answers": [
        f"{START_IT}\nfor name, f in {{{START!r}: start}}.items():\n    check(name, f)"
    ],
    "a function that checks": [
        f"{START_IT}\ndef test(f):\n    return check({START!r}, f)\ntest(start)"
    ],
    "a name of their own that is check": [f"check = 5\n{START_IT}", ASK],
    "a name of their own that is list": [f"list = [1]\nmax = 3\nsum = 2\n{BOTH}"],
    "a wrong try behind": [BOTH, f"def start(b, m):\n    return 7\n{ASK}"],
    "the stub left behind": [
        BOTH,
        f"def start(b, m):\n    raise NotImplementedError\n{ASK}",
    ],
    "an error in the cell before": ["1 / 0", BOTH],
    "a magic": ["%matplotlib inline", BOTH],
    "a timed line": [f"{START_IT}\n%timeit -n 1 -r 1 start(8, 20)\n{ASK}"],
    "a shell command": ["!ls", BOTH],
    "a picture": [
        f"import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n{BOTH}"
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
    "a coroutine": [f"{START_IT}\nasync def main():\n    return {ASK}\nawait main()"],
    "output that is kept": [f"%%capture out\n{BOTH}"],
    "another folder": [f"import os\nos.makedirs('work')\nos.chdir('work')\n{BOTH}"],
    "input that nobody gives": ["input('Your name? ')", BOTH],
    "an exit in a cell before": ["exit()", BOTH],
    "the book's functions, to compare": [
        f"import posenc\nposenc.t5.bucket_starts(num_buckets=8)\n{BOTH}"
    ],
    "the source of the book's functions, to read": [
        f"import posenc\nfrom posenc.pages.display import Source\n"
        f"Source(posenc.t5.bucket_starts)\n{BOTH}"
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


#: Honest, but reported to the teacher.
REPORTED = {
    "a shell command",
    "the book's functions, to compare",
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
