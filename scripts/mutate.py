"""Break every public function on purpose: ``python scripts/mutate.py [chapter …]``.

A mutant is a copy of the package with one mistake in it. ``tests/mutants/<slug>.json``
lists at least five for each public function of a chapter's module::

    {"function": [["old text", "new text"], ["old text", "new text", "helper"], …], …}

The old text must stand exactly once in the function, or in the helper named, which the
function must use; docstrings do not count. Every mutant has to be caught by
``tests/test_<slug>.py`` alone. Survivors are printed, and the exit status is 1 if there
are any: a test is missing then, or the change changes nothing and is no mistake.

For speed, what the tests import is loaded once, and each mutant runs in a fork of this
process (so this needs Linux or macOS). Few examples and no compiling come first; what
survives that has to survive the whole file. Examples are the same in every run.
"""

import argparse
import gc
import importlib
import importlib.machinery
import importlib.util
import math
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from mutant_lists import Mutant, exported, load

ROOT = Path(__file__).parents[1]

#: What tests load apart from posenc, which each fork has to load for itself.
LIBRARIES = (
    "_hypothesis_pytestplugin",
    "array_api_compat.numpy",
    "array_api_compat.torch",
    "hypothesis.extra.numpy",
    "jaxtyping",
    "pytest",
    "torch.testing",
)


#: Exit statuses of a fork. A crash has another.
PASSED, FAILED = 100, 101


class Importer(importlib.machinery.SourceFileLoader):
    """Gives one module of the package another text than that of its file."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(f"posenc.{mutant.file.stem}", str(mutant.file))
        self.text = mutant.text

    def find_spec(self, name: str, *_: Any) -> Any:
        """Specification of that module; none for all others."""
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def get_code(self, fullname: str) -> Any:
        """Compile the other text, past the cache of compiled files."""
        return compile(self.text, self.path, "exec")


def run_tests(root: Path, mutant: Mutant, quick: bool) -> None:
    """End this process with the exit status of the tests, or another if it crashes."""
    import pytest

    with open(os.devnull, "w") as nothing:  # noqa: PTH123
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
    os.chdir(root)
    if mutant.text:
        sys.meta_path.insert(0, Importer(mutant))
    arguments = ["-x", "-q", "-p", "no:cacheprovider", "--tb=no", "--assert=plain"]
    arguments += [f"--hypothesis-profile={'quick' if quick else 'whole'}"]
    arguments += ["-k", "not compile and not trace"] if quick else []
    status = int(pytest.main([*arguments, f"tests/test_{mutant.slug}.py"]))
    sys.exit({0: PASSED, 1: FAILED}.get(status, status))


def run_all(
    root: Path, mutants: Iterable[Mutant], quick: bool, limits: dict[str, float]
) -> Iterator[tuple[Mutant, int | None, float]]:
    """Run the tests on each, some at a time; exit status (None: too slow), seconds."""
    fork = multiprocessing.get_context("fork")
    todo = list(mutants)[::-1]
    running: dict[Any, tuple[Mutant, float]] = {}
    while todo or running:
        while todo and len(running) < (os.cpu_count() or 1):
            mutant = todo.pop()
            process = fork.Process(target=run_tests, args=(root, mutant, quick))
            process.start()
            running[process] = mutant, time.monotonic()
        wait([process.sentinel for process in running], timeout=1)
        for process, (mutant, start) in list(running.items()):
            seconds = time.monotonic() - start
            in_time = seconds < limits.get(mutant.slug, float("inf"))
            if process.is_alive():
                if in_time:
                    continue
                process.kill()
            process.join()
            yield mutant, process.exitcode if in_time else None, seconds
            del running[process]


def prepare() -> None:
    """Load what all tests need, with a single thread: it would not survive the fork."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    for name in LIBRARIES:
        importlib.import_module(name)
    import hypothesis
    import torch

    torch.set_num_threads(1)
    # Finding an example is enough: nobody wants it simplified.
    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    for profile, count in (("quick", 10), ("whole", 100)):
        hypothesis.settings.register_profile(
            profile,
            derandomize=True,
            database=None,
            deadline=None,
            max_examples=count,
            phases=phases,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
    gc.collect()
    gc.freeze()


def hunt(root: Path, mutants: list[Mutant], quick: bool) -> list[Mutant]:
    """Mutants that no test catches; raise if the tests fail without any mistake."""
    left = Counter(mutant.slug for mutant in mutants)
    limits = {}
    for intact, status, seconds in run_all(root, map(Mutant, left), quick, {}):
        if status != PASSED:
            msg = f"the tests of {intact.slug} end with {status} on the code as it is"
            raise RuntimeError(msg)
        limits[intact.slug] = 60 + 10 * seconds  # what takes longer will never end
    survivors, spent = [], Counter[str]()
    for mutant, status, seconds in run_all(root, mutants, quick, limits):
        left[mutant.slug] -= 1
        spent[mutant.slug] += math.ceil(seconds)
        if status is None:
            print(f"never ends: {mutant.description}")
        elif status != FAILED:
            survivors.append(mutant)
        if status not in (PASSED, FAILED, None):
            print(f"no test ran, status {status}: {mutant.description}")
        if not left[mutant.slug]:
            print(f"{mutant.slug}: {spent[mutant.slug]} s", flush=True)
    return survivors


def main() -> int:
    """Command line: ``python scripts/mutate.py [--root folder] [chapter …]``."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("chapter", nargs="*", help="slugs; all if none is given")
    parser.add_argument("--root", type=Path, default=ROOT, help="of the repository")
    options = parser.parse_args()
    root, start = options.root.resolve(), time.monotonic()
    slugs = options.chapter or exported(root / "src" / "posenc" / "__init__.py")
    counts, lists, wrong = zip(*(load(root, slug) for slug in slugs), strict=True)
    mutants = list(chain(*lists))
    if any(wrong):
        print(*chain(*wrong), sep="\n")
        return 1
    prepare()
    survivors = hunt(root, mutants, quick=True)
    if survivors:
        print(f"{len(survivors)} left: now all tests, with all examples", flush=True)
        survivors = hunt(root, survivors, quick=False)
    for mutant in survivors:
        print(f"SURVIVED {mutant.description}")
    minutes = (time.monotonic() - start) / 60
    print(
        f"{sum(counts)} functions, {len(mutants)} mutants, {len(survivors)} survived, "
        f"{minutes:.1f} minutes"
    )
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
