"""Build Python in the reader's browser: JupyterLite below ``lite/`` of the site.

`build_book` runs `update` at the end. The site then carries Pyodide, every student
notebook and posenc, and asks no other host; without a bundle (see `pyodide_bundle`) it
is built all the same, and the reader's browser fetches Pyodide from its makers when a
notebook is opened. What was done is said at the end.
"""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from unittest import mock

import nbformat
from browser_notebooks import browser_notebook
from hatchling.builders.wheel import WheelBuilder
from make_notebooks import NOTEBOOKS
from page_cells import fingerprint
from pyodide_bundle import (
    Bundle,
    BundleError,
    expected,
    extended_lock,
    extra_wheels,
    find_bundle,
    keep,
    lock_entry,
)
from solve_archive import pack_solve

ROOT = Path(__file__).parent.parent
PARTS = ROOT / "scripts/lite"
SOLVE = ROOT / "book/assets/solve"
WORK = ROOT / "_build/lite"
LITE = ROOT / "_build/html/lite"
#: Record of the build and its sources: in the site, so that it moves with the site.
STAMP = LITE / "stamp.json"
#: All that ``lite/`` is made of, besides the bundle.
SOURCES = (
    *("src/posenc", "book/data", "book/assets/solve"),
    *("notebooks", "requirements.txt", "scripts"),
)
KERNEL = "@jupyterlite/pyodide-kernel-extension"
#: JupyterLab's extensions that a notebook of the book needs; all others stay out.
EXTENSIONS = (KERNEL, "@jupyter-widgets/jupyterlab-manager", "anywidget")
#: Judges of exercises that no page has.
FOR_MARKS = "src/posenc/*/exercises/graded.py"
#: Packages that posenc imports in a notebook besides its wheel's requirements.
ALSO = ("matplotlib", "anywidget")
#: Fetched with Pyodide: what the kernel imports, and what a notebook begins with.
PREFETCHED = (
    *("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython"),
    "posenc",
)


def update() -> str:
    """Build ``lite/`` if what it is made of has changed; say what that is."""
    bundle, sentence = choose()
    if not _is_made_of(sentence):
        build(bundle)
        STAMP.write_text(json.dumps(_state(sentence), indent=1) + "\n", "utf-8")
    return sentence


def is_current() -> bool:
    """Return True if ``lite/`` has been built from the present sources."""
    return _is_made_of(choose()[1])


def _is_made_of(sentence: str) -> bool:
    stamp = json.loads(STAMP.read_text("utf-8")) if STAMP.exists() else None
    return bool(stamp == _state(sentence))


def _state(sentence: str) -> dict[str, str]:
    """Return a hash of the sources of ``lite/``, and where Pyodide is from."""
    return {"sources": fingerprint(ROOT, SOURCES), "pyodide": sentence}


