"""Results of the laboratory, by task and encoding.

Everything comes from the tables that ``python -m posenc.training`` wrote: one for each
experiment, with a line for each run.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from posenc.core.data import load_folder

#: Folder of the tables; the seed whose runs were only used to choose learning rates.
FOLDER, TUNING_SEED = "lab_runs", 0
#: A run has solved its task if it answers this share at the trained length. Answers
#: of the others beyond it are no evidence about longer texts.
SOLVED = 0.95

#: Tasks of the page.
TASKS = {
    "copy": "copy: say it again",
    "index": "index: the letter at i",
}


class Tested(NamedTuple):
    """Runs of one encoding on one task, one for each seed.

    Attributes
    ----------
    runs : tuple of dict
        Rows of the tables. Scaled rotations have the runs of plain ones.
    accuracy, loss : dict
        Length to one value per run. A length at which the encoding has no value at all
        is missing.
    """

    runs: tuple[Any, ...]
    accuracy: dict[int, tuple[float, ...]]
    loss: dict[int, tuple[float, ...]]

    @property
    def trained_length(self) -> int:
        """Length of the longest sequences of training."""
        return int(self.runs[0]["plan"]["sizes"]["train_len"])

    @property
    def learning_rate(self) -> float:
        """Height of the learning rate."""
        return float(self.runs[0]["plan"]["learning_rate"])

    @property
    def seeds(self) -> list[int]:
        """Seed of each run."""
        return [run["plan"]["seed"] for run in self.runs]

    @property
    def solved(self) -> list[bool]:
        """True for each run that solved the task at the trained length."""
        return [share >= SOLVED for share in self.accuracy[self.trained_length]]

    def of_solved(self, length: int) -> list[float]:
        """Return the accuracy of runs that solved the task; none if undefined."""
        values = self.accuracy.get(length, ())
        return [v for v, solved in zip(values, self.solved, strict=False) if solved]

    def of_unsolved(self, length: int) -> list[float]:
        """Return the accuracy of the runs that did not solve the task."""
        values = self.accuracy.get(length, ())
        return [v for v, solved in zip(values, self.solved, strict=False) if not solved]


@cache
def results(task: str) -> Mapping[str, Tested]:
    """Return what was trained on a task, by encoding; without runs that chose rates."""
    return _by_encoding(run for run in _runs(task) if not _tunes(run))


@cache
def tuning(task: str) -> Mapping[str, Mapping[float, Tested]]:
    """Return the runs that chose the learning rates, by encoding and rate."""
    runs = [run for run in _runs(task) if _tunes(run)]
    by_encoding: dict[str, dict[float, Tested]] = {}
    for rate in sorted({run["plan"]["learning_rate"] for run in runs}):
        same = (run for run in runs if run["plan"]["learning_rate"] == rate)
        for name, tested in _by_encoding(same).items():
            by_encoding.setdefault(name, {})[rate] = tested
    return by_encoding


def lengths(tested: Iterable[Tested]) -> list[int]:
    """Return all lengths at which something was tested."""
    return sorted({length for model in tested for length in model.accuracy})


def text_losses(encoding: str, length: int) -> dict[int, float]:
    """Return by seed the language model's mean loss on the book, in nats per byte."""
    by_seed = {}
    for run in _files():
        plan, measured = run["plan"], run["tests"]
        if "task" in plan or "reader" in plan or encoding not in measured:
            continue
        if (tested := measured[encoding].get(str(length))) is not None:
            losses = tested["losses"]
            by_seed[plan["seed"]] = sum(losses) / len(losses)
    return dict(sorted(by_seed.items()))


def first_solved(run: Any) -> int | None:
    """Return the first step at which the learning curve of a run shows a solution."""
    curve = zip(run["curve"]["step"], run["curve"]["accuracy"], strict=True)
    return next((step for step, share in curve if share >= SOLVED), None)


def _files() -> list[Any]:
    return [table for table in load_folder(FOLDER).values() if "plan" in table]


def _runs(task: str) -> list[Any]:
    return [run for run in _files() if run["plan"].get("task") == task]


def _tunes(run: Any) -> bool:
    return bool(run["plan"]["seed"] == TUNING_SEED)


def _by_encoding(runs: Iterable[Any]) -> dict[str, Tested]:
    by_encoding: dict[str, list[Any]] = {}
    for run in sorted(runs, key=lambda run: run["plan"]["seed"]):
        for name in run["tests"]:
            by_encoding.setdefault(name, []).append(run)
    return {name: _tested(name, own) for name, own in by_encoding.items()}


def _tested(name: str, runs: Sequence[Any]) -> Tested:
    def by_length(measure: str) -> dict[int, tuple[float, ...]]:
        return {
            int(length): tuple(run["tests"][name][length][measure] for run in runs)
            for length, value in runs[0]["tests"][name].items()
            if value is not None
        }

    return Tested(tuple(runs), by_length("accuracy"), by_length("loss"))
