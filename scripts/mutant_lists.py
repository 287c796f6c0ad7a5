"""Read the lists of mistakes in ``tests/mutants``: part of ``mutate.py``."""

import ast
import functools
import json
from pathlib import Path
from typing import NamedTuple

FEWEST = 5


class Definition(NamedTuple):
    """A function and the file that it stands in."""

    file: Path
    node: ast.FunctionDef


class Mutant(NamedTuple):
    """A mistake, or none if `text` is empty, and the chapter whose tests are to run."""

    slug: str
    description: str = "the code as it is"
    file: Path = Path()
    text: str = ""  #: whole text of the file, with the mistake


def load(root: Path, slug: str) -> tuple[int, list[Mutant], list[str]]:
    """Number of public functions of a chapter, its mutants, and what is wrong there."""
    functions = public_functions(root, slug)
    path = root / "tests" / "mutants" / f"{slug}.json"
    entries = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    mutants: list[Mutant] = []
    wrong = [f"{slug}.{name}: no such function" for name in entries.keys() - functions]
    for name, function in functions.items():
        texts = set()
        parts = reachable(function)
        for old, new, *place in entries.get(name, []):
            where = place[0] if place else function.node.name
            description = f"{slug}.{name}: {old!r} -> {new!r} in {where}"
            try:
                text = mutated(parts[where], old, new)
            except (KeyError, SyntaxError, ValueError) as error:
                wrong.append(f"{description}: {error!r}")
                continue
            texts.add(text)
            mutants.append(Mutant(slug, description, parts[where].file, text))
        if len(texts) < FEWEST:
            wrong.append(f"{slug}.{name}: {len(texts)} mutants, {FEWEST} are needed")
    return len(functions), mutants, wrong


def mutated(definition: Definition, old: str, new: str) -> str:
    """Text of the file of a function, with one piece of the function replaced.

    Raises
    ------
    ValueError, SyntaxError
        If nothing changes, the old text does not occur exactly once outside the
        docstring, or the result is no Python.
    """
    lines = definition.file.read_text(encoding="utf-8").splitlines(keepends=True)
    node = definition.node
    start, end = node.lineno - 1, node.end_lineno
    code = lines[start:end]
    if ast.get_docstring(node) is not None:
        first = node.body[0]
        code[first.lineno - 1 - start : (first.end_lineno or 0) - start] = []
    source = "".join(code)
    if old == new:
        msg = "the new text is the old one"
        raise ValueError(msg)
    if source.count(old) != 1:
        msg = f"the old text must occur once, got {source.count(old)} times"
        raise ValueError(msg)
    text = "".join([*lines[:start], source.replace(old, new), *lines[end:]])
    ast.parse(text)
    return text


def public_functions(root: Path, slug: str) -> dict[str, Definition]:
    """Functions of a module by name: those in ``__all__``, or those without a ``_``."""
    path = root / "src" / "posenc" / f"{slug}.py"
    names = exported(path) or [
        node.name
        for node in parse(path).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    ]
    found = {name: find(path, name) for name in names}
    return {name: definition for name, definition in found.items() if definition}


def exported(path: Path) -> list[str]:
    """Names in the ``__all__`` of a file; none if it has no such list."""
    for node in parse(path).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def reachable(function: Definition) -> dict[str, Definition]:
    """The function and all functions of the package that it calls, by their names."""
    found: dict[str, Definition] = {}
    queue: list[Definition | None] = [function]
    for definition in queue:  # grows while it is read
        if definition is None or definition.node.name in found:
            continue
        found[definition.node.name] = definition
        for node in ast.walk(definition.node):
            if isinstance(node, ast.Name):
                queue.append(find(definition.file, node.id))
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                module = definition.file.with_name(f"{node.value.id}.py")
                queue.append(find(module, node.attr))
    return found


def find(file: Path, name: str) -> Definition | None:
    """Definition of a function of the package, there or where it is imported from."""
    for node in parse(file).body if file.is_file() else ():
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return Definition(file, node)
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return find(file.with_name(f"{node.module}.py"), alias.name)
    return None


@functools.cache
def parse(file: Path) -> ast.Module:
    """Syntax tree of a file."""
    return ast.parse(file.read_text(encoding="utf-8"))
