"""Runs of the laboratory, and training of several at a time.

Workers import this module by its name, so it is not the command line's own.
"""

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakSet

import torch
from tqdm import tqdm

from posenc.core import old_names
from posenc.core.cluster import in_turn

from .encodings import ENCODINGS
from .language_model import TextPlan
from .loop import Plan, carry_out, finished, keep
from .memory import FACTS, MemoryPlan
from .sequences import LEARNING_RATES, SequencePlan
from .speech import ENCODINGS as SPEECH_ENCODINGS
from .speech import FRONTS, READERS, SpeechPlan
from .token_before import ShiftPlan

#: Tasks of the page, and the encodings that are trained on them.
TASKS = ("copy", "index")
PAGE = (
    "none",
    "learned",
    "sinusoidal",
    "convolutional",
    "shaw",
    "transformer_xl",
    "t5",
    "alibi",
    "rope",
)
#: Tasks on which learning rates are chosen, and the seed, which no results contain.
TUNED_ON, TUNING_SEED = TASKS, 0
SEEDS = (1, 2, 3)
#: Encodings whose language model is trained.
READERS_OF_TEXT = ("none", "sinusoidal", "t5", "alibi", "rope")
#: Further runs of the page, for one claim each: tasks, and the encodings on them.
CONTROLS = (
    (("index_letter",), ("none", "t5", "alibi")),
    (("copy",), ("shaw_clip_63", "t5_wide", "alibi_trained", "rope_base_100")),
)
#: Runs that chapters show.
OF_CHAPTERS = (
    (TASKS, ("music_transformer", "cape", "cape_shift", "cape_jitter", "cape_scale")),
    (("copy",), ("shaw_clip_0", "shaw_clip_1", "shaw_clip_2")),
    (("language",), ("shaw",)),
    (("motif",), ("none", "sinusoidal", "shaw", "music_transformer")),
    (("count",), ("none",)),
)


def trained_encodings(*, controls: bool = False) -> list[str]:
    """Return the names of trained encodings; the others change a trained model."""
    return [
        name
        for name, encoding in ENCODINGS.items()
        if not encoding.variant and (controls or not encoding.control)
    ]


def tuning_plans(encodings: Iterable[str] | None = None) -> list[Plan]:
    """Return plans that choose learning rates: all rates and encodings, one seed."""
    return [
        SequencePlan(task, encoding, TUNING_SEED, rate)
        for task in TUNED_ON
        for encoding in encodings or trained_encodings()
        for rate in LEARNING_RATES
    ]


def best_rates(
    results: Iterable[dict[str, Any]], encodings: Iterable[str] | None = None
) -> dict[str, float]:
    """Return each encoding's learning rate with the smallest loss at trained length.

    Parameters
    ----------
    results : iterable of dict
        Those of the runs of `tuning_plans`, at least; others are left out.
    encodings : iterable of str, optional
        Of all encodings that are trained, unless given.

    Raises
    ------
    ValueError
        If runs are missing for an encoding.
    """
    losses: dict[tuple[str, float], list[float]] = {}
    for result in results:
        plan = result["plan"]
        if plan.get("task") in TUNED_ON and plan["seed"] == TUNING_SEED:
            trained = plan["encoding"], plan["learning_rate"]
            length = str(plan["sizes"]["train_len"])
            losses.setdefault(trained, []).append(
                result["tests"][plan["encoding"]][length]["loss"]
            )
    rates = {}
    for name in encodings or trained_encodings():
        by_rate = {rate: losses.get((name, rate), []) for rate in LEARNING_RATES}
        if any(len(result) < len(TUNED_ON) for result in by_rate.values()):
            msg = f"results must hold all runs that tune {name!r}: do them first"
            raise ValueError(msg)
        rates[name] = min(LEARNING_RATES, key=lambda rate: sum(by_rate[rate]))
    return rates


def page_plans(rates: dict[str, float]) -> list[Plan]:
    """Return the plans of the page, with the learning rates of `best_rates`."""
    plans = _plans(TASKS, PAGE, rates)
    for tasks, encodings in CONTROLS:
        plans += _plans(tasks, encodings, rates)
    return [*plans, *(TextPlan(name) for name in READERS_OF_TEXT)]