def build(bundle: Bundle | None) -> None:
    """Build ``lite/`` from nothing, with the files of a bundle or without any."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    ours = posenc_wheel(WORK / "wheels")
    kernel = labextension(KERNEL) / "static/pypi"
    settings: dict[str, Any] = {}
    if bundle:
        settings = {"disablePyPIFallback": True, "pipliteUrls": []}
        settings["loadPyodideOptions"] = {"packages": list(PREFETCHED)}
        wheels = [*extra_wheels(), ours]
        wheels += [
            wheel
            for name in ("piplite", "pyodide_kernel", "ipykernel")
            for wheel in kernel.glob(f"{name}-*.whl")
        ]
        carry(bundle, wheels, WORK / "static/pyodide")
    else:
        (WORK / "pypi").mkdir()
        shutil.copy(ours, WORK / "pypi")
    write_notebooks(WORK / "contents", install=not bundle)
    configure(settings)
    run_jupyter_lite()
    finish(ours)


def choose() -> tuple[Bundle | None, str]:
    """Return the usable bundle, if any, and a sentence that describes it."""
    bundle = find_bundle()
    if bundle is None:
        return None, (
            "Notebooks in the browser fetch Pyodide from its makers' servers, since no "
            "bundle is here: POSENC_PYODIDE may name a folder with the files of "
            "scripts/lite/pyodide.json."
        )
    try:
        extra_wheels()
    except BundleError as error:
        return None, (
            "Notebooks in the browser fetch Pyodide from its makers' servers, although "
            f"a bundle is here: {error}"
        )
    keep(bundle)
    return bundle, (
        f"Notebooks in the browser ask no other host: Pyodide is from {bundle.source}."
    )


def posenc_wheel(folder: Path) -> Path:
    """Build the wheel of this checkout's posenc: same sources, same bytes.

    Judges of exercises for marks stay out, since everybody can read what a site holds.
    """
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    settings["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"] = [FOR_MARKS]
    with mock.patch.dict(os.environ, SOURCE_DATE_EPOCH="1577836800"):
        (wheel,) = WheelBuilder(str(ROOT), config=settings).build(directory=str(folder))
    return Path(wheel)


def labextension(name: str) -> Path:
    """Return the folder of an extension of JupyterLab in this environment."""
    folder = Path(sys.prefix, "share/jupyter/labextensions", name)
    if not folder.is_dir():
        msg = f"{folder} is missing: run `pip install -r requirements.txt`"
        raise FileNotFoundError(msg)
    return folder


def carry(bundle: Bundle, wheels: list[Path], target: Path) -> None:
    """Put Pyodide, all wheels and a lock file that names them into a folder."""
    target.mkdir(parents=True)
    for name in expected():
        shutil.copyfile(bundle.folder / name, target / name)
    for wheel in wheels:
        shutil.copyfile(wheel, target / wheel.name)
    lock = json.loads((target / "pyodide-lock.json").read_text("utf-8"))
    entries = [
        lock_entry(wheel, ALSO if wheel.name.startswith("posenc-") else ())
        for wheel in wheels
    ]
    lock = extended_lock(lock, entries)
    (target / "pyodide-lock.json").write_text(json.dumps(lock, indent=1) + "\n")
    pack_solve(target)


def write_notebooks(folder: Path, *, install: bool) -> None:
    """Write every student notebook in its edition for the browser."""
    folder.mkdir()
    for path in NOTEBOOKS.glob("*.ipynb"):
        notebook = browser_notebook(nbformat.read(path, 4), path.stem, install=install)
        nbformat.write(notebook, folder / path.name)


def configure(kernel: dict[str, Any]) -> None:
    """Write what JupyterLite reads: for its build, and in the browser."""
    build_config = {
        "contents": [str(WORK / "contents")],
        "federated_extensions": [str(labextension(name)) for name in EXTENSIONS],
        "ignore_sys_prefix": ["federated_extensions"],
        "no_sourcemaps": True,
        "apps": ["notebooks", "lab", "tree"],
        "output_dir": str(LITE),
        "lite_dir": str(WORK),
        "cache_dir": str(WORK / "cache"),
    }
    (WORK / "jupyter_lite_config.json").write_text(
        json.dumps({"LiteBuildConfig": build_config}, indent=1)
    )
    page = {
        "appName": "Where Am I?",
        "contentsStorageName": "where-am-i",  # see notebooks.mjs
        "exposeAppInBrowser": True,  # run.js saves through it
        "litePluginSettings": {f"{KERNEL}:kernel": kernel},
    }
    (WORK / "jupyter-lite.json").write_text(
        json.dumps({"jupyter-lite-schema-version": 0, "jupyter-config-data": page})
    )
    shutil.copy(PARTS / "overrides.json", WORK)


def run_jupyter_lite() -> None:
    """Run JupyterLite to write its pages; on a failure show its output."""
    shutil.rmtree(LITE, ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-m", "jupyterlite_core", "build"],
        check=False,
        capture_output=True,
        cwd=WORK,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}\njupyter lite build failed, see above")


def finish(wheel: Path) -> None:
    """Add the page that opens notebooks, the editions that it compares, and the wheel.

    Readers without a network install that one: see `make_zip`.
    """
    shutil.copy(wheel, LITE)
    editions = {
        path.stem: nbformat.read(path, 4).metadata["posenc"]["edition"]
        for path in (LITE / "files").glob("*.ipynb")
    }
    (LITE / "editions.json").write_text(json.dumps(editions, indent=1, sort_keys=True))
    for name in ("run.html", "run.js", "run.css"):
        shutil.copy(PARTS / name, LITE)
    for name in ("notebooks.mjs", "store.mjs"):  # a site without a bundle has no solve/
        shutil.copy(SOLVE / name, LITE)
