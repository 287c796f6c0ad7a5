"""The package as others get it: built, installed in an environment of its own, used.

No checkout is near, and no torch: whatever a notebook calls must work there.
"""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from posenc.core.chapters import chapters, having

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OWN_CODE = """
import posenc

def right(x, positions, *, base=10_000.0):
    angles = posenc.rope.rotary_angles(positions, x.shape[-1], base=base)
    return posenc.rope.apply_rotary(x, angles)

def halves(x, positions, *, base=10_000.0):
    angles = posenc.rope.rotary_angles(positions, x.shape[-1], base=base)
    return posenc.rope.apply_rotary(x, angles, layout="half")
"""
#: Prints the modules that do not load, and what they miss.
MODULES = """
import importlib, pkgutil, posenc
for module in pkgutil.walk_packages(posenc.__path__, "posenc."):
    if module.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        print(module.name, error.name)
"""
WIDGETS = """
import importlib
from posenc.core.chapters import having
for slug in having("widgets"):
    package = importlib.import_module(f"posenc.{slug}.widgets")
    for name in package.__all__:
        widget = getattr(package, name)()
        bundle = widget._repr_mimebundle_()
        bundle = bundle[0] if isinstance(bundle, tuple) else bundle
        print(name, "<script" in bundle["text/html"], widget.picture() is not None)
"""
FIGURES = """
import importlib, matplotlib
matplotlib.use("agg")
from posenc.core.chapters import chapters, facts
from posenc.kit.figures.themes import Themed
for slug in chapters():
    opening = importlib.import_module(f"posenc.{slug}.figures").opening
    shown = Themed(opening, alt=facts(slug)["card"]["alt"])._repr_mimebundle_()
    print(slug, "data:image/svg" in str(shown))
"""
PAGES = """
from posenc import compare
from posenc.core import data
from posenc.core.chapters import stating
from posenc.pages import course, errata
for part in compare.PARTS:
    print(str(compare.table(part)).count("](t5.md)"))
print(str(compare.conventions()).count("](t5.md)"))
print(str(compare.libraries()).count("](t5.md)"))
print("not trained" in str(compare.longer_texts()))
print(str(errata.page()).count(".md)**"), len(stating("errata")))
print(*[str(errata.table(slug))[:6] == "| What" for slug in stating("errata")])
print(*[course.minutes(slug)[:8] for slug in stating("doing")])
for plan in course.plans():
    print(str(course.weeks(plan)).count("{doc}`t5`"))
print(course.lecture(), course.homework(), course.graded())
"""


class Installed:
    """An interpreter that has the package and knows nothing of the checkout."""

    def __init__(self, folder):
        venv.create(folder / "venv", with_pip=True)
        place = "Scripts" if os.name == "nt" else "bin"
        self.folder, self.python = folder, folder / "venv" / place / "python"

    def run(self, *arguments):
        outside = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        return subprocess.run(
            [str(self.python), *arguments],
            cwd=self.folder,
            env=outside,
            text=True,
            capture_output=True,
        )

    def says(self, *arguments):
        """What a command prints that must end well."""
        ended = self.run(*arguments)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run([*map(str, build)], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    (folder / "own_code.py").write_text(OWN_CODE)
    environment = Installed(folder)
    environment.says("-m", "pip", "install", "--quiet", f"{wheel}[book]")
    assert environment.run("-c", "import torch").returncode != 0
    place = environment.says("-c", "import posenc; print(posenc.__file__)")
    assert str(folder) in place
    return environment


def test_the_command_tells_what_is_there(installed):
    said = installed.says("-m", "posenc")
    assert [slug for slug in chapters() if f"posenc.{slug} " not in said] == []


def test_an_answer_is_checked_and_its_convention_named(installed):
    check = ("-m", "posenc", "check", "rope.apply_rotary")
    assert "the book's convention" in installed.says(*check, "own_code:right")
    other = installed.run(*check, "own_code:halves")
    assert other.returncode == 1
    assert "half: features i and i + 8 are a pair" in other.stdout


#: Modules that nbgrader loads, where it is.
FOR_NBGRADER = ("posenc.classroom.plugins", "posenc.grading.nbgrader")


def test_every_module_loads_but_those_for_torch_and_nbgrader(installed):
    lines = installed.says("-W", "error", "-c", MODULES).splitlines()
    missing = dict(line.rsplit(" ", 1) for line in lines)
    for name in FOR_NBGRADER:
        assert missing.pop(name) in ("nbformat", "nbconvert", "nbgrader")
    assert set(missing.values()) == {"torch"}
    assert set(missing) >= {f"posenc.{slug}.nn" for slug in having("nn")}
    other = [
        name
        for name in missing
        if ".nn" not in name and not name.startswith("posenc.lab.")
    ]
    assert other == []


def test_every_widget_is_shown(installed):
    lines = installed.says("-c", WIDGETS).splitlines()
    assert len(lines) >= len(having("widgets"))
    assert [line for line in lines if not line.endswith(" True True")] == []


def test_every_opening_picture_is_drawn(installed):
    said = installed.says("-c", FIGURES)
    assert said.splitlines() == [f"{slug} True" for slug in chapters()]


def test_tables_of_pages_need_no_checkout(installed):
    lines = installed.says("-c", PAGES).splitlines()
    assert lines[:4] == ["1"] * 4  # t5 is linked in each table of methods
    assert lines[4:6] == ["2", "False"]
    with_errata, chapters_with_some = lines[6].split()
    assert with_errata == chapters_with_some
    assert {*lines[7].split()} == {"True"}
    assert {*lines[8].split()} == {"Reading:"}
    assert lines[9:11] == ["1", "1"]
