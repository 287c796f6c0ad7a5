"""``python -m posenc``: an overview, and checks of any code from the shell.

Exit codes: 0 if all is well or a check passed, 1 if it did not, 2 for a command that
cannot be carried out, 141 if the output is a pipe that was closed.
"""

import argparse
import contextlib
import importlib
import importlib.util
import inspect
import json
import os
import secrets
import sys
import traceback
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Any

from . import __version__
from .checkpoint import (
    Checkpoint,
    as_dict,
    chosen_layer,
    describe,
    groups,
    report,
)
from .conventions import conforms, identify, signatures
from .core.cluster import dask_executor
from .exercises import check, hint, names, progress
from .kit.exercises import calls_of
from .kit.exercises.registry import (
    Exercise,
    UnknownExerciseError,
    chapters,
    find,
    is_exercise,
)

_START = """\
In Python
    import posenc
    help(posenc.t5)                              what a chapter's module holds
    from posenc.exercises import check, hint, progress
    check("t5.last_bucket_start", my_function)   says what is right and what is not

In the shell
    python -m posenc exercises [CHAPTER]         the exercises
    python -m posenc hint NAME [NUMBER]          a hint
    python -m posenc progress [CHAPTER]          what was passed and tried
    python -m posenc check NAME MODULE:FUNCTION  check your own code, and name the
                                                 convention that it follows
    python -m posenc config FILE                 what a config.json says about positions
    python -m posenc grade FOLDER --out FILE     points for a folder of notebooks
    python -m posenc marks TABLE ... --out FILE  these points with names, for a platform
"""

_CHECK = """\
NAME is that of an exercise (python -m posenc exercises), or one of those below, for
which the convention is named as well: signs, pairs, base, scaling, alignment. Each is
called with NumPy arrays, or with torch tensors where it does not take those:

{signatures}

FUNCTION needs that signature. For other code write an adapter. This one, in port.py,
shows it the rotary embedding of transformers' Llama:

    def rotary(x, positions):  # x: (tokens, features)
        cos, sin = embedding(x[None], positions[None])
        return apply_rotary_pos_emb(x[None, None], x[None, None], cos, sin)[0][0, 0]

    python -m posenc check rope.apply_rotary port:rotary

One of a class, with positions 0, 1, 2, …, as rotary-embedding-torch has it:

    def rotary(x):
        return RotaryEmbedding(x.shape[-1]).rotate_queries_or_keys(x)

With --config the function is compared with what a checkpoint's configuration says:

    python -m posenc check --config config.json port:rotary
"""


_GRADE = """\
A notebook is Ada's if it is FOLDER/ada.ipynb, or lies anywhere in FOLDER/ada, or in
FOLDER/ada_123_assignsubmission_file, as Moodle calls that folder. Its cells run in a
process of their own; what is asked about its answers, and the points, come from another
one. FILE is a table of the notebooks (CSV); one of the exercises, with what is wrong,
lies beside it. Stopped, the command goes on where it was. It grades again what has
changed, could not be graded, is asked about other exercises, or has no page in the
folder for feedback. Use an account that has nothing else to lose.
"""


_MARKS = """\
Each TABLE is one that grade has written after --out, or a copy in which a column
"paper" holds points for derivations; its name is that of the assignment. Students of
ROSTER (a CSV file with the columns id, first_name, last_name, email, of which id is the
name of a student as the tables have it) are listed whether they have handed anything in
or not.
"""


class _UsageError(Exception):
    """The command cannot be carried out, and here is why."""


