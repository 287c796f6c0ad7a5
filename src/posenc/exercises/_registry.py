"""The list of exercises: chapters register theirs, and are imported when asked for."""

import difflib
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

AsksFor = Literal["function", "value"]
#: Points of an exercise that asks for a value, and of one that asks for a function.
POINTS: dict[AsksFor, int] = {"value": 1, "function": 2}

Checker = Callable[[Any, Any], None]  # (attempt, random generator)


@dataclass(frozen=True)
class Exercise:
    """One exercise. Its statement is one line; the page says more."""

    name: str
    statement: str
    checker: Checker
    hints: tuple[str, ...]
    asks_for: AsksFor


_exercises: dict[str, Exercise] = {}

#: Chapters in the order of the book. One that is not listed comes last.
_ORDER = (
    "attention", "sinusoidal", "rotation", "shaw", "music_transformer",
    "transformer_xl", "t5", "swin", "rope", "linear_attention", "convolutional",
    "alibi", "cape", "compare", "laboratory",
)  # fmt: skip


def exercise(
    *hints: str, asks_for: AsksFor = "function"
) -> Callable[[Checker], Checker]:
    """Register a checker under ``"<chapter>.<function>"``.

    The first line of its docstring is the statement. It receives an `Attempt` and a
    seeded NumPy generator, and returns if the answer is right.

    Parameters
    ----------
    *hints : str
        From a nudge to nearly the answer.
    asks_for : {"function", "value"}
        What the learner hands in.
    """

    def register(checker: Checker) -> Checker:
        slug = checker.__module__.removeprefix(f"{__package__}.").partition(".")[0]
        name = f"{slug}.{checker.__name__}"
        statement = (checker.__doc__ or "").partition("\n")[0]
        _exercises[name] = Exercise(name, statement, checker, hints, asks_for)
        return checker

    return register


def chapters() -> list[str]:
    """Slugs of the chapters that have exercises, in the order of the book."""
    package = importlib.import_module(__package__)
    found = (module.name for module in pkgutil.iter_modules(package.__path__))
    place = {slug: number for number, slug in enumerate(_ORDER)}
    return sorted(
        (slug for slug in found if not slug.startswith("_")),
        key=lambda slug: (place.get(slug, len(place)), slug),
    )


def names(slug: str | None = None) -> list[str]:
    """Names of all exercises, or of one chapter's, in the order of its page."""
    wanted = [chapter for chapter in chapters() if slug in (None, chapter)]
    for chapter in wanted:
        importlib.import_module(f"{__package__}.{chapter}")
    return [n for c in wanted for n in _exercises if n.startswith(f"{c}.")]


def find(name: Any) -> Exercise | str:
    """Exercise of that name; or a message that says which names are near."""
    slug = name.partition(".")[0] if isinstance(name, str) else None
    if slug in chapters():
        importlib.import_module(f"{__package__}.{slug}")
        if name in _exercises:
            return _exercises[name]
    everything = names()
    near = difflib.get_close_matches(str(name), everything, n=3, cutoff=0.5)
    if not near and slug in chapters():
        near = names(slug)
    if not near:  # perhaps the chapter was left out
        near = [n for n in everything if n.partition(".")[2] == name]
    listed = ", ".join(f'"{n}"' for n in near or everything[:10])
    if near:
        return f"There is no exercise named {name!r}. Did you mean {listed}?"
    return (
        f"There is no exercise named {name!r}. There are, for example, {listed}; "
        "posenc.exercises.names() lists them all."
    )
