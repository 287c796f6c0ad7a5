"""Which measured data some code reads, found without running it.

Code reads data by `posenc.core.data`, under a name that stands in the call. Whatever
else may lead to data counts as reading all of it: a name that is computed, a path into
``book/data``, a list of files. What other pages state in ``chapter.toml`` is found in
the same way.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from glob import escape

#: All data; all that pages state about themselves.
ALL_DATA = "book/data"
ALL_FACTS = "src/posenc/*/chapter.toml"

#: Functions of `posenc.core.data` that read files by their names.
READERS = {"load", "load_arrays", "load_folder"}
#: Modules whose `load` is another function.
OTHER_MODULES = {"json", "np", "numpy", "torch", "tomllib"}
#: Names that lead to files without naming them.
LISTS = {"_FOLDERS", "glob", "rglob", "iglob", "iterdir", "listdir", "scandir"}
#: Functions of `posenc.core.chapters` that read ``chapter.toml`` of any page.
FACTS = {"*", "facts", "rooms", "stating"}
#: A path into the data, or the module that reads it.
PATH = re.compile(r"(^|[/\\])data([/\\]|$)|\bcore\.data\b")
#: Without one of these, code reads nothing: most modules need not be parsed.
TRACES = re.compile(
    r"\bdata\b|\bload|chapters|chapter\.toml|_FOLDERS|glob|iterdir|listdir|scandir"
)
#: Arguments of matplotlib for which ``"data"`` is a system of coordinates.
COORDINATES = {"coordsA", "coordsB", "textcoords", "xycoords"}


@cache
def reads(code: str) -> frozenset[str]:
    """Return patterns of the data and the ``chapter.toml`` that code may read."""
    if not TRACES.search(code):
        return frozenset()
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return frozenset({ALL_DATA, ALL_FACTS})
    calls = [n for n in nodes if isinstance(n, ast.Call) and _name(n.func) in READERS]
    # Nodes that are looked into here, or are no values.
    known = {id(call.func) for call in calls}
    known |= {*_docstrings(nodes), *_coordinates(nodes)}
    imports = [n for n in nodes if isinstance(n, ast.ImportFrom)]
    if any(alias.name == "data" for n in imports for alias in n.names):
        known |= set(_read_from(nodes))
        if any(_name(n) == "data" and id(n) not in known for n in nodes):
            return frozenset({ALL_DATA, *_facts(nodes)})
    found = {pattern for call in calls for pattern in _patterns(call)}
    if any(_hides_data(node) for node in nodes if id(node) not in known):
        found.add(ALL_DATA)
    return frozenset({*found, *_facts(nodes)})


def _name(node: ast.AST) -> str:
    """Return the name or the attribute that a node is, if any."""
    return str(getattr(node, "id", getattr(node, "attr", "")))


def _read_from(nodes: list[ast.AST]) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in READERS:
            yield id(node.value)


def _docstrings(nodes: list[ast.AST]) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield id(node.value)


def _coordinates(nodes: list[ast.AST]) -> Iterator[int]:
    for node in nodes:
        if isinstance(node, ast.keyword) and node.arg in COORDINATES:
            yield id(node.value)
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in COORDINATES:
                    yield id(value)


def _patterns(call: ast.Call) -> list[str]:
    """Return patterns of the files that a call of a reader names."""
    base = getattr(call.func, "value", None)
    if isinstance(base, ast.Name) and base.id in OTHER_MODULES:
        return []
    if not call.args and not call.keywords:
        return []  # another `load`: that of the data needs a name
    match call.args:
        case [ast.Constant(value=str(name))]:
            path = f"{ALL_DATA}/{escape(name)}"
            return [path, f"{path}.*"]
        case [ast.JoinedStr(values=[ast.Constant(value=str(start)), *_])]:
            return [f"{ALL_DATA}/{escape(start)}*"]
    return [ALL_DATA]


def _hides_data(node: ast.AST) -> bool:
    """Return True if a node may lead to data whose name is not to be seen."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and bool(PATH.search(node.value))
    if isinstance(node, ast.ImportFrom):
        return any(
            (alias.name in {*READERS, "data"} and alias.asname is not None)
            or (alias.name == "*" and _last(node) == "data")
            or alias.name in LISTS
            for alias in node.names
        )
    if isinstance(node, ast.Import):
        return any(
            alias.name.endswith(".data") and alias.asname for alias in node.names
        )
    return _name(node) in {*READERS, *LISTS}


def _facts(nodes: list[ast.AST]) -> list[str]:
    """Return the pattern of every ``chapter.toml`` if code may read others' facts."""
    for node in nodes:
        names = {a.name for a in getattr(node, "names", []) if isinstance(a, ast.alias)}
        if isinstance(node, ast.ImportFrom) and (
            (_last(node) == "chapters" and names & FACTS)
            or (_last(node) == "core" and names & {"*", "chapters"})
        ):
            return [ALL_FACTS]
        if isinstance(node, ast.Import) and "posenc.core.chapters" in names:
            return [ALL_FACTS]
        text = node.value if isinstance(node, ast.Constant) else ""
        if isinstance(text, str) and re.search(r"\bchapter\.toml|core\.chapters", text):
            return [ALL_FACTS]
    return []


def _last(node: ast.ImportFrom) -> str:
    return (node.module or "").rpartition(".")[2]
