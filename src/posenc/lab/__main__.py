"""Command line of the laboratory: ``python -m posenc.lab --help``."""

import argparse
import json
import os
import signal
import sys
from pathlib import Path

import torch
from tqdm import tqdm

from .runs import core_plans, full_plans, run_all, trained_encodings, words
from .sequences import SequencePlan
from .speech import ENCODINGS as SPEECH_ENCODINGS
from .speech import FRONTS, READERS, SpeechPlan
from .tasks import TASKS
from .training import Plan, train

#: Where results are kept in a checkout, and where the book looks for them.
FOLDER = Path(__file__).parents[3] / "book" / "data" / "lab"
#: Where runs that were stopped wait.
UNFINISHED = Path(__file__).parents[3] / ".lab"


def run_one(plan: Plan, folders: tuple[Path, Path]) -> None:
    """Do one run, with a bar of its steps, and print what came out."""
    torch.set_num_threads(1)
    with tqdm(total=plan.max_steps, unit="step") as bar:

        def report(measured: dict[str, float]) -> None:
            bar.update(measured["step"] - bar.n)
            bar.set_postfix_str(words(measured))

        results = train(plan, *folders, report)
    solved = "solved" if results["solved"] else "NOT solved"
    print(f"{plan.name}: {solved} after {results['steps']} steps.")
    print(json.dumps(results["tests"], indent=1))


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
    # To be ended from outside is like Ctrl-C, or workers would live on alone.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
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
