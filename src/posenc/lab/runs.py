"""What the laboratory trains in all, and several runs at a time.

Workers import this module by its name, so it is not the command line's own.
"""

import signal
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from .encodings import ENCODINGS
from .sequences import SequencePlan
from .speech import ENCODINGS as SPEECH_ENCODINGS
from .speech import FRONTS, READERS, SpeechPlan
from .tasks import TASKS
from .training import Plan, train

#: What `core` trains: one encoding of every kind, on two tasks.
CORE_TASKS = ("copy", "index")
CORE_ENCODINGS = (
    "none",
    "learned",
    "sinusoidal",
    "shaw",
    "t5",
    "alibi",
    "rope",
    "cape",
)
SEEDS = (0, 1, 2)


def trained_encodings() -> list[str]:
    """Names of the encodings that are trained; the others scale one of them."""
    return [name for name, encoding in ENCODINGS.items() if not encoding.scaling]


def core_plans() -> list[Plan]:
    """Plans of `core`."""
    return _plans(CORE_TASKS, CORE_ENCODINGS)


def full_plans() -> list[Plan]:
    """Plans of `full`: `core` first, then all tasks with all encodings, and speech.

    Who counts is asked without an encoding alone: sinusoids would be the answer.
    """
    everything = _plans([t for t in TASKS if t != "count"], trained_encodings())
    everything += _plans(["count"], ["none"])
    speech = [
        SpeechPlan(reader, encoding, front, seed)
        for seed in SEEDS
        for reader in READERS
        for encoding in SPEECH_ENCODINGS
        for front in FRONTS
    ]
    return list(dict.fromkeys([*core_plans(), *everything, *speech]))


def _plans(tasks: Sequence[str], encodings: Sequence[str]) -> list[Plan]:
    return [
        SequencePlan(task, encoding, seed)
        for seed in SEEDS
        for task in tasks
        for encoding in encodings
    ]


def run_all(plans: list[Plan], folders: tuple[Path, Path], jobs: int) -> None:
    """Do all runs that are not done yet, `jobs` at a time, one thread each."""
    context = get_context("spawn")
    with (
        context.Manager() as manager,
        tqdm(total=len(plans), unit="run") as bar,
        ProcessPoolExecutor(jobs, context, _prepare_worker) as pool,
    ):
        messages = manager.Queue()
        pending = {
            pool.submit(_train_quietly, plan, folders, messages) for plan in plans
        }
        try:
            while pending:
                done, pending = wait(pending, timeout=1.0)
                for future in done:
                    future.result()
                    bar.update()
                while not messages.empty():
                    bar.set_postfix_str(messages.get())
        except BaseException:  # the pool alone would wait for every run to end
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():
                worker.terminate()
                worker.join()
            raise


def _prepare_worker() -> None:
    torch.set_num_threads(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops its workers


def _train_quietly(plan: Plan, folders: tuple[Path, Path], messages: Any) -> None:
    def report(measured: dict[str, float]) -> None:
        messages.put(f"{plan.name}: {words(measured)}")

    train(plan, *folders, report)


def words(measured: dict[str, float]) -> str:
    """What was measured, for the end of a progress bar."""
    return ", ".join(f"{name} {value:g}" for name, value in measured.items())
