"""Train a model for as many steps as any other; stop at any time and go on later.

Nothing is random but by the seed: the batch of a step is drawn from the numbers of the
seed and the step. So a run that was stopped goes on as if it had not been.
"""

import json
import platform
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor, nn

import posenc
from posenc.core.data import parse_row, read_table

if sys.platform != "win32":
    import fcntl

#: Device for training: a GPU, if there is one.
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@runtime_checkable
class Plan(Protocol):
    """All that decides the outcome of a run, apart from versions and machine."""

    @property
    def name(self) -> str:
        """Name of its row, and of its files without ending."""

    @property
    def command(self) -> str | None:
        """Command line that trains it, if there is one: see `command_line`."""

    @property
    def max_steps(self) -> int:
        """Steps of training."""

    @property
    def learning_rate(self) -> float:
        """Height of the learning rate."""

    def as_data(self) -> dict[str, Any]:
        """Return the content of the plan as JSON keeps it."""

    def start(self) -> "Stoppable":
        """Return a new run."""


class Stoppable(Protocol):
    """A run that can be stopped after each evaluation, and go on later."""

    @property
    def finished(self) -> bool:
        """True if there is nothing more to do."""

    def advance(self) -> None:
        """Train until the next evaluation."""

    def last(self) -> dict[str, float]:
        """Return the last evaluation, with an entry ``"step"``."""

    def state(self) -> dict[str, Any]:
        """Return all that `restore` needs to go on."""

    def restore(self, state: dict[str, Any]) -> None:
        """Restore what `state` returned."""

    def results(self) -> dict[str, Any]:
        """Return what is kept of the run beside its plan, ready for JSON."""


