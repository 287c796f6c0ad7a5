"""The package as others get it: built, installed in an environment of its own, used.

No checkout is near, and no torch: whatever a notebook calls must work there; with the
oldest versions that the package admits, and with the newest Python and libraries.
"""

import dataclasses
import os
import pickle
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from public_calls import function_call, public_functions

from posenc.core.chapters import chapters, with_part

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
OWN_CODE = """
import posenc

def halves(x, positions, *, base=10_000.0):
    angles = posenc.rope.rotary_angles(positions, x.shape[-1], base=base)
    return posenc.rope.apply_rotary(x, angles, layout="half")
"""
#: Calls what a file holds, and writes what comes out.
CALLS = """
import importlib, pickle, sys
import numpy as np
with open(sys.argv[1], "rb") as file:
    calls = pickle.load(file)
results = {}
for name, call in calls.items():
    slug, _, short = name.partition(".")
    function = getattr(importlib.import_module(f"posenc.{slug}"), short)
    call = {key: np if key == "xp" else value for key, value in call.items()}
    results[name] = function(**call)
with open(sys.argv[2], "wb") as file:
    pickle.dump(results, file)
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
#: Shows all widgets and openings, and prints the tables of pages.
SHOWN = """
import importlib, matplotlib
matplotlib.use("agg")
from posenc import compare
from posenc.core.chapters import chapters, metadata, with_part, with_key
from posenc.kit.figures.themes import Themed
from posenc.pages import course, errata
for slug in with_part("widgets"):
    package = importlib.import_module(f"posenc.{slug}.widgets")
    for name in package.__all__:
        widget = getattr(package, name)()
        assert "<script" in str(widget._repr_mimebundle_()), name
        assert widget.picture() is not None, name
for slug in chapters():
    opening = importlib.import_module(f"posenc.{slug}.figures").opening
    shown = Themed(opening, alt=metadata(slug)["card"]["alt"])._repr_mimebundle_()
    assert "data:image/svg" in str(shown), slug
tables = [compare.table(part) for part in compare.PARTS]
for table in (*tables, compare.conventions(), compare.libraries()):
    assert "](t5.md)" in str(table)
assert "not trained" not in str(compare.longer_texts())
assert str(errata.page()).count(".md)**") == len(with_key("errata"))
for plan in course.plans():
    assert "{doc}`t5`" in str(course.weeks(plan))
print(course.lecture(), course.homework(), course.graded())
"""


class Installed:
    """An interpreter that has the package and knows nothing of the checkout."""

    def __init__(self, folder, python=sys.executable):
        run = [str(python), "-m", "venv", str(folder / "venv")]
        subprocess.run(run, check=True, capture_output=True)
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
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run([*map(str, build)], cwd=ROOT, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module", params=["oldest", "newest"])
def installed(request, wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    (folder / "own_code.py").write_text(OWN_CODE)
    pins = folder / "constraints.txt"
    pins.write_text("\n".join(oldest() if request.param == "oldest" else []))
    python = sys.executable if request.param == "oldest" else newest_python()
    environment = Installed(folder, python)
    install = ("-m", "pip", "install", "--quiet", "--constraint", str(pins))
    environment.says(*install, f"{wheel}[book]")
    assert environment.run("-c", "import torch").returncode != 0
    place = environment.says("-c", "import posenc; print(posenc.__file__)")
    assert str(folder) in place
    return environment


def oldest():
    """The lowest version of every library that the package admits, as pins."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = project["dependencies"] + project["optional-dependencies"]["book"]
    for line in map(Requirement, lines):
        (rule,) = line.specifier
        assert rule.operator == ">=", line
        yield f"{line.name}=={rule.version}"


def newest_python():
    """Return the newest CPython on the search path or where pyenv puts them."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    folders = map(Path, os.environ["PATH"].split(os.pathsep))
    found = {sys.version_info[1]: Path(sys.executable)}
    for place in (*folders, *pyenv.glob("*/bin")):
        for path in place.glob("python3.[0-9]*"):
            minor = path.name.removeprefix("python3.")
            # pyenv's stand-ins may not start; others cannot make environments.
            question = [str(path), "-c", "import ensurepip, venv"]
            if (
                minor.isdecimal()
                and not subprocess.run(question, capture_output=True).returncode
            ):
                found[int(minor)] = path
    return found[max(found)]


def test_every_function_gives_what_it_gives_here(installed):
    calls = {name: function_call(name) for name in public_functions()}
    asked, answered = installed.folder / "calls.pkl", installed.folder / "results.pkl"
    plain = {name: call | {"xp": None} for name, call in calls.items() if "xp" in call}
    asked.write_bytes(pickle.dumps(calls | plain))  # modules are not pickled
    installed.says("-W", "error", "-c", CALLS, str(asked), str(answered))
    results = pickle.loads(answered.read_bytes())
    assert len(results) == len(calls) > 50
    for name, function in public_functions().items():
        assert_same(results[name], function(**calls[name]), name)


def assert_same(found, wanted, name):
    """Check that numbers are close, also in what holds them, and the rest is equal."""
    assert type(found) is type(wanted), name
    if dataclasses.is_dataclass(wanted):
        found, wanted = vars(found), vars(wanted)
    if isinstance(wanted, dict):
        found, wanted = [*found.items()], [*wanted.items()]
    if isinstance(wanted, list | tuple):
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other, name)
    elif isinstance(wanted, np.ndarray | np.generic | float):
        assert np.asarray(found).dtype == np.asarray(wanted).dtype, name
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14, err_msg=name)
    else:
        assert found == wanted, name


def test_the_command_says_what_is_there_and_names_a_convention(installed):
    said = installed.says("-m", "posenc")
    assert [slug for slug in chapters() if f"posenc.{slug} " not in said] == []
    check = ("-m", "posenc", "check", "rope.apply_rotary")
    other = installed.run(*check, "own_code:halves")
    assert other.returncode == 1
    assert "half: features i and i + 8 are a pair" in other.stdout


#: Modules that nbgrader loads, where it is.
FOR_NBGRADER = ("posenc.classroom.plugins", "posenc.grading.nbgrader")


def test_every_module_loads_but_those_for_torch_and_nbgrader(installed):
    # The oldest matplotlib calls what the newest pyparsing deprecates.
    strict = ("-W", "error", "-W", "ignore::DeprecationWarning")
    lines = installed.says(*strict, "-c", MODULES).splitlines()
    missing = dict(line.rsplit(" ", 1) for line in lines)
    for name in FOR_NBGRADER:
        assert missing.pop(name) in ("nbformat", "nbconvert", "nbgrader")
    assert set(missing.values()) == {"torch"}
    assert set(missing) >= {f"posenc.{slug}.nn" for slug in with_part("nn")}
    other = [n for n in missing if ".nn" not in n and ".training." not in n]
    assert other == []


def test_widgets_openings_and_tables_need_no_checkout(installed):
    assert "lecture-homework" in installed.says("-c", SHOWN)
