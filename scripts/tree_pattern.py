"""Find a piece of a function in its syntax tree and put another there.

Layout and comments do not count, and a name that the function does not know stands for
any one of its local names: a piece is found again when these are renamed.
"""

import ast
import builtins
import copy
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

#: Where a syntax tree has names of variables.
NAMES = {"Name": "id", "arg": "arg", "FunctionDef": "name", "ExceptHandler": "name"}


class Place(NamedTuple):
    """Some nodes of a tree and where they are: below `parent`, from `start` on."""

    nodes: list[Any]
    parent: ast.AST
    field: str
    start: int | None = None

    def put(self, new: list[Any]) -> None:
        """Replace them; a block that is empty then does nothing."""
        if self.start is None:
            (node,) = new
            setattr(self.parent, self.field, node)
            return
        siblings = getattr(self.parent, self.field)
        siblings[self.start : self.start + len(self.nodes)] = new
        if self.field == "body" and not siblings:
            siblings.append(ast.Pass())


class Names(NamedTuple):
    """Variables in some nodes: those that are read, and those that get a value."""

    used: set[str]
    local: set[str]

    @classmethod
    def of(cls, nodes: list[Any]) -> "Names":
        """Collect them; parameters get a value."""
        names = cls(set(), set())
        for node in (child for top in nodes for child in ast.walk(top)):
            if field := NAMES.get(type(node).__name__):
                load = isinstance(getattr(node, "ctx", None), ast.Load)
                (names.used if load else names.local).add(getattr(node, field))
            elif isinstance(node, ast.alias):
                names.local.add(node.asname or node.name)
        return names


def replaced(
    function: ast.FunctionDef,
    old: str,
    new: str,
    which: int | None = None,
    known: Collection[str] = (),
) -> ast.FunctionDef:
    """Copy of a function with one piece replaced.

    Parameters
    ----------
    function : ast.FunctionDef
        Left as it is. Its docstring and annotations are not searched.
    old : str
        An expression, a slice, statements that follow each other, or ``name=value``,
        which is also an argument of a call and the default of a parameter.
    new : str
        What stands there afterwards; nothing removes statements or an argument.
    which : int, optional
        Which one, counted from 1, if the piece stands there several times.
    known : collection of str
        Names that the new piece may use besides the function's own and Python's.

    Raises
    ------
    ValueError, SyntaxError
        If the piece is not there, or several times, if nothing would change, or if what
        would result is no Python or uses unknown names.
    """
    found = list(matches(function, old, new))
    found.sort(
        key=lambda match: (match[0].nodes[0].lineno, match[0].nodes[0].col_offset)
    )
    if not found:
        msg = "it is not there"
        raise ValueError(msg)
    if which is None and len(found) > 1:
        lines = ", ".join(str(place.nodes[0].lineno) for place, *_ in found)
        msg = f"it is there {len(found)} times, on lines {lines}: say which, from 1"
        raise ValueError(msg)
    number = 1 if which is None else which
    if not 0 < number <= len(found):
        msg = f"it is there {len(found)} times: there is no number {which}"
        raise ValueError(msg)
    place, inserted, names = found[number - 1]
    inserted = copy.deepcopy(inserted)
    rename(inserted, names)
    own, (used, bound) = Names.of([function]), Names.of(inserted)
    if unknown := used - bound - own.used - own.local - {*known, *dir(builtins)}:
        msg = f"nothing has the name {', '.join(sorted(unknown))} there"
        raise ValueError(msg)
    copies: dict[int, Any] = {}
    result = copy.deepcopy(function, copies)
    place._replace(parent=copies[id(place.parent)]).put(inserted)
    ast.parse(ast.unparse(ast.fix_missing_locations(result)))
    if ast.dump(result) == ast.dump(function):
        msg = "nothing changes"
        raise ValueError(msg)
    return result


