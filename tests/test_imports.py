"""Checks <- functions <- {nn, figures, exercises} <- {widgets, lab, conventions}.

On top of all of them stands the command line, ``__main__``.
"""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src"

#: What `import posenc` must not load: slow, or not there in the reader's browser.
HEAVY = {"torch", "matplotlib", "ipywidgets", "anywidget", "IPython"}

#: What every function may stand on. Other private modules are parts of a chapter's own.
SHARED = {"_angles", "_arrays", "_checks"}


def layer(module):
    """Height of a module of posenc: it may import what lies lower, or its own part."""
    part = module.split(".")[1] if "." in module else ""
    if part == "__main__":
        return 4
    if part in {"widgets", "lab", "conventions"}:
        return 3
    if part in {"nn", "figures", "exercises"}:
        return 2
    return 0 if part in SHARED else 1


def same_part(first, second):
    """Whether two modules belong to one subpackage, or to one layer of single files."""
    if layer(first) < 2:
        return layer(first) == layer(second)
    return first.split(".")[1] == second.split(".")[1]


def imports_of(file, src):
    """Modules of posenc that a file imports anywhere in it, by their full names."""
    package = file.relative_to(src).parent.parts
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] == "posenc")


def name_of(file, src):
    """Full name of the module in a file, or of the package for its ``__init__.py``."""
    parts = file.relative_to(src).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def wrong_imports(src):
    """Imports against the rule below `src`, as ``"importer imports imported"``."""
    return [
        f"{importer} imports {imported}"
        for file in sorted(src.rglob("*.py"))
        for importer in [name_of(file, src)]
        for imported in imports_of(file, src)
        if layer(imported) >= layer(importer) and not same_part(importer, imported)
    ]


def test_modules_import_what_lies_below_them():
    assert wrong_imports(SRC) == []


@pytest.mark.parametrize(
    ("file", "line", "wrong"),
    [
        ("_checks.py", "from . import t5", "posenc.t5"),
        ("_checks.py", "from posenc.t5 import f", "posenc.t5.f"),
        ("t5.py", "import posenc.figures.t5", "posenc.figures.t5"),
        ("t5.py", "def f():\n    from .nn import t5", "posenc.nn.t5"),
        ("nn/t5.py", "from ..figures.t5 import draw", "posenc.figures.t5.draw"),
        ("figures/t5.py", "from posenc import widgets", "posenc.widgets"),
        ("exercises/t5/a.py", "from ...nn.t5 import f", "posenc.nn.t5.f"),
        ("__init__.py", "from . import nn", "posenc.nn"),
        ("nn/t5.py", "from ..lab.tasks import TASKS", "posenc.lab.tasks.TASKS"),
        ("conventions/a.py", "from ..lab import tasks", "posenc.lab.tasks"),
        ("exercises/a.py", "from ..conventions import a", "posenc.conventions.a"),
        ("conventions/a.py", "from ..__main__ import b", "posenc.__main__.b"),
        ("__init__.py", "from . import t5", None),
        ("conventions/a.py", "from ..exercises._look import b", None),
        ("__main__.py", "from .conventions import identify", None),
        ("lab/model.py", "from ..nn.t5 import f\nfrom .tasks import TASKS", None),
        ("t5.py", "from . import _checks, attention", None),
        ("figures/__init__.py", "from .palette import THEMES", None),
        ("nn/t5.py", "from .. import t5\nfrom . import base", None),
        ("widgets/t5.py", "from ..figures import t5\nfrom . import _base", None),
        ("exercises/t5/a.py", "from .._attempt import f\nfrom .b import g", None),
    ],
)
def test_the_rule_can_fail(tmp_path, file, line, wrong):
    path = tmp_path / "posenc" / file
    path.parent.mkdir(parents=True)
    path.write_text(line)
    expected = [f"{name_of(path, tmp_path)} imports {wrong}"] if wrong else []
    assert wrong_imports(tmp_path) == expected


def loaded_after(statement):
    """Names of the heavy packages that a fresh interpreter has loaded."""
    code = f"import sys; {statement}; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(SRC)},
    )
    return HEAVY & set(result.stdout.split())


def test_importing_the_package_is_light():
    assert loaded_after("import posenc, posenc.data, posenc.display") == set()


@pytest.mark.parametrize(
    ("module", "package"),
    [("posenc.nn", "torch"), ("posenc.figures.themes", "matplotlib")],
)
def test_the_test_of_lightness_can_fail(module, package):
    assert package in loaded_after(f"import {module}")
