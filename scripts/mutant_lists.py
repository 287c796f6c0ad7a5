"""Read the lists of mistakes, ``tests/<slug>/mutants.json``: part of ``mutate.py``."""

import ast
import json
from pathlib import Path
from typing import NamedTuple

from function_definitions import (
    Definition,
    global_names,
    public_functions,
    reachable,
)
from tree_pattern import replaced

FEWEST = 5


class Mutant(NamedTuple):
    """A mistake, and the chapter whose tests are to notice it."""

    slug: str
    description: str
    right: Definition
    wrong: ast.FunctionDef


def slugs(root: Path) -> list[str]:
    """Chapters that have a list."""
    return sorted(path.parent.name for path in root.glob("tests/*/mutants.json"))


class Entry(NamedTuple):
    """What a list says of one mutant."""

    name: str
    old: str
    new: str
    where: str  #: function or helper that holds the old piece
    which: int | None  #: number of the piece, if it is there several times

    @property
    def text(self) -> str:
        """In words."""
        number = f" (number {self.which})" if self.which is not None else ""
        return f"{self.name}: {self.old!r}{number} -> {self.new!r} in {self.where}"


def entries(root: Path, slug: str) -> list[Entry]:
    """All entries of a chapter's list; none if it has no list."""
    path = root / "tests" / slug / "mutants.json"
    lists = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    found = []
    for name, mutants in lists.items():
        for old, new, *rest in mutants:
            where = next((word for word in rest if isinstance(word, str)), name)
            which = next((number for number in rest if isinstance(number, int)), None)
            found.append(Entry(name, old, new, where, which))
    return found


def load(root: Path, slug: str) -> tuple[int, list[Mutant], list[str]]:
    """Number of public functions of a chapter, its mutants, and what is wrong there."""
    functions = public_functions(root, slug)
    uses = {name: reachable(function) for name, function in functions.items()}
    different: dict[str, set[str]] = {name: set() for name in functions}
    mutants: list[Mutant] = []
    wrong = []
    for entry in entries(root, slug):
        try:
            right = uses[entry.name][entry.where]
            known = global_names(right.file)
            node = replaced(right.node, entry.old, entry.new, entry.which, known)
        except KeyError:
            problem = "the chapter exports no such function"
            if entry.name in functions:
                problem = f"{entry.name} uses no function {entry.where}"
            wrong.append(f"{slug}.{entry.text}: {problem}")
        except (SyntaxError, ValueError) as error:
            wrong.append(f"{slug}.{entry.text}: {error}")
        else:
            different[entry.name].add(ast.dump(node))
            mutants.append(Mutant(slug, f"{slug}.{entry.text}", right, node))
    wrong += [
        f"{slug}.{name}: {len(some)} mutants, {FEWEST} are needed"
        for name, some in different.items()
        if len(some) < FEWEST
    ]
    return len(functions), mutants, wrong