def matches(
    function: ast.FunctionDef, old: str, new: str
) -> Iterator[tuple[Place, list[Any], dict[str, str]]]:
    """Each place of the old piece, nodes of the new one, and what names stand for."""
    pattern, other = parsed(old), parsed(new)
    if not all(isinstance(node, ast.expr) for node in [*pattern, *other]) or not other:
        pattern, other = statements(pattern), statements(other)
    keywords = all(isinstance(node, ast.Assign) for node in [*pattern, *other])
    own = Names.of([function])
    for place in places(function, len(pattern)):
        wanted, inserted = pattern, other
        if isinstance(place.nodes[0], ast.keyword) and keywords:
            wanted, inserted = arguments(wanted), arguments(inserted)
        names: dict[str, str] = {}
        if same(wanted, place.nodes, names, own):
            if isinstance(place.parent, ast.arguments) and keywords:
                inserted = [node.value for node in inserted]
            yield place, inserted, names


def parsed(text: str) -> list[Any]:
    """Nodes of a piece of code: an expression or slice, or any number of statements."""
    try:
        body = ast.parse(text).body
        if len(body) == 1 and isinstance(body[0], ast.AnnAssign) and not body[0].value:
            raise SyntaxError  # no annotation: a slice
    except SyntaxError as error:
        try:
            return [ast.parse(f"_[{text}]", mode="eval").body.slice]  # type: ignore[attr-defined]
        except SyntaxError:
            raise error from None
    if len(body) == 1 and isinstance(body[0], ast.Expr):
        return [body[0].value]
    return list(body)


def statements(nodes: list[Any]) -> list[Any]:
    """The same nodes as statements."""
    return [ast.Expr(node) if isinstance(node, ast.expr) else node for node in nodes]


def arguments(nodes: list[Any]) -> list[Any]:
    """Assignments as arguments of a call, which look the same."""
    return [ast.keyword(ast.unparse(node.targets[0]), node.value) for node in nodes]


def places(function: ast.FunctionDef, count: int) -> Iterator[Place]:
    """All expressions, arguments, parameters' defaults, and runs of statements."""
    queue: list[ast.AST] = [function]
    for node in queue:  # grows while it is read
        if isinstance(node, ast.arguments):
            yield from defaults(node)
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list"):
                continue
            if isinstance(value, ast.AST):
                queue.append(value)
                yield Place([value], node, field)
            elif isinstance(value, list) and value and isinstance(value[0], ast.AST):
                start = int(
                    node is function and ast.get_docstring(function) is not None
                )
                queue.extend(child for child in value[start:] if child)
                length = count if isinstance(value[0], ast.stmt) else 1
                for index in range(start, len(value) - length + 1):
                    yield Place(value[index : index + length], node, field, index)


def defaults(node: ast.arguments) -> Iterator[Place]:
    """Defaults of parameters, as if they were assigned."""
    positional = [*node.posonlyargs, *node.args]
    first = len(positional) - len(node.defaults)
    for field, parameters in (
        ("defaults", positional[first:]),
        ("kw_defaults", node.kwonlyargs),
    ):
        for index, parameter in enumerate(parameters):
            if value := getattr(node, field)[index]:
                name = ast.Name(parameter.arg, ast.Store())
                place = ast.copy_location(ast.Assign([name], value), parameter)
                yield Place([place], node, field, index)


def same(wanted: Any, have: Any, names: dict[str, str], own: Names) -> bool:
    """Whether two trees are equal up to local names; notes what these stand for."""
    if type(wanted) is not type(have):
        return False
    if isinstance(wanted, list):
        return len(wanted) == len(have) and all(
            same(a, b, names, own) for a, b in zip(wanted, have, strict=True)
        )
    if not isinstance(wanted, ast.AST):
        return bool(wanted == have)
    variable = NAMES.get(type(wanted).__name__)
    for field in wanted._fields:
        a: Any = getattr(wanted, field, None)
        b: Any = getattr(have, field, None)
        if field == variable:
            free = a not in own.used | own.local and b in own.local
            if a != b and not free:
                return False
            if names.setdefault(a, b) != b or list(names.values()).count(b) > 1:
                return False
        elif field not in ("kind", "type_comment") and not same(a, b, names, own):
            return False
    return True


def rename(nodes: list[Any], names: dict[str, str]) -> None:
    """Give variables other names, in place."""
    for node in (child for top in nodes for child in ast.walk(top)):
        if field := NAMES.get(type(node).__name__):
            setattr(node, field, names.get(getattr(node, field), getattr(node, field)))
