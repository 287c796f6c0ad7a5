"""Command line of the laboratory: ``python -m posenc.lab --help``."""

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, wait
from multiprocessing import get_context
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

#: Where results are kept in a checkout, and where the book looks for them.
FOLDER = Path(__file__).parents[3] / "book" / "data" / "lab"
#: Where runs that were stopped wait.
UNFINISHED = Path(__file__).parents[3] / ".lab"

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
    """Plans of `full`: `core` first, then all tasks with all encodings, and speech."""
    everything = _plans(TASKS, trained_encodings())
    speech = [
        SpeechPlan(reader, encoding, front, seed)
        for seed in SEEDS
        for reader in READERS
        for encoding in SPEECH_ENCODINGS
        for front in FRONTS
    ]
    return list(dict.fromkeys([*core_plans(), *everything, *speech]))


def _plans(tasks: Iterable[str], encodings: Iterable[str]) -> list[Plan]:
    encodings = list(encodings)
    return [
        SequencePlan(task, encoding, seed)
        for seed in SEEDS
        for task in tasks
        for encoding in encodings
    ]


def run_all(plans: list[Plan], folders: tuple[Path, Path], jobs: int) -> None:
    """Do all runs that are not done yet, `jobs` at a time, one thread each."""
    context = get_context("spawn")
    messages = context.Manager().Queue()
    with (
        tqdm(total=len(plans), unit="run") as bar,
        ProcessPoolExecutor(jobs, context, _prepare_worker) as pool,
    ):
        pending = {
            pool.submit(_train_quietly, plan, folders, messages) for plan in plans
        }
        while pending:
            done, pending = wait(pending, timeout=1.0)
            for future in done:
                future.result()
                bar.update()
            while not messages.empty():
                bar.set_postfix_str(messages.get())


def _prepare_worker() -> None:
    torch.set_num_threads(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops its workers


def _train_quietly(plan: Plan, folders: tuple[Path, Path], messages: Any) -> None:
    def report(measured: dict[str, float]) -> None:
        messages.put(f"{plan.name}: {_words(measured)}")

    train(plan, *folders, report)


def run_one(plan: Plan, folders: tuple[Path, Path]) -> None:
    """Do one run, with a bar of its steps, and print what came out."""
    torch.set_num_threads(1)
    with tqdm(total=plan.max_steps, unit="step") as bar:

        def report(measured: dict[str, float]) -> None:
            bar.update(measured["step"] - bar.n)
            bar.set_postfix_str(_words(measured))

        results = train(plan, *folders, report)
    solved = "solved" if results["solved"] else "NOT solved"
    print(f"{plan.name}: {solved} after {results['steps']} steps.")
    print(json.dumps(results["tests"], indent=1))


def _words(measured: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in measured.items())


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(
        prog="python -m posenc.lab", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help="of the results (%(default)s)"
    )
    parser.add_argument(
        "--unfinished",
        type=Path,
        default=UNFINISHED,
        help="of stopped runs (%(default)s)",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    single = commands.add_parser("train", help="one run of a sequence task")
    single.add_argument("--task", choices=TASKS, required=True)
    single.add_argument("--encoding", choices=trained_encodings(), required=True)
    speech = commands.add_parser("speech", help="one run of reading speech")
    speech.add_argument("--reader", choices=READERS, required=True)
    speech.add_argument("--encoding", choices=SPEECH_ENCODINGS, required=True)
    speech.add_argument("--front", choices=FRONTS, default="convolution")
    for command, plan in ((single, SequencePlan), (speech, SpeechPlan)):
        command.add_argument("--seed", type=int, default=0)
        command.add_argument("--max-steps", type=int, default=plan.max_steps)
    for name, text in (
        ("core", "eight encodings, two tasks, three seeds"),
        ("full", "all encodings, all tasks, all of reading speech, three seeds"),
    ):
        several = commands.add_parser(name, help=text)
        several.add_argument(
            "--jobs", type=int, default=os.cpu_count(), help="runs at a time"
        )
    options = vars(parser.parse_args())
    folders = options.pop("folder"), options.pop("unfinished")
    command = options.pop("command")
    try:
        if command == "train":
            run_one(SequencePlan(**options), folders)
        elif command == "speech":
            run_one(SpeechPlan(**options), folders)
        else:
            plans = core_plans() if command == "core" else full_plans()
            run_all(plans, folders, options["jobs"])
    except KeyboardInterrupt:
        sys.exit("Stopped. The same command goes on from the last evaluation.")
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
