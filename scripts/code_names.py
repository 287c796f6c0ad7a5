"""Names that Python code binds and reads, as far as its text tells."""

import ast
import builtins
from collections.abc import Iterator


def alias_name(alias: ast.alias) -> str:
    """Return the name that an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def bound_by(statement: ast.stmt, *, whole: bool = False) -> list[str]:
    """Return names that a statement binds where it stands or, not `whole`, changes."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias_name(alias) for alias in statement.names]
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assert | ast.Expr):
        return []
    return [*_stored(statement, whole=whole)]


def _stored(tree: ast.AST, *, whole: bool = True) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            root: ast.expr = node
            while isinstance(root, ast.Subscript | ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and not whole:
                yield root.id


def all_bound(tree: ast.AST) -> Iterator[str]:
    """Yield all names bound anywhere in `tree`, parameters among them."""
    yield from _stored(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg


def read_by(tree: ast.AST) -> list[str]:
    """Return names that `tree` reads and does not bind."""
    own = {*all_bound(tree), *dir(builtins)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            own |= {alias_name(alias) for alias in node.names}
    return [
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node.id not in own
    ]
