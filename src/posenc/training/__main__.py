"""Command line of the laboratory: ``python -m posenc.training --help``."""

import argparse
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from posenc.core.cluster import dask_executor

from .language_model import TextPlan
from .loop import Plan, train
from .memory import FACTS, MemoryPlan
from .runs import (
    PAGE,
    best_rates,
    full_plans,
    page_plans,
    run_all,
    trained_encodings,
    tuning_plans,
    words,
)
from .sequences import SequencePlan
from .speech import ENCODINGS as SPEECH_ENCODINGS
from .speech import FRONTS, READERS, SpeechPlan
from .tasks import TASKS
from .token_before import ShiftPlan

#: Folder of results in a checkout, where the book looks for them.
FOLDER = Path(__file__).parents[3] / "book" / "data" / "lab_runs"
#: Folder of stopped runs.
UNFINISHED = Path(__file__).parents[3] / ".lab"
#: Class of the plan that each command trains.
PLANS: dict[str, Any] = {
    "train": SequencePlan,
    "text": TextPlan,
    "speech": SpeechPlan,
    "memory": MemoryPlan,
    "shift": ShiftPlan,
}


def run_one(plan: Plan, folders: tuple[Path, Path]) -> None:
    """Do one run, with a bar of its steps, and print what came out."""
    torch.set_num_threads(1)
    with tqdm(total=plan.max_steps, unit="step") as bar:

        def report(measured: dict[str, float]) -> None:
            bar.update(measured["step"] - bar.n)
            bar.set_postfix_str(words(measured))

        results = train(plan, *folders, report)
    print(f"{plan.name}: {results['steps']} steps.")
    if plan.name != "shift":  # a table for figures
        print(json.dumps(results["tests"], indent=1))


def run_several(
    command: str, folders: tuple[Path, Path], jobs: int, dask: str | None
) -> None:
    """Choose the learning rates, and do all runs of the page or of the book."""
    encodings, plans = (
        (PAGE, page_plans) if command == "page" else (trained_encodings(), full_plans)
    )
    with dask_executor(dask) as executor:
        tuned = run_all(tuning_plans(encodings), folders, jobs, executor)
        run_all(plans(best_rates(tuned, encodings)), folders, jobs, executor)


def argument_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m posenc.training", description=__doc__.splitlines()[0]
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
    text = commands.add_parser("text", help="one run of the book's own text")
    for command in (single, text):
        command.add_argument(
            "--encoding", choices=trained_encodings(controls=True), required=True
        )
    speech = commands.add_parser("speech", help="one run of reading speech")
    speech.add_argument("--reader", choices=READERS, required=True)
    speech.add_argument("--encoding", choices=SPEECH_ENCODINGS, required=True)
    speech.add_argument("--front", choices=FRONTS, default="convolution")
    memory = commands.add_parser("memory", help="a memory, tested with longer ones")
    memory.add_argument("--facts", choices=FACTS, default=MemoryPlan.facts)
    commands.add_parser("shift", help="small heads that look at the token before")
    seeded = single, text, speech, memory
    for command, plan in zip(seeded, PLANS.values(), strict=False):
        command.add_argument("--seed", type=int, default=getattr(plan, "seed", 0))
        command.add_argument("--max-steps", type=int, default=plan.max_steps)
    for command, plan in ((single, SequencePlan), (text, TextPlan)):
        command.add_argument("--learning-rate", type=float, default=plan.learning_rate)
    for name, summary in (
        ("page", "learning rates, then what the page of the laboratory shows"),
        ("full", "the same, then what other chapters show"),
    ):
        several = commands.add_parser(name, help=summary)
        several.add_argument(
            "--jobs", type=int, default=os.cpu_count(), help="runs at a time"
        )
        several.add_argument(
            "--dask", metavar="ADDRESS", help="send the runs to this Dask cluster"
        )
    return parser


def main() -> None:
    """Parse the command line and run."""
    options = vars(argument_parser().parse_args())
    folders = options.pop("folder"), options.pop("unfinished")
    command = options.pop("command")
    # To be ended from outside is like Ctrl-C, or workers would live on alone.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if command in PLANS:
            run_one(PLANS[command](**options), folders)
        else:
            run_several(command, folders, **options)
    except KeyboardInterrupt:
        sys.exit("Stopped. The same command goes on from the last evaluation.")
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
