"""Break every public function on purpose: ``python scripts/mutate.py [chapter …]``.

A mutant is a function with one mistake in it. ``tests/<slug>/mutants.json`` lists at
least five for each public function of a chapter::

    {"function": [["old piece", "new piece"], ["old", "new", "helper", 2], …], …}

A piece is an expression, statements or ``name=value``, and is looked for in the syntax
tree: see `tree_pattern`. It stands in the function or, if a third entry says so, in a
helper that the function uses, wherever that lies; a number says which one it is if it
stands there several times. Every mutant has to be caught by
``tests/<slug>/test_functions.py`` or ``test_flex.py``. Survivors are printed, and the
exit status is 1 if there are any: a test is missing then, or the change is no mistake.

For speed, pytest collects the tests once, and each mutant lives in a fork of that
process (so this needs Linux or macOS). At first it meets only tests that call the
function, the quickest before the others, with few examples and without compiling; who
survives meets the whole file. Examples are the same in every run.
"""

import argparse
import ast
import copy
import gc
import importlib
import inspect
import math
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple

from function_definitions import Definition
from mutant_lists import Mutant, load, slugs

ROOT = Path(__file__).parents[1]

#: Seconds of computing that a test may take with a mistake, besides ten times what it
#: takes without one: what needs more will never end.
PATIENCE = 10

#: What tests load when they run.
LIBRARIES = ("array_api_compat.torch", "hypothesis.extra.numpy", "torch.testing")


class Cost(NamedTuple):
    """Seconds of a test of the code as it is, and the functions that it calls."""

    seconds: float
    called: frozenset[str]


