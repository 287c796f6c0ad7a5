"""Read a submitted notebook: its cells, its checks, and code that no answer needs."""

import ast
import contextlib
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from posenc.kit.exercises.registry import Exercise, find, is_exercise

from .api_block import allowed_in


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
        Checks that can be read off its source.
    odd : list of str
        Sentences on code that no answer needs.
    may_call : list of str or None
        Functions of posenc that it may call, if it defines a function as an answer;
        None if it may call all.
    """

    number: int
    source: str
    asked: list[Asked] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    may_call: list[str] | None = None


@dataclass
class Notebook:
    """A notebook that was handed in.

    Parameters
    ----------
    cells : list of Cell
        Its code.
    exercises : dict
        Names of those that it was given out with or checks, and expressions of their
        answers, in the order of the notebook.
    titles : dict
        Headings above their checks, where these say "Exercise 3".
    """

    cells: list[Cell]
    exercises: dict[str, str]
    titles: dict[str, str] = field(default_factory=dict)

    def answer_to(self, name: str) -> str:
        """Return the source of the cell that defines an answer, or nothing."""
        wanted = names_in(self.exercises.get(name, ""))
        for cell in reversed(self.cells):
            for asked in cell.asked:
                if asked.name == name:
                    wanted |= names_in(asked.answer)
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
        raw = path.read_bytes()
    except OSError as error:
        msg = f"{path.name} is no notebook: {error}"
        raise NotebookError(msg) from error
    return parse_notebook(content_of(raw, path.name))


def content_of(raw: bytes, name: str = "it") -> Any:
    """Return the content of a notebook's file, without a look at its cells.

    Raises
    ------
    NotebookError
        If it is something else; the message says what, and what to do.
    """
    content, found = None, next(filter(raw.lstrip().startswith, _KINDS), None)
    if found is not None:
        what = _KINDS[found]
    elif not raw.strip():
        what = "the file is empty"
    else:
        try:
            content = json.loads(raw.decode("utf-8-sig"))
        except UnicodeDecodeError:
            what = "its text is not in UTF-8: open it in Jupyter and save it"
        except RecursionError:
            what = "its brackets are nested too deeply"
        except ValueError as error:
            what = f"it is not JSON, or has been cut off ({error})"
        else:
            is_old = isinstance(content, dict) and "worksheets" in content
            what = "it has no list of cells"
            if is_old:
                what = "its format is older than 4: open it in Jupyter and save it"
    if isinstance(content, dict) and isinstance(content.get("cells"), list):
        return content
    msg = f"{name} is no notebook that can be read: {what}"
    raise NotebookError(msg)


#: First bytes of files that are handed in by mistake, and their kinds.
_KINDS = {
    b"%PDF": "it is a PDF; hand in the .ipynb",
    b"PK": "it is a ZIP archive; unpack it first",
    b"\x1f\x8b": "it is compressed with gzip; unpack it first",
    b"<": "it is a web page (HTML); hand in the .ipynb",
    b"\xef\xbb\xbf<": "it is a web page (HTML); hand in the .ipynb",
    b"\xff\xfe": "its text is in UTF-16; save it in UTF-8",
    b"\xfe\xff": "its text is in UTF-16; save it in UTF-8",
}


def parse_notebook(content: dict[str, Any]) -> Notebook:
    """Return the notebook of a file's content, which has a list of cells."""
    cells, titles, above = [], dict[str, str](), ""
    for number, raw in enumerate(content["cells"], 1):
        if not isinstance(raw, dict):
            continue
        source = raw.get("source", "")
        source = "".join(map(str, source)) if isinstance(source, list) else str(source)
        if raw.get("cell_type") == "code":
            cells.append(_cell(number, source))
            for asked in cells[-1].asked:
                titles.setdefault(asked.name, above)
        elif headings := _HEADING.findall(source):
            above = headings[-1] if headings[-1].startswith("Exercise ") else ""
    exercises, about = dict[str, str](), content
    for place in ("metadata", "posenc", "exercises"):
        about = about.get(place, {}) if isinstance(about, dict) else {}
    if isinstance(about, dict):
        exercises = {n: str(text) for n, text in about.items() if known(n)}
    for cell in cells:
        for asked in cell.asked:
            exercises.setdefault(asked.name, asked.answer)
    for cell in cells:
        _note_allowed(cell, exercises)
    return Notebook(cells, _in_order(exercises, cells), titles)


#: A heading in Markdown.
_HEADING = re.compile(r"^#+ +(.{1,100})", re.MULTILINE)


def _in_order(exercises: dict[str, str], cells: list[Cell]) -> dict[str, str]:
    """Sort exercises by the positions of their checks, or else of their answers.

    The metadata of a notebook's file are in alphabetical order.
    """
    places: dict[str, int] = {}
    for name, answer in exercises.items():
        wanted = names_in(answer)
        asking = (c.number for c in cells if any(a.name == name for a in c.asked))
        answering = (c.number for c in cells if wanted & _defined(c.source))
        places[name] = next(asking, next(answering, len(cells)))
    return dict(sorted(exercises.items(), key=lambda found: places[found[0]]))


def _note_allowed(cell: Cell, exercises: dict[str, str]) -> None:
    """Set the functions that a cell may call, if it defines an answer."""
    defined = _defined(cell.source)
    for name, answer in exercises.items():
        exercise = known(name)
        if exercise and exercise.asks_for == "function" and names_in(answer) & defined:
            cell.may_call = [*(cell.may_call or ()), *allowed_in(exercise)]