class Run(ABC):
    """A model in training: the steps done, and measurements after some of them.

    Parameters
    ----------
    plan : Plan
        What is trained.
    model : Module
        With its first weights.
    """

    #: Steps between two evaluations, and steps until the rate is at its height; from
    #: there it falls, so that it would be zero after the last step.
    interval = 100
    warmup = 100
    #: Largest norm of the gradient of a step.
    clipped = 1.0

    model: Any

    def __init__(self, plan: Any, model: nn.Module) -> None:
        self.plan, self.model = plan, model.to(DEVICE)
        self.optimizer = torch.optim.AdamW(
            model.parameters(), betas=(0.9, 0.98), weight_decay=0.01
        )
        self.step = 0
        self.curve: dict[str, list[float]] = {}
        self.seconds: list[float] = []

    @abstractmethod
    def loss(self) -> Tensor:
        """Return the loss of the batch that belongs to the present step."""

    @abstractmethod
    def evaluate(self, length: int) -> dict[str, float]:
        """Measure the model on new sequences of a length, for the learning curve."""

    @abstractmethod
    def tests(self) -> dict[str, Any]:
        """Return measurements on sequences of all lengths, new to every evaluation."""

    @property
    @abstractmethod
    def trained_length(self) -> int:
        """Length of the evaluations during training."""

    @property
    def finished(self) -> bool:
        """True if there is nothing more to train."""
        return bool(self.step >= self.plan.max_steps)

    def advance(self) -> None:
        """Train until the next evaluation, and evaluate."""
        self.model.train()
        for _ in range(min(self.interval, self.plan.max_steps - self.step)):
            start = time.perf_counter()
            self._take_step()
            self.seconds.append(time.perf_counter() - start)
        self.model.eval()
        with torch.inference_mode():
            measured = self.evaluate(self.trained_length)
        for name, value in {"step": self.step, **measured}.items():
            self.curve.setdefault(name, []).append(value)

    def last(self) -> dict[str, float]:
        """Return the last evaluation."""
        return {name: values[-1] for name, values in self.curve.items()}

    def results(self) -> dict[str, Any]:
        """Return what is kept of the run: weights as arrays, all else for JSON."""
        self.model.eval()
        with torch.inference_mode():
            tests = self.tests()
        return {
            **circumstances(DEVICE),
            "parameters": sum(p.numel() for p in self.model.parameters()),
            "steps": self.step,
            "milliseconds_per_step": round(1e3 * median(self.seconds), 2),
            "curve": self.curve,
            "tests": tests,
            "weights": self.weights(),
        }

    def weights(self) -> dict[str, Any]:
        """Return the trained weights to keep, in half precision; by default, none.

        Only a page that looks inside needs them, and they are large.
        """
        return {}

    def all_weights(self) -> dict[str, Any]:
        """Return every weight, in half precision."""
        return {
            name: value.to("cpu", torch.float16).numpy()
            for name, value in self.model.state_dict().items()
        }

    def state(self) -> dict[str, Any]:
        """Return all that `restore` needs to go on."""
        return {
            "plan": self.plan.as_data(),
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "curve": self.curve,
            "seconds": self.seconds,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore what `state` returned."""
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.curve = state["step"], state["curve"]
        self.seconds = state["seconds"]

    def _take_step(self) -> None:
        rate = self.plan.learning_rate * min(
            (self.step + 1) / self.warmup, 1 - self.step / self.plan.max_steps
        )
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss = self.loss()
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clipped)
        self.optimizer.step()
        self.step += 1


def command_line(command: str, plan: Any, *options: str) -> str | None:
    """Return the command line of the laboratory that trains a plan.

    Parameters
    ----------
    command : str
        Command of ``python -m posenc.training``.
    plan : Plan
        A dataclass.
    *options : str
        Fields that the command line always names. It names ``max_steps`` too, where
        the plan has other steps than by default.

    Returns
    -------
    str or None
        None if the plan has a field that the command line cannot set.

    Examples
    --------
    >>> from posenc.training.memory import MemoryPlan
    >>> command_line("memory", MemoryPlan("lasting", 2), "facts", "seed")
    'python -m posenc.training memory --facts lasting --seed 2'
    """
    for names in (options, (*options, "max_steps")):
        given = {name: getattr(plan, name) for name in names}
        if type(plan)(**given) == plan:
            words = [f"--{name.replace('_', '-')} {given[name]}" for name in names]
            return " ".join(["python -m posenc.training", command, *words])
    return None


def circumstances(device: torch.device) -> dict[str, dict[str, Any]]:
    """Return a run's versions and machine: they decide its outcome beside the plan."""
    return {
        "versions": {
            "posenc": posenc.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "torch": torch.__version__,
        },
        "machine": {
            "cpu": _processor(),
            "threads": torch.get_num_threads(),
            "device": device.type,
        },
    }


def _processor() -> str:
    """Return the name of the processor's model, as far as this system reports it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


@cache
def checkout_commit() -> str | None:
    """Return the checkout's short commit hash, with "+changes" if the program differs.

    It is read once in each process, since the program that runs does not change when
    the checkout does.

    Returns
    -------
    str or None
        None if the package is not in a checkout, or git is missing.
    """
    package = Path(__file__).parents[1]

    def git(*words: str) -> str:
        command = ["git", "--no-optional-locks", "-C", str(package), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    try:
        git("ls-files", "--error-unmatch", __file__)  # a copy may lie in another's tree
        commit = git("rev-parse", "--short", "HEAD")
        return f"{commit}+changes" if git("status", "--porcelain", ".") else commit
    except (OSError, subprocess.CalledProcessError):
        return None


def train(
    plan: Plan,
    folder: Path,
    unfinished: Path,
    report: Callable[[dict[str, float]], None] = lambda measured: None,
) -> dict[str, Any]:
    """Do a run, or what is left of it, and write its results.

    Parameters
    ----------
    plan : Plan
        What to train.
    folder : Path
        Of the tables of results: see `keep`.
    unfinished : Path
        Until then ``<name>.pt`` there holds the run as it was after its last
        evaluation. It is replaced in one go, so it is never half written.
    report : function, optional
        Called with every evaluation, which has an entry ``"step"``.

    Returns
    -------
    dict
        The results; those of the table if there are any.

    Raises
    ------
    ValueError
        If a row or a file of that name belongs to another plan.
    """
    results = finished(plan, folder)
    if results is None:
        results = carry_out(plan, unfinished, report)
        keep(results, plan, folder, unfinished)
    return results


def finished(plan: Plan, folder: Path) -> dict[str, Any] | None:
    """Return the results of a plan, if a table in the folder has them."""
    path = _table(plan, folder)
    results: dict[str, Any] | None = None
    if path.exists() and (results := read_table(path).get(plan.name)) is not None:
        _check_plan(f"{plan.name} in {path}", results["plan"], plan)
    return results


def carry_out(
    plan: Plan,
    unfinished: Path,
    report: Callable[[dict[str, float]], None] = lambda measured: None,
) -> dict[str, Any]:
    """Train and test, resuming a stopped run; return the results."""
    commit = checkout_commit()  # before training, in which the checkout may change
    unfinished.mkdir(parents=True, exist_ok=True)
    saved, run = unfinished / f"{plan.name}.pt", plan.start()
    if saved.exists():
        state = torch.load(saved, map_location=DEVICE, weights_only=True)
        _check_plan(f"{saved}", state["plan"], plan)
        run.restore(state)
        report(run.last())
    while not run.finished:
        run.advance()
        with _replacing(saved) as part:
            torch.save(run.state(), part)
        report(run.last())
    results = run.results()
    results["versions"]["commit"] = commit
    return {"plan": plan.as_data(), "command": plan.command, **results}


def keep(results: dict[str, Any], plan: Plan, folder: Path, unfinished: Path) -> None:
    """Write the results of a run, which is unfinished no longer.

    They become a line of the experiment's table: what stands in front of the first
    hyphen of the plan's name is the experiment. Weights become ``<name>.npz`` beside
    it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    weights = results.pop("weights", {})
    if weights:  # first: a run whose results are there is never done again
        with _replacing(folder / f"{plan.name}.npz") as part, part.open("wb") as file:
            np.savez_compressed(file, **weights)
    _append({"name": plan.name, **results}, _table(plan, folder))
    (unfinished / f"{plan.name}.pt").unlink(missing_ok=True)


def _table(plan: Plan, folder: Path) -> Path:
    return folder / f"{plan.name.partition('-')[0]}.jsonl"


def _append(row: dict[str, Any], path: Path) -> None:
    """Add a row to a table in one write; several processes may add rows at once.

    A process that is killed while it writes leaves a half line, which is cut off here.
    The lock keeps others from cutting a line that is still being written; Windows has
    no such lock, so there a table is for one command at a time.
    """
    line = json.dumps(row).encode() + b"\n"
    with path.open("ab+") as file:
        if sys.platform != "win32":
            fcntl.flock(file, fcntl.LOCK_EX)  # until the file is closed
        file.seek(0)
        last = file.read().rpartition(b"\n")[2]
        if parse_row(last) is None:
            file.truncate(file.tell() - len(last))
        else:  # whole, but for the end of its line
            line = b"\n" + line
        file.write(line)


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Give a file to write, which then replaces `path` whole."""
    part = path.with_name(path.name + ".part")
    yield part
    part.replace(path)


def _check_plan(where: str, stored: dict[str, Any], plan: Plan) -> None:
    expected = plan.as_data()
    other = [name for name in expected if stored.get(name) != expected[name]]
    if other:
        name = other[0]
        msg = (
            f"{where} must belong to this plan, but its {name} is "
            f"{stored.get(name)!r}, not {expected[name]!r}: remove it, or choose "
            "another folder"
        )
        raise ValueError(msg)
