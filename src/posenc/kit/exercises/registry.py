"""The list of exercises: chapters register theirs, and are imported on demand.

Those in ``posenc.<slug>.exercises.graded`` are for marks: no page has them, and Python
in the browser goes without them.
"""

import difflib
import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from posenc.core.chapters import chapters as numbered
from posenc.core.chapters import with_part

from .mistakes import Mistakes

AsksFor = Literal["function", "value"]
#: Points of an exercise that asks for a value, and of one that asks for a function.
POINTS: dict[AsksFor, int] = {"value": 1, "function": 2}
#: Exercises that left the book, and the message for a reader who still has one.
RETIRED = {
    "attention.repair_attention": (
        "This exercise left the book; if you passed it, that stays in your progress. "
        'Its place was taken by "attention.catch_mistakes".'
    ),
}


class UnknownExerciseError(ValueError):
    """There is no exercise of that name. The message lists names that are near."""


Checker = Callable[[Any, Any], None]  # (attempt, random generator)


@dataclass(frozen=True)
class Exercise:
    """One exercise. Its statement is one line; the page says more."""

    name: str
    statement: str
    checker: Checker
    hints: tuple[str, ...]
    asks_for: AsksFor
    mistakes: Mistakes = ()
    #: Functions of the book's that an answer may call: it builds on them.
    uses: tuple[str, ...] = ()
    graded: bool = False


_exercises: dict[str, Exercise] = {}


def register(
    named: Callable[..., Any],
    checker: Checker,
    hints: tuple[str, ...],
    asks_for: AsksFor,
    mistakes: Mistakes = (),
    uses: tuple[str, ...] = (),
) -> None:
    """Register a checker under ``"<chapter>.<function>"`` by a function's name.

    The first line of the function's docstring is the statement.
    """
    slug, *_, module = named.__module__.removeprefix("posenc.").split(".")
    name = f"{slug}.{named.__name__}"
    statement = (named.__doc__ or "").partition("\n")[0]
    graded = module == "graded"
    _exercises[name] = Exercise(
        name, statement, checker, hints, asks_for, mistakes, uses, graded
    )


def exercise(
    *hints: str,
    asks_for: AsksFor = "function",
    mistakes: Mistakes = (),
    uses: tuple[str, ...] = (),
) -> Callable[[Checker], Checker]:
    """Register a checker of its own kind, under its name.

    It receives an `Attempt` and a seeded NumPy generator, and returns if the answer is
    right. Most exercises need none: see `posenc.kit.exercises.tasks`.

    Parameters
    ----------
    *hints : str
        From a nudge to nearly the answer.
    asks_for : {"function", "value"}
        What the learner hands in.
    mistakes : Mistakes
        Known mistakes that the checker names.
    uses : tuple of str
        Functions of the book's that an answer may call; grading refuses the others.
    """

    def made(checker: Checker) -> Checker:
        register(checker, checker, hints, asks_for, mistakes, uses)
        return checker

    return made


def chapters() -> list[str]:
    """Return slugs of the chapters that have exercises, in the order of the book.

    Other pages may have questions, too: they can be checked, and count for nothing.
    """
    return [slug for slug in with_part("exercises") if slug in numbered()]


def names(slug: str | None = None, *, graded: bool = False) -> list[str]:
    """Return names of all exercises, or of one chapter's, in the order of its page.

    Parameters
    ----------
    slug : str, optional
        The chapter, or another page with questions.
    graded : bool, default False
        List those for marks, too, behind those of the page.
    """
    known = chapters() if slug is None else with_part("exercises")
    chosen = [page for page in known if slug in (None, page)]
    for chapter in chosen:
        _load(chapter, graded=graded)
    return [
        name
        for chapter in chosen
        for name, known in _exercises.items()
        if name.startswith(f"{chapter}.") and known.graded <= graded
    ]


def _load(chapter: str, *, graded: bool) -> None:
    """Import a chapter's exercises; graded ones may not be installed."""
    module = f"posenc.{chapter}.exercises"
    importlib.import_module(module)
    if graded and _has_graded(chapter):
        importlib.import_module(f"{module}.graded")


def _has_graded(chapter: Any) -> bool:
    return importlib.util.find_spec(f"posenc.{chapter}.exercises.graded") is not None


def is_exercise(name: Any) -> bool:
    """Return True if there is an exercise of that name."""
    try:
        find(name)
    except UnknownExerciseError:
        return False
    return True


def find(name: Any) -> Exercise:
    """Return the exercise of that name.

    Raises
    ------
    UnknownExerciseError
        If there is none.
    """
    slug = name.partition(".")[0] if isinstance(name, str) else None
    if slug in with_part("exercises"):
        for graded in (False, True):
            _load(slug, graded=graded)
            if name in _exercises:
                return _exercises[name]
    if str(name) in RETIRED:
        raise UnknownExerciseError(RETIRED[str(name)])
    everything = names()
    near = difflib.get_close_matches(str(name), everything, n=3, cutoff=0.5)
    if not near and slug in with_part("exercises"):
        near = names(slug)
    if not near:  # perhaps the chapter was left out
        near = [n for n in everything if n.partition(".")[2] == name]
    listed = ", ".join(f'"{n}"' for n in near or everything[:10])
    if near:
        msg = f"There is no exercise named {name!r}. Did you mean {listed}?"
    else:
        msg = (
            f"There is no exercise named {name!r}. There are, for example, {listed}; "
            "posenc.exercises.names() lists them all."
        )
    if slug in chapters() and not _has_graded(slug):
        msg += (
            " If it is one for marks, its check is not here: run it where your course "
            "runs, since Python in the browser goes without it."
        )
    raise UnknownExerciseError(msg)
