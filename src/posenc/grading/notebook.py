"""Notebooks that are handed in: their cells, what is asked there, and what is odd."""

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from posenc.kit.exercises.registry import Exercise, find


class NotebookError(ValueError):
    """The file is no notebook."""


@dataclass(frozen=True)
class Asked:
    """A call of `check` in a cell: the exercise's name, and the answer's expression."""

    name: str
    answer: str


@dataclass
class Cell:
    """A cell of code.

    Parameters
    ----------
    number : int
        From 1, among all cells.
    source : str
        As it is handed in.
    asked : list of Asked
        What it checks, as far as that can be read without running it.
    odd : list of str
        What answers to exercises do not need, in words.
    """

    number: int
    source: str
    asked: list[Asked] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)


@dataclass
class Notebook:
    """A notebook that was handed in.

    Parameters
    ----------
    cells : list of Cell
        Its code.
    exercises : dict
        Names of those that it was given out with, and expressions of their answers; if
        it does not say, those that it checks.
    """

    cells: list[Cell]
    exercises: dict[str, str]

    def answer_to(self, name: str) -> str:
        """Source of the cell that defines the answer to an exercise, or nothing."""
        wanted = _names(self.exercises.get(name, ""))
        for cell in reversed(self.cells):
            for asked in cell.asked:
                if asked.name == name:
                    wanted |= _names(asked.answer)
            if wanted & _defined(cell.source):
                return cell.source
        return ""


def read(path: Path) -> Notebook:
    """Read a file.

    Raises
    ------
    NotebookError
        If it is no notebook of Jupyter's.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        msg = f"{path.name} is no notebook: {error}"
        raise NotebookError(msg) from error
    return of_content(content, path.name)


def of_content(content: Any, name: str = "it") -> Notebook:
    """Notebook from the content of its file, which anybody may have changed.

    Raises
    ------
    NotebookError
        If it is none.
    """
    found = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(found, list):
        msg = f"{name} is no notebook: it has no list of cells"
        raise NotebookError(msg)
    cells = []
    for number, raw in enumerate(found, 1):
        if isinstance(raw, dict) and raw.get("cell_type") == "code":
            source = raw.get("source", "")
            if isinstance(source, list):
                source = "".join(map(str, source))
            cells.append(_cell(number, str(source)))
    exercises = {}
    for place in ("metadata", "posenc", "exercises"):
        content = content.get(place) if isinstance(content, dict) else None
    if isinstance(content, dict):
        exercises = {n: str(text) for n, text in content.items() if known(n)}
    for cell in cells:
        for asked in cell.asked:
            exercises.setdefault(asked.name, asked.answer)
    return Notebook(cells, exercises)


def known(name: Any) -> Exercise | None:
    """The exercise of that name, if there is one."""
    exercise = find(name) if isinstance(name, str) else None
    return exercise if isinstance(exercise, Exercise) else None


def _cell(number: int, source: str) -> Cell:
    tree = _parsed(source)
    if tree is None:
        return Cell(number, source)
    return Cell(number, source, list(_asked(tree)), list(dict.fromkeys(_odd(tree))))


def _parsed(source: str) -> ast.Module | None:
    """Syntax tree, without the lines that are commands of IPython."""
    lines = [
        ""
        if line.lstrip().startswith(("%", "!", "?")) or line.rstrip().endswith("?")
        else line
        for line in source.splitlines()
    ]
    for text in (source, "\n".join(lines)):
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def _asked(tree: ast.Module) -> Iterator[Asked]:
    """Calls whose first argument names an exercise, and whose second one answers it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            named = {word.arg: word.value for word in node.keywords}
            first = node.args[0] if node.args else named.get("name")
            answer = node.args[1] if len(node.args) > 1 else named.get("answer")
            if (
                isinstance(first, ast.Constant)
                and answer is not None
                and not isinstance(answer, ast.Starred)
                and known(first.value)
            ):
                yield Asked(str(first.value), ast.unparse(answer))


#: Modules that no answer needs, and what they are for.
_ODD_MODULES = {
    "ctypes": "the memory of Python",
    "gc": "all objects in memory",
    "inspect": "code that is running, or its source",
    "dis": "compiled code",
    "pickle": "stored objects",
    "marshal": "stored objects",
    "subprocess": "other programs",
    "multiprocessing": "other processes",
    "socket": "the network",
    "urllib": "the network",
    "requests": "the network",
    "atexit": "the end of Python",
    "signal": "signals",
}
#: Parts of posenc that notebooks use though pages alone need them.
_FOR_ALL = ("posenc.kit.figures", "posenc.kit.widgets")
#: Names by which code looks into other code.
_ODD_NAMES = {
    *("_getframe", "__subclasses__", "__globals__", "__code__", "__closure__"),
    *("__reduce__", "__builtins__", "addaudithook", "settrace", "setprofile"),
    *("system", "fork", "kill", "killpg", "getsource", "_hand_in"),
}


def _odd(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules = [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
        for module in modules:
            first, *rest = module.split(".")
            if first in _ODD_MODULES:
                yield f"It imports {first} ({_ODD_MODULES[first]})."
            inner = {"oracle", "kit", "grading"} & {*rest}
            if first == "posenc" and inner and not module.startswith(_FOR_ALL):
                yield f"It imports {module}."
        if isinstance(node, ast.Attribute) and node.attr in _ODD_NAMES:
            yield f"It uses {node.attr}."
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            root = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in _SHARED:
                yield f"It replaces {ast.unparse(node)}."


#: Names under which cells know what all code shares.
_SHARED = {"np", "numpy", "math", "builtins", "posenc", "torch", "Result", "check"}


def _names(expression: str) -> set[str]:
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _defined(source: str) -> set[str]:
    """Names that a cell gives a value at its outermost level."""
    tree, names = _parsed(source), set[str]()
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        else:
            names |= {
                name.id
                for name in ast.walk(node)
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            }
    return names
