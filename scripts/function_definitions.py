"""Where the package defines its functions, and which of them use one another.

Read off the syntax trees: nothing is imported. Part of ``mutate.py``.
"""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tree_pattern import Names


class Definition(NamedTuple):
    """A function and the file that it stands in."""

    file: Path
    node: ast.FunctionDef

    @property
    def module(self) -> str:
        """Name of the module: ``posenc.t5`` or ``posenc.core.arrays``."""
        parts = self.file.relative_to(source_folder(self.file)).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def name(self) -> str:
        """Full name of the function."""
        return f"{self.module}.{self.node.name}"


def public_functions(root: Path, slug: str) -> dict[str, Definition]:
    """Functions that a chapter exports, by name, wherever they are defined.

    They are those in ``__all__``, or those without a ``_`` that ``__init__.py`` defines
    or takes from another file of its folder.
    """
    path = root / "src" / "posenc" / slug / "__init__.py"
    found = {name: find(path, name) for name in exported(path)}
    return {name: definition for name, definition in found.items() if definition}


def exported(path: Path) -> Iterator[str]:
    """Public names of a package."""
    tree = parse(path)
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            yield from ast.literal_eval(node.value)
            return
    for node in tree.body:
        names = []
        if isinstance(node, ast.FunctionDef):
            names = [node.name]
        elif isinstance(node, ast.ImportFrom) and node.level == 1:
            names = [alias.asname or alias.name for alias in node.names]
        yield from (name for name in names if not name.startswith("_"))


@functools.cache
def reachable(function: Definition) -> dict[str, Definition]:
    """The function and all functions of the package that it uses, by their names."""
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
                for module, name in origins(definition.file, node.value.id):
                    queue.append(None if name else find(module, node.attr))
    return found


@functools.cache
def find(file: Path, name: str) -> Definition | None:
    """Definition of a function of the package, there or where it is imported from."""
    for node in parse(file).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return Definition(file, node)
    found = (find(*origin) for origin in origins(file, name) if origin[1])
    return next((definition for definition in found if definition), None)


def origins(file: Path, name: str) -> Iterator[tuple[Path, str]]:
    """Where an imported name comes from: a file, and the name there, "" for itself."""
    for node in parse(file).body:
        if not isinstance(node, ast.ImportFrom):
            continue
        above = file.parents[node.level - 1] if node.level else source_folder(file)
        folder = above.joinpath(*(node.module or "").split("."))
        for alias in node.names:
            if (alias.asname or alias.name) == name:
                for path, there in ((folder, alias.name), (folder / alias.name, "")):
                    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
                        if candidate.is_file():
                            yield candidate, there


def source_folder(file: Path) -> Path:
    """The folder that holds the package."""
    return next(folder for folder in file.parents if folder.name == "posenc").parent


@functools.cache
def global_names(file: Path) -> frozenset[str]:
    """Names that all functions of a file can use."""
    names = set()
    for node in parse(file).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {
                (alias.asname or alias.name).split(".")[0] for alias in node.names
            }
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        else:
            names |= Names.of([node]).local
    return frozenset(names)


@functools.cache
def parse(file: Path) -> ast.Module:
    """Syntax tree of a file."""
    return ast.parse(file.read_text(encoding="utf-8"))
