"""Names that code can use: for runs, and for the editor's list."""

import ast
import builtins
import contextlib
import inspect
import io
import re
import symtable
from collections.abc import Sequence
from functools import cache
from typing import Any

from posenc.exercises import check, hint

#: Names that the last run left.
left: dict[str, Any] = {}
#: Statements that make their names anew, whatever they were.
_WHOLE = (
    *(ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom),
    *(ast.FunctionDef, ast.ClassDef),
)
#: Code that imports what is packed with matplotlib.
_DRAWS = re.compile(r"^\s*(?:import|from)\s.*\b(?:matplotlib|figures|pages)\b", re.M)
#: Imports of unfinished code.
_IMPORT = re.compile(r"^(?:import|from) .+$", re.MULTILINE)


def wants(code: str) -> set[str]:
    """Return names that code reads before it binds them; none if it does not parse."""
    try:
        return _wanted_by(ast.parse(code).body) - {*dir(builtins)}
    except SyntaxError:  # some are found by the symbol table alone
        return set()


def plan(code: str, steps: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """List the code that must run first, and report whether any of it draws.

    Parameters
    ----------
    code : str
        The reader's, and the check of it.
    steps : list
        Statements of the chapter above; one that draws is followed by a 1.
    """
    statements = needed(steps, code)
    draws = any(marks for _, *marks in statements) or _DRAWS.search(code)
    return {"steps": [text for text, *_ in statements], "draws": bool(draws)}


def needed(steps: Sequence[Sequence[Any]], code: str) -> list[Sequence[Any]]:
    """Return the statements of a chapter that code builds on, in their order.

    Each that may bind or change a name that is needed, and what it needs in turn; and
    what changes the settings of a module, such as how NumPy prints.
    """
    trees = [(step, _parsed(step[0])) for step in steps]
    modules = {
        name
        for _, tree in trees
        if isinstance(tree, ast.Import | ast.ImportFrom)
        for name in _binds(tree)
    }
    names, chosen = wants(code), []
    for step, tree in reversed(trees):
        changed = _binds(tree) | (_changes(tree) - modules)
        sets = len(step) == 1 and _calls_module(tree, modules)
        if changed & names or sets:
            chosen.append(step)
            if isinstance(tree, _WHOLE):
                names -= _binds(tree)  # what they were before does not matter
            names |= _wanted_by([tree])
    return chosen[::-1]


@cache
def _parsed(statement: str) -> ast.stmt:
    return ast.parse(statement).body[0]


@cache
def _table(tree: ast.stmt) -> symtable.SymbolTable:
    return symtable.symtable(ast.unparse(tree), "<chapter>", "exec")


def _wanted_by(body: Sequence[ast.stmt]) -> set[str]:
    """Return names that statements, one after the other, read before binding them."""
    wanted, made = set[str](), set[str]()
    for tree in body:
        wanted |= _read_first(tree) - made
        if isinstance(tree, _WHOLE):
            made |= _binds(tree)
    return wanted


def _read_first(tree: ast.stmt) -> set[str]:
    blocks = [getattr(tree, name, []) for name in ("body", "orelse", "finalbody")]
    if isinstance(tree, ast.For):
        return _of(tree.iter) | (_wanted_by(tree.body) - _of(tree.target))
    if isinstance(tree, ast.While | ast.If):
        return _of(tree.test).union(*map(_wanted_by, blocks))
    if isinstance(tree, ast.AugAssign):
        return _of(tree.target) | _of(tree.value)
    return _read_in(_table(tree))


def _of(expression: ast.expr) -> set[str]:
    """Return names in an expression, read or bound."""
    table = symtable.symtable(ast.unparse(expression), "<chapter>", "eval")
    return _read_in(table)


def _read_in(table: symtable.SymbolTable) -> set[str]:
    top = not table.is_nested() and table.get_name() == "top"
    names = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if (symbol.is_referenced() if top else symbol.is_global())
    }
    return names.union(*map(_read_in, table.get_children()))


def _binds(tree: ast.stmt) -> set[str]:
    return {
        symbol.get_name()
        for symbol in _table(tree).get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }


def _changes(tree: ast.stmt) -> set[str]:
    """Return names whose values a statement may change: in part, by method or call."""
    changed = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript | ast.Attribute):
            if isinstance(node.ctx, ast.Store):
                changed.add(_root(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changed.add(_root(node.func))
    call = tree.value if isinstance(tree, ast.Expr) else None
    if isinstance(call, ast.Call) and _root(call.func) != "print":
        changed |= {_root(value) for value in call.args}
    return changed


def _calls_module(tree: ast.stmt, modules: set[str]) -> bool:
    call = tree.value if isinstance(tree, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and _root(call.func) in modules
    )


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def prepare(setup: Sequence[str], names: dict[str, Any]) -> None:
    """Run statements of the chapter; those that fail are left out."""
    for statement in setup:
        with contextlib.suppress(Exception):
            exec(compile(statement, "<chapter>", "exec"), names)


def complete(path: str, code: str, setup: list[str]) -> list[list[str]]:
    """Return names that may follow a dot, each with its kind for the editor's list.

    Parameters
    ----------
    path : str
        What stands before the dot: names and dots.
    code : str
        The reader's, which may be unfinished: its imports are made, nothing else.
    setup : list of str
        Imports of the chapter.
    """
    value = _look_up(path, code, setup)
    if value is None:
        return []
    return [
        [name, _kind(inspect.getattr_static(value, name, None))]
        for name in dir(value)
        if not name.startswith("_")
    ]


def describe(path: str, code: str, setup: list[str]) -> str:
    """Return how to call something, and the first line of its documentation."""
    value = _look_up(path, code, setup)
    text = (inspect.getdoc(value) or "").strip().partition("\n\n")[0]
    with contextlib.suppress(TypeError, ValueError):
        signature = str(inspect.signature(value))
        if not text.startswith(f"{path.rpartition('.')[2]}("):
            text = f"{path.rpartition('.')[2]}{signature}\n{text}"
    return text[:500]


def _look_up(path: str, code: str, setup: list[str]) -> Any:
    names: dict[str, Any] = {"check": check, "hint": hint}
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        prepare([*setup, *_IMPORT.findall(code)], names)
        first, *others = path.split(".")
        value = {**names, **left}.get(first)
        for name in others:
            value = getattr(value, name, None)
    return value


def _kind(value: Any) -> str:
    if inspect.ismodule(value):
        return "namespace"
    if inspect.isclass(value):
        return "class"
    return "function" if callable(value) else "variable"