class Hunt:
    """Plugin of pytest: instead of running each test once, run them on each mutant."""

    def __init__(self, mutants: list[Mutant], quick: bool) -> None:
        self.mutants, self.quick = mutants, quick
        self.tests: dict[str, list[Any]] = defaultdict(list)
        self.costs: dict[str, list[Cost]] = {}
        self.failed = False  #: whether a test has failed in this fork
        self.problem = ""  #: what makes all results worthless
        self.survivors: list[int] = []  #: places in the list of mutants

    def pytest_collection(self) -> None:
        """Say how many examples the tests look at, before they are loaded."""
        import hypothesis

        hypothesis.settings.register_profile(
            "mutants",
            derandomize=True,
            database=None,
            deadline=None,
            max_examples=10 if self.quick else 100,
            # Finding an example is enough: nobody wants it simplified.
            phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        hypothesis.settings.load_profile("mutants")

    def pytest_runtestloop(self, session: Any) -> bool:
        """Run the tests on the code as it is, then on the mutants."""
        if session.testsfailed:
            self.problem = "the tests cannot be collected"
            return True
        for item in session.items:
            self.tests[item.path.parent.name].append(item)
        slugs = {mutant.slug: None for mutant in self.mutants}
        if untested := slugs.keys() - self.tests:
            self.problem = f"no test of {', '.join(sorted(untested))}"
            return True
        warm_up()
        gc.collect()
        gc.freeze()
        for slug, answer, status in in_forks(self.measure, slugs):
            if not isinstance(answer, list):
                self.problem = f"{answer or status} on the code as it is, {slug}"
                return True
            self.costs[slug] = answer
        for index, answer, status in in_forks(self.catches, range(len(self.mutants))):
            description = self.mutants[index].description
            if status == -signal.SIGXCPU:
                print(f"never ends: {description}", flush=True)
            elif answer is None:
                print(f"crashes with status {status}: {description}", flush=True)
            if not answer and status != -signal.SIGXCPU:
                self.survivors.append(index)
        return True

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember a failure."""
        self.failed = self.failed or report.failed

    def passes(self, item: Any) -> bool:
        """Run a test."""
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self.failed

    def measure(self, slug: str) -> list[Cost] | str:
        """Cost of each test of a chapter, or the name of the first that fails."""
        called: set[str] = set()
        for definition in {m.right for m in self.mutants if m.slug == slug}:
            node = copy.deepcopy(definition.node)
            node.body.insert(0, ast.parse(f"_called({definition.name!r})").body[0])
            install(definition, node)._called = called.add
        costs = []
        for item in self.tests[slug]:
            called.clear()
            start = time.process_time()
            if not self.passes(item):
                return str(item.nodeid)
            costs.append(Cost(time.process_time() - start, frozenset(called)))
        return costs

    def catches(self, index: int) -> bool:
        """Whether a test fails because of a mutant."""
        mutant = self.mutants[index]
        name = mutant.right.name
        tests = list(zip(self.tests[mutant.slug], self.costs[mutant.slug], strict=True))
        if self.quick:
            tests = [(item, cost) for item, cost in tests if name in cost.called]
        tests.sort(key=lambda test: (name not in test[1].called, test[1].seconds))
        install(mutant.right, mutant.wrong)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for item, cost in tests:
            limit = time.process_time() + 10 * cost.seconds + PATIENCE
            _, most = resource.getrlimit(resource.RLIMIT_CPU)
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), most))
            if not self.passes(item):
                return True
        return False


def warm_up() -> None:
    """Do once what the first test of each fork would have to do."""
    import hypothesis
    import torch

    for name in LIBRARIES:
        importlib.import_module(name)
    torch.set_num_threads(1)
    hypothesis.given(hypothesis.strategies.floats())(lambda _: None)()


def install(definition: Definition, node: ast.FunctionDef) -> Any:
    """Give a function another body, wherever it is in use; return its module."""
    module = importlib.import_module(definition.module)
    function = inspect.unwrap(getattr(module, node.name))
    node = copy.deepcopy(node)
    node.decorator_list = []
    names = dict(vars(module))
    tree = ast.fix_missing_locations(ast.Module([node], []))
    exec(compile(tree, definition.file, "exec", dont_inherit=True), names)
    for part in ("__code__", "__defaults__", "__kwdefaults__"):
        setattr(function, part, getattr(names[node.name], part))
    return module


def in_forks(
    function: Callable[[Any], Any], arguments: Iterable[Any]
) -> Iterator[tuple[Any, Any, int | None]]:
    """Call a function in a fork for each argument, one fork on each core.

    Yields
    ------
    argument, what the function returned or None if the fork died, exit status
    """
    context = multiprocessing.get_context("fork")
    todo = list(arguments)[::-1]
    running: dict[Any, tuple[Any, Any]] = {}

    def call(argument: Any, result: Any) -> None:
        result.send(function(argument))

    while todo or running:
        while todo and len(running) < (os.cpu_count() or 1):
            argument = todo.pop()
            answer, result = context.Pipe(duplex=False)
            process = context.Process(target=call, args=(argument, result))
            process.start()
            result.close()
            running[answer] = argument, process
        ready: Any
        for ready in wait(running):
            argument, process = running.pop(ready)
            try:
                value = ready.recv()
            except EOFError:
                value = None
            process.join()
            yield argument, value, process.exitcode


def hunt(root: Path, mutants: list[Mutant], quick: bool) -> list[int] | str:
    """Places of the survivors in the list, or why there is no answer."""
    import pytest

    os.chdir(root)
    plugin = Hunt(mutants, quick)
    arguments = ["-p", "no:cacheprovider", "-p", "no:terminal", "--assert=plain", "-s"]
    # A compiler of kernels does not survive a fork; it is not needed either.
    left_out = "not compile and not trace" if quick else "not compiles"
    arguments += ["-k", left_out]
    names = "test_functions.py", "test_flex.py"
    folders = sorted({Path("tests", mutant.slug) for mutant in mutants})
    paths = [folder / name for folder in folders for name in names]
    files = [str(path) for path in paths if (root / path).exists()]
    status = pytest.main([*arguments, *files], plugins=[plugin])
    if plugin.problem or status not in (pytest.ExitCode.OK,):
        return plugin.problem or str(status)
    return plugin.survivors


def main() -> int:
    """Command line: ``python scripts/mutate.py [--root folder] [chapter …]``."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("chapter", nargs="*", help="slugs; all if none is given")
    parser.add_argument("--root", type=Path, default=ROOT, help="of the repository")
    options = parser.parse_args()
    root, start = options.root.resolve(), time.monotonic()
    chapters = [load(root, slug) for slug in options.chapter or slugs(root)]
    counts, lists, wrong = zip(*chapters, strict=True)
    if any(wrong):
        print(*chain(*wrong), sep="\n")
        return 1
    # A second thread would not survive a fork.
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    mutants = survivors = list(chain(*lists))
    for quick in (True, False):
        if survivors:
            ((_, answer, status),) = in_forks(
                lambda mutants, quick=quick: hunt(root, mutants, quick), [survivors]
            )
            if not isinstance(answer, list):
                print(f"FAILED: {answer or status}")
                return 1
            survivors = [survivors[index] for index in answer]
            if quick and survivors:
                print(f"{len(survivors)} left: now all tests, all examples", flush=True)
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