def full_plans(rates: dict[str, float]) -> list[Plan]:
    """Return the plans of the page first, then those of chapters.

    Who counts is asked without an encoding alone: sinusoids would be the answer.
    """
    chapters: list[Plan] = []
    for tasks, encodings in OF_CHAPTERS:
        chapters += _plans(tasks, encodings, rates)
    speech = [
        SpeechPlan(reader, encoding, front, seed)
        for seed in range(3)
        for reader in READERS
        for encoding in SPEECH_ENCODINGS
        for front in FRONTS
    ]
    memory = [MemoryPlan(facts, seed) for seed in SEEDS for facts in FACTS]
    return [*page_plans(rates), *chapters, *speech, *memory, ShiftPlan()]


def _plans(
    tasks: Iterable[str], encodings: Iterable[str], rates: dict[str, float]
) -> list[Plan]:
    return [
        SequencePlan(task, name, seed, rates[ENCODINGS[name].control or name])
        for seed in SEEDS
        for task in tasks
        for name in encodings
    ]


def __getattr__(name: str) -> Any:  # for code of the first edition
    return old_names.renamed(__name__, {"core_plans": page_plans}, name)


def run_all(
    plans: Sequence[Plan],
    folders: tuple[Path, Path],
    jobs: int,
    executor: Executor | None = None,
) -> list[dict[str, Any]]:
    """Do all runs that are not done yet, and write each as soon as it is done.

    Parameters
    ----------
    plans : sequence of Plan
        What to train; runs that lie in the folder are not done again.
    folders : two Paths
        Of the results, and of stopped runs (on the machine that does them).
    jobs : int
        Runs at a time, one thread each, where no executor is given.
    executor : concurrent.futures.Executor, optional
        What does the runs instead of processes of this machine. A Dask client has one
        (``client.get_executor()``), which sends them to other machines.

    Returns
    -------
    list of dict
        The results, in the order of the plans.
    """
    folder, unfinished = folders
    results = {plan.name: finished(plan, folder) for plan in plans}
    left = [plan for plan in plans if results[plan.name] is None]
    with (
        tqdm(total=len(plans), initial=len(plans) - len(left), unit="run") as bar,
        _processes(jobs) if executor is None else _somewhere(executor) as workers,
    ):
        pending = {workers.begin(plan, unfinished): plan for plan in left}
        for plan, new in in_turn(pending, lambda: bar.set_postfix_str(workers.news())):
            results[plan.name] = new
            keep(new, plan, folder, unfinished)
            bar.update()
    return [result for plan in plans if (result := results[plan.name]) is not None]


class _Workers(NamedTuple):
    begin: Callable[[Plan, Path], "Future[dict[str, Any]]"]
    news: Callable[[], str]


@contextmanager
def _somewhere(executor: Executor) -> Iterator[_Workers]:
    """Yield workers that others started; leave them running."""
    begun = WeakSet["Future[dict[str, Any]]"]()

    def begin(plan: Plan, unfinished: Path) -> "Future[dict[str, Any]]":
        future = executor.submit(_train_alone, plan, unfinished)
        begun.add(future)
        return future

    try:
        yield _Workers(begin, lambda: "")
    finally:
        for future in [*begun]:
            future.cancel()


@contextmanager
def _processes(jobs: int) -> Iterator[_Workers]:
    """Yield workers of our own; end them at exit, whatever they are doing."""
    context = get_context("spawn")
    with (
        context.Manager() as manager,
        ProcessPoolExecutor(jobs, context, _prepare_worker) as pool,
    ):
        messages = manager.Queue()
        last = [""]

        def begin(plan: Plan, unfinished: Path) -> "Future[dict[str, Any]]":
            return pool.submit(_train_quietly, messages, plan, unfinished)

        def news() -> str:
            while not messages.empty():
                last[0] = messages.get()
            return last[0]

        try:
            yield _Workers(begin, news)
        except BaseException:  # the pool alone would wait for every run to end
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():
                worker.terminate()
                worker.join()
            raise


def _prepare_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops its workers


def _train_alone(plan: Plan, unfinished: Path) -> dict[str, Any]:
    torch.set_num_threads(1)
    return carry_out(plan, unfinished)


def _train_quietly(messages: Any, plan: Plan, unfinished: Path) -> dict[str, Any]:
    def report(measured: dict[str, float]) -> None:
        messages.put(f"{plan.name}: {words(measured)}")

    torch.set_num_threads(1)
    return carry_out(plan, unfinished, report)


def words(measured: dict[str, float]) -> str:
    """Write what was measured, for the end of a progress bar."""
    return ", ".join(f"{name} {value:g}" for name, value in measured.items())