#: Exit code that shells give to a command whose reader has left, as `head` does.
_SIGPIPE = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command, and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a shell may not know ✓
    options = _parser().parse_args(arguments)
    try:
        status = int(options.run(options))
        sys.stdout.flush()
    except BrokenPipeError:
        # Python writes what is left to stdout again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _SIGPIPE
    except _UsageError as error:
        print(f"posenc: {error}", file=sys.stderr)
        return 2
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m posenc", description="Positional encodings for Transformers."
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.set_defaults(run=_overview)
    commands = parser.add_subparsers(metavar="COMMAND")
    listed = "\n".join(f"    {n:31} {s}" for n, s in signatures().items())
    command = commands.add_parser(
        "check",
        help="check your own code, and name the convention that it follows",
        epilog=_CHECK.format(signatures=listed),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("name", metavar="NAME", nargs="?")
    command.add_argument(
        "target",
        metavar="MODULE:FUNCTION",
        nargs="?",
        help="my_module:my_function, package.module:Class.method or file.py:function",
    )
    command.add_argument("--seed", type=_whole, help="repeat the inputs of a report")
    command.add_argument(
        "--time-limit", type=_seconds, default=10.0, help="in seconds (default: 10)"
    )
    command.add_argument(
        "--config", metavar="FILE", help="compare with this config.json, without a NAME"
    )
    command.add_argument(
        "--layer", type=_whole, help="of the config (default: the first that turns)"
    )
    command.set_defaults(run=_check, command=command)
    command = commands.add_parser(
        "config", help="what a checkpoint's config.json says about positions"
    )
    command.add_argument("file", metavar="FILE", help="a config.json, or its folder")
    command.add_argument("--json", action="store_true", help="print numbers as JSON")
    command.add_argument("--plot", metavar="FILE", type=Path, help="draw a picture")
    command.set_defaults(run=_config)
    command = commands.add_parser("exercises", help="list the exercises")
    command.add_argument("chapter", metavar="CHAPTER", nargs="?", type=_chapter)
    command.set_defaults(run=_exercises)
    command = commands.add_parser("hint", help="show a hint for an exercise")
    command.add_argument("name", metavar="NAME")
    command.add_argument("number", metavar="NUMBER", nargs="?", type=_whole, default=1)
    command.set_defaults(run=_hint)
    command = commands.add_parser("progress", help="show what was passed and tried")
    command.add_argument("chapter", metavar="CHAPTER", nargs="?", type=_chapter)
    command.set_defaults(run=_progress)
    command = commands.add_parser(
        "grade",
        help="points for a folder of notebooks",
        epilog=_GRADE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("folder", metavar="FOLDER", type=Path)
    command.add_argument("--out", metavar="FILE", type=Path, required=True)
    command.add_argument(
        "--exercises",
        metavar="NAME",
        nargs="+",
        default=(),
        help="those that count (default: those that each notebook names or checks)",
    )
    command.add_argument(
        "--feedback", metavar="FOLDER", type=Path, help="pages for the students"
    )
    command.add_argument(
        "--jobs", type=_whole, help="notebooks at a time (default: one per processor)"
    )
    command.add_argument(
        "--dask", metavar="ADDRESS", help="send the notebooks to this Dask cluster"
    )
    command.add_argument(
        "--cell-seconds", type=_seconds, default=60.0, help="for a cell (default: 60)"
    )
    command.add_argument(
        "--answer-seconds",
        type=_seconds,
        default=10.0,
        help="for all calls of one answer (default: 10)",
    )
    command.add_argument(
        "--notebook-seconds",
        type=_seconds,
        default=600.0,
        help="after which no cell of a notebook begins (default: 600)",
    )
    command.set_defaults(run=_grade)
    command = commands.add_parser(
        "marks",
        help="tables of points with names, for a learning platform",
        epilog=_MARKS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("tables", metavar="TABLE", type=Path, nargs="+")
    command.add_argument("--out", metavar="FILE", type=Path, required=True)
    command.add_argument("--roster", metavar="ROSTER", type=Path)
    command.add_argument(
        "--to",
        choices=("plain", "canvas", "moodle", "blackboard"),
        default="plain",
        help="whose columns it has (default: plain, with sums)",
    )
    command.set_defaults(run=_marks)
    return parser


def _marks(options: argparse.Namespace) -> int:
    grade_tables = importlib.import_module(f"{__package__}.classroom.grade_tables")
    tables = importlib.import_module(f"{__package__}.classroom.tables")
    try:
        sources = [*options.tables, *filter(None, [options.roster])]
        if options.out.resolve() in [path.resolve() for path in sources]:
            msg = f"--out must be a new file, got {options.out}, which is read"
            raise _UsageError(msg)
        points, remarks = grade_tables.read_grade_tables(options.tables, options.roster)
        tables.write_points(points, options.to, options.out)
    except (ValueError, OSError) as error:
        raise _UsageError(str(error)) from error
    print(*remarks, f"Wrote {options.out}.", sep="\n")
    return 0


def _grade(options: argparse.Namespace) -> int:
    if not hasattr(os, "fork"):
        msg = "grading needs Linux or macOS; on Windows use it in WSL"
        raise _UsageError(msg)
    if importlib.util.find_spec("IPython") is None:
        msg = "grading runs notebooks and needs IPython: pip install ipython"
        raise _UsageError(msg)
    for name in options.exercises:
        _find(name)
    batch = importlib.import_module(f"{__package__}.grading.batch")
    grades = importlib.import_module(f"{__package__}.grading.grades")
    limits = grades.Limits(
        cell=options.cell_seconds,
        answer=options.answer_seconds,
        notebook=options.notebook_seconds,
    )
    try:
        with dask_executor(options.dask) as executor:
            batch.grade_folder(
                options.folder,
                options.out,
                exercises=options.exercises,
                limits=limits,
                jobs=options.jobs,
                pages=options.feedback,
                executor=executor,
            )
    except (ValueError, OSError, batch.TamperedError) as error:
        raise _UsageError(str(error)) from error
    return 0


def _overview(options: argparse.Namespace) -> int:
    print(f"posenc {__version__}: positional encodings for Transformers, the code of")
    print("the book “Where Am I?”, and checks for its exercises.\n\nChapters")
    for slug in chapters():
        doc = importlib.import_module(f"{__package__}.{slug}").__doc__ or ""
        about = doc.partition("\n")[0].partition(" Companion of")[0]
        print(f"    posenc.{slug:18} {len(names(slug)):2} exercises  {about}")
    print(f"\n{_START}")
    return 0


def _config(options: argparse.Namespace) -> int:
    checkpoint = _described(options.file)
    if options.json:
        print(json.dumps(as_dict(checkpoint), indent=2, ensure_ascii=False))
    else:
        print(report(checkpoint))
    if options.plot is not None:
        _draw(checkpoint, options.plot)
    return 0


def _described(file: str) -> Checkpoint:
    try:
        return describe(file)
    except (TypeError, ValueError) as error:
        raise _UsageError(str(error)) from None


def _draw(checkpoint: Checkpoint, file: Path) -> None:
    if importlib.util.find_spec("matplotlib") is None:
        msg = "a picture needs matplotlib: pip install matplotlib"
        raise _UsageError(msg)
    if not file.name:
        msg = f"--plot must be the name of a new file, got {str(file)!r}"
        raise _UsageError(msg)
    figures = importlib.import_module(f"{__package__}.checkpoint.figures")
    try:
        figures.save(checkpoint, file)
    except (OSError, ValueError) as error:
        msg = f"{file} cannot be drawn: {error}"
        raise _UsageError(msg) from None


def _check_config(options: argparse.Namespace) -> int:
    if not options.name or options.target:
        msg = "with --config write one MODULE:FUNCTION and no NAME."
        raise _UsageError(msg)
    checkpoint = _described(options.config)
    settings = {"seed": options.seed, "time_limit": options.time_limit}
    answer = _load(options.name)
    try:
        result = conforms(checkpoint, answer, layer=options.layer, **settings)
    except ValueError as error:
        raise _UsageError(str(error)) from None
    print(result)
    layer = chosen_layer(checkpoint, options.layer)
    print(f"    It was compared with layer {layer.number} of {checkpoint.family}.")
    others = [g for g in groups(checkpoint) if layer.number not in g.numbers]
    for group in others:
        print(
            f"    Others differ: --layer {group.numbers[0]} for layers {group.names}."
        )
    return 0 if result else 1


def _check(options: argparse.Namespace) -> int:
    if options.config:
        return _check_config(options)
    if not options.name or not options.target:
        options.command.error(
            "the following arguments are required: NAME, MODULE:FUNCTION; or --config "
            "FILE and MODULE:FUNCTION"
        )
    known = options.name in signatures()
    exercise = None if options.name in _others() else _find(options.name, check=True)
    answer = _load(options.target)
    seed = secrets.randbelow(1_000_000) if options.seed is None else options.seed
    settings = {"seed": seed, "time_limit": options.time_limit}
    passed, more = True, ""
    if exercise is not None:
        more = _not_taken(exercise, answer, seed) if known else ""
        if more:
            print(
                f"The exercise {options.name} passes {more} as well, which this "
                "function does not take: its convention alone was compared."
            )
        else:
            result = check(options.name, answer, record=False, **settings)
            print(result)
            passed = bool(result)
    if known and callable(answer):
        identification = identify(options.name, answer, **settings)
        print(identification)
        if more or exercise is None:
            passed = identification.status == "same"
    return 0 if passed else 1


def _not_taken(exercise: Exercise, answer: Any, seed: int) -> str:
    """Return arguments that an exercise passes and a function lacks, in words."""
    try:
        takes = inspect.signature(answer)
    except (ValueError, TypeError):  # no function, or one that does not tell
        return ""
    missing = dict[str, None]()
    for call in calls_of(exercise, seed):
        if not _fits(takes, call.args, {}):
            return "other arguments"
        missing |= {n: None for n in call.kwargs if not _fits(takes, (), {n: None})}
    return " and ".join(missing)


def _fits(takes: inspect.Signature, args: Sequence[Any], options: Any) -> bool:
    try:
        takes.bind_partial(*args, **options)
    except TypeError:
        return False
    return True


def _find(name: str, *, check: bool = False) -> Exercise:
    """Return an exercise, or raise what the command line shows."""
    try:
        return find(name)
    except UnknownExerciseError as unknown:
        more = f"\nWithout being exercises: {', '.join(_others())}." if check else ""
        msg = f"{unknown}{more}"
        raise _UsageError(msg) from None


def _others() -> list[str]:
    """Return names that `check` takes without being exercises."""
    return [name for name in signatures() if not is_exercise(name)]


def _exercises(options: argparse.Namespace) -> int:
    for name in names(options.chapter):
        print(f"{name:42} {find(name).statement}")
    return 0


def _hint(options: argparse.Namespace) -> int:
    _find(options.name)
    print(hint(options.name, options.number))
    return 0


def _progress(options: argparse.Namespace) -> int:
    print(progress(options.chapter))
    return 0


def _load(target: str) -> Any:
    """Return the object that ``module:name`` or ``file.py:name`` stands for."""
    where, _, name = target.rpartition(":")
    if not where or not name:
        msg = f"{target!r} names no function: write MODULE:FUNCTION."
        raise _UsageError(msg)
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        module = _load_file(where) if where.endswith(".py") else _load_module(where)
    except _UsageError:
        raise
    except (Exception, SystemExit) as error:  # whatever the module does
        frames = traceback.extract_tb(error.__traceback__)
        theirs = [f for f in frames if not f.filename.startswith("<frozen")]
        last = theirs[-1] if theirs else None
        place = f"\n{last.filename}, line {last.lineno}: {last.line}" if last else ""
        words = "".join(traceback.format_exception_only(error)).strip()
        msg = f"{where} cannot be imported. It raises {words}{place}"
        raise _UsageError(msg) from None
    try:
        return reduce(getattr, name.split("."), module)
    except AttributeError:
        public = [n for n, v in vars(module).items() if callable(v) and n[0] != "_"]
        listed = f" It has {', '.join(public[:10])}." if public else ""
        msg = f"{where} has no {name!r}.{listed}"
        raise _UsageError(msg) from None


def _load_module(name: str) -> Any:
    spec = None
    with contextlib.suppress(ImportError, ValueError):
        spec = importlib.util.find_spec(name)
    if spec is None:
        msg = (
            f"There is no module {name!r} in {Path.cwd()}, nor among the installed "
            "packages."
        )
        raise _UsageError(msg)
    return importlib.import_module(name)


def _load_file(file: str) -> Any:
    path = Path(file)
    if not path.is_file():
        msg = f"There is no file {file}."
        raise _UsageError(msg)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        msg = f"{file} is no Python file."
        raise _UsageError(msg)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.parent.resolve()))  # for what lies beside it
    spec.loader.exec_module(module)
    return module


def _whole(text: str) -> int:
    if not text.isdecimal():
        msg = f"{text!r} is no whole number from 0"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        seconds = float(text)
        if 0 < seconds < float("inf"):
            return seconds
    msg = f"{text!r} is no number of seconds above 0"
    raise argparse.ArgumentTypeError(msg)


def _chapter(text: str) -> str:
    if text not in chapters():
        msg = f"there is no chapter {text!r}; there are {', '.join(chapters())}"
        raise argparse.ArgumentTypeError(msg)
    return text


if __name__ == "__main__":
    sys.exit(main())