def known(name: Any) -> Exercise | None:
    """Return the exercise of that name, if there is one."""
    return find(name) if isinstance(name, str) and is_exercise(name) else None


def _cell(number: int, source: str) -> Cell:
    tree, asked = _parsed(source), list[Asked]()
    if tree is None:
        return Cell(number, source)
    with contextlib.suppress(RecursionError):  # of an expression far too deep
        asked = list(_asked(tree))
    return Cell(number, source, asked, list(dict.fromkeys(_odd(tree))))


def _parsed(source: str) -> ast.Module | None:
    """Return the syntax tree, without the lines that are commands of IPython."""
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
    """Yield calls that name an exercise first and give its answer second."""
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
    **dict.fromkeys(("ctypes", "_ctypes", "mmap", "cffi"), "the memory of Python"),
    **dict.fromkeys(("_testcapi", "_testinternalcapi"), "the memory of Python"),
    **dict.fromkeys(("_xxsubinterpreters", "_interpreters"), "other interpreters"),
    **dict.fromkeys(("posix", "_posixsubprocess", "pty"), "other programs"),
    **dict.fromkeys(("imp", "_imp", "runpy"), "code of files"),
    **dict.fromkeys(("cloudpickle", "dill"), "stored objects"),
    "gc": "all objects in memory",
    "inspect": "code that is running, or its source",
    "dis": "compiled code",
    "pickle": "stored objects",
    "marshal": "stored objects",
    "subprocess": "other programs",
    "multiprocessing": "other processes",
    "_thread": "threads without the module threading",
    "readline": "files",
    "zmq": "the network",
    "socket": "the network",
    "urllib": "the network",
    "requests": "the network",
    "atexit": "the end of Python",
    "signal": "signals",
}
#: Packages that pages and answers may use; any other may hold an answer.
_USUAL = {
    *("posenc", "numpy", "torch", "scipy", "matplotlib", "mpl_toolkits"),
    *("array_api_compat", "pandas", "IPython", "ipywidgets", "anywidget"),
    *("js", "pyodide", "micropip", "piplite"),  # Python in the browser
}
#: Parts of posenc that notebooks use though pages alone need them.
_FOR_ALL = ("posenc.kit.figures", "posenc.kit.widgets")
#: Names by which code looks into other code.
_ODD_NAMES = {
    *("_getframe", "__subclasses__", "__globals__", "__code__", "__closure__"),
    *("f_code", "gi_code", "cr_code", "tb_frame", "gi_frame", "f_back", "f_globals"),
    *("__reduce__", "__builtins__", "addaudithook", "settrace", "setprofile"),
    *("system", "fork", "forkpty", "posix_spawn", "posix_spawnp", "fork_exec"),
    *("kill", "killpg", "pthread_kill", "pidfd_open", "pidfd_send_signal"),
    *("getsource", "_submit", "from_file", "spawnv_passfds", "ctypeslib"),
    *("__array_interface__", "__array_struct__", "create_builtin", "create_dynamic"),
    *("start_new_thread", "_start_new_thread"),
}


def _odd(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and _name_of(node.func) in _IMPORTS:
            name = node.args[0] if node.args else None
            if isinstance(name, ast.Constant):
                modules = [str(name.value)]
            else:
                yield "It imports a module whose name it makes."
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules = [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
        for module in modules:
            first, *rest = module.split(".")
            if first in _ODD_MODULES:
                yield f"It imports {first} ({_ODD_MODULES[first]})."
            elif first not in _USUAL and first not in sys.stdlib_module_names:
                yield f"It imports {first} (another implementation? None is needed)."
            inner = {"oracle", "kit", "grading"} & {*rest}
            if first == "posenc" and inner and not module.startswith(_FOR_ALL):
                yield f"It imports {module}."
        if isinstance(node, ast.ImportFrom | ast.Call):
            yield from (f"It uses {name}." for name in _named(node) & _ODD_NAMES)
        if isinstance(node, ast.Attribute) and node.attr in _ODD_NAMES:
            yield f"It uses {node.attr}."
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.modules":
            yield "It uses sys.modules."
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            root = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in _SHARED:
                yield f"It replaces {ast.unparse(node)}."


#: Functions that import a module.
_IMPORTS = {"__import__", "import_module"}


def _name_of(called: ast.expr) -> str:
    """Return the last name of a called expression."""
    return getattr(called, "attr", getattr(called, "id", ""))


def _named(node: ast.ImportFrom | ast.Call) -> set[str]:
    """Return names that are imported, or that `getattr` looks up."""
    if isinstance(node, ast.ImportFrom):
        return {alias.name for alias in node.names}
    is_getattr = isinstance(node.func, ast.Name) and node.func.id == "getattr"
    return {
        str(word.value)
        for word in node.args[1:2]
        if is_getattr and isinstance(word, ast.Constant)
    }


#: Usual names of shared modules and functions.
_SHARED = {"np", "numpy", "math", "builtins", "posenc", "torch", "Result", "check"}


def names_in(expression: str) -> set[str]:
    """Return the names that an expression reads."""
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _defined(source: str) -> set[str]:
    """Return the names that a cell defines at its outermost level."""
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
