"""Which part of the package may import which.

``core`` <- array code of the chapters <- ``nn`` <- ``kit`` <- figures, exercises and
``conventions`` <- widgets <- ``pages`` <- the command line. ``training`` stands on
``nn``, and nothing on it; ``classroom`` on nothing. A chapter takes no more from
another than its public names.
"""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

from posenc.core.chapters import packages

SRC = Path(__file__).parents[1] / "src"

#: What `import posenc` must not load: slow, or not there in the reader's browser.
HEAVY = {"torch", "matplotlib", "ipywidgets", "anywidget", "IPython"}

#: Height of each part; a module may import what lies lower, and its own part.
HEIGHTS = {
    "core": 0,
    "array code": 1,
    "nn": 2,
    "kit": 3,
    "figures": 4,
    "exercises": 4,
    "conventions": 4,
    "widgets": 5,
    "grading": 5,
    "training": 6,
    "pages": 6,
    "classroom": 6,
    "__main__": 7,
}
#: Parts that are no folder of the package.
NO_FOLDERS = {"array code", "nn", "figures", "exercises", "widgets", "__main__"}
#: The doors to parts that lie in many folders.
DOORS = {"posenc": "array code", "posenc.nn": "nn", "posenc.exercises": "kit"}


def part(module):
    """Chapter and part that a module belongs to: ``("t5", "figures")``."""
    names = module.split(".")[1:]
    if not names or names[0] in ("nn", "exercises"):
        return "", DOORS[".".join(module.split(".")[:2])]
    if names[0] in HEIGHTS:
        return "", names[0]
    if names[0] in ("__version__", "running_example"):
        return "", "core"
    inner = names[1] if len(names) > 1 else ""
    return names[0], inner if inner in HEIGHTS else "array code"


def imports_of(file, src):
    """Modules of posenc that a file imports anywhere in it, with the names it takes."""
    package = file.relative_to(src).parent.parts
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found = [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            found = [(module, alias.name) for alias in node.names]
        else:
            continue
        yield from ((m, name) for m, name in found if m.split(".")[0] == "posenc")


def name_of(file, src):
    """Full name of the module in a file, or of the package for its ``__init__.py``."""
    parts = file.relative_to(src).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_wrong(importer, module, name):
    """Whether `importer` may not take `name` from `module`."""
    full = module if name is None else f"{module}.{name}"
    own, other = part(importer), part(full)
    if own == other:
        return False
    same_part = own[0] and other[0] and own[1] == other[1]
    if HEIGHTS[other[1]] >= HEIGHTS[own[1]] and not same_part:
        return True
    if own[0] != other[0] and other[0]:  # another chapter: what its packages export
        public = {f"posenc.{other[0]}", *(f"posenc.{other[0]}.{p}" for p in HEIGHTS)}
        return module not in {"posenc", *public} or (name or "").startswith("_")
    return False


def wrong_imports(src):
    """Imports against the rule below `src`, as ``"importer imports imported"``."""
    return [
        f"{importer} imports {module}{f'.{name}' if name else ''}"
        for file in sorted(src.rglob("*.py"))
        for importer in [name_of(file, src)]
        for module, name in imports_of(file, src)
        if is_wrong(importer, module, name)
    ]


def test_modules_import_what_lies_below_them():
    assert wrong_imports(SRC) == []


def test_every_folder_is_known():
    """So that nothing escapes the rule."""
    folders = {p.name for p in (SRC / "posenc").iterdir() if p.is_dir()}
    folders -= {"__pycache__", "_data"}
    assert folders == {*packages(), *HEIGHTS, "classroom"} - NO_FOLDERS
    for slug in packages():
        inside = {p.name for p in (SRC / "posenc" / slug).iterdir() if p.is_dir()}
        assert inside - {"__pycache__"} <= {"figures", "widgets", "exercises"}, slug


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(SRC)},
    )


def test_importing_the_package_is_light():
    code = "import sys, posenc, posenc.core.data, posenc.pages.display; posenc.t5; "
    done = run(f"{code}dir(posenc); print(*sys.modules)")
    assert HEAVY & set(done.stdout.split()) == set()
    assert done.returncode == 0


WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
import posenc
from posenc.exercises import check
print(check("t5.last_bucket_start", lambda num_buckets, max_distance: 7, seed=1).status)
"""


def test_answers_are_checked_without_torch():
    done = run(WITHOUT_TORCH)  # as a student's computer has none
    assert done.stdout.split() == ["failed"], done.stderr


def test_public_names_are_there():
    """``posenc.<slug>.<name>`` for all that ``__all__`` promises."""
    for slug in packages():
        module = importlib.import_module(f"posenc.{slug}")
        lost = [n for n in getattr(module, "__all__", []) if not hasattr(module, n)]
        assert lost == []
