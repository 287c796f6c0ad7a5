"""Source of Pyodide, and the files of it that the site carries.

A bundle is a folder with Pyodide and the wheels that a notebook of this book needs.
``lite/pyodide.json`` names its files with their sha256, so that a site is made of these
files or of none. It is

- the folder that ``POSENC_PYODIDE`` names; one with other files is refused,
- or else the cache, which `pyodide_release` fills.

``lite/wheels.txt`` adds the pure-Python wheels that Pyodide's distribution lacks; pip
fetches them, once.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename
from platformdirs import user_cache_path

ROOT = Path(__file__).parent.parent
MANIFEST = ROOT / "scripts/lite/pyodide.json"
WHEELS = ROOT / "scripts/lite/wheels.txt"
CACHE = user_cache_path("posenc")

#: Environment for markers of requirements where Pyodide runs.
BROWSER = {
    "extra": "",
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "wasm32",
    "platform_python_implementation": "CPython",
    "platform_system": "Emscripten",
    "python_full_version": "3.14.0",
    "python_version": "3.14",
    "sys_platform": "emscripten",
}


class BundleError(Exception):
    """The bundle or a wheel is not the right one; the message names it."""


@dataclass(frozen=True)
class Bundle:
    """A folder whose files were compared with the manifest."""

    folder: Path
    #: Its origin, in words.
    source: str


def expected() -> dict[str, str]:
    """Return the sha256 of each file of the bundle."""
    checksums: dict[str, str] = json.loads(MANIFEST.read_text("utf-8"))["sha256"]
    return checksums


def sha256(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def cached() -> Path:
    """Return the folder of the cache for the bundle of this manifest."""
    return CACHE / f"pyodide-{sha256(MANIFEST)[:12]}"


def chosen() -> Path | None:
    """Return the folder in ``POSENC_PYODIDE``, relative to the checkout's top."""
    named = os.environ.get("POSENC_PYODIDE")
    return ROOT / named if named else None


def find_bundle() -> Bundle | None:
    """Return the bundle if every file of it is as it should be; None without any.

    Raises
    ------
    BundleError
        If ``POSENC_PYODIDE`` names no folder, or a file of it is missing or another.
    """
    folder = chosen()
    if folder is None:
        return None if lacking(cached()) else Bundle(cached(), "the cache")
    if not folder.is_dir():
        msg = f"POSENC_PYODIDE must name a folder, got {os.environ['POSENC_PYODIDE']!r}"
        raise BundleError(msg)
    for name, state in lacking(folder).items():
        msg = (
            f"{folder / name} must have sha256 {expected()[name]} as {MANIFEST.name} "
            f"says, got {state}. Put the right file there, or leave POSENC_PYODIDE "
            "empty: then Pyodide is fetched from its makers."
        )
        raise BundleError(msg)
    return Bundle(folder, "the folder that POSENC_PYODIDE names")


def lacking(folder: Path) -> dict[str, str]:
    """List files of the bundle that a folder lacks or has with other content."""
    checksums = {
        name: sha256(folder / name) if (folder / name).is_file() else "no such file"
        for name in expected()
    }
    return {
        name: is_there
        for name, is_there in checksums.items()
        if is_there != expected()[name]
    }


def keep(bundle: Bundle) -> None:
    """Copy a bundle to the cache, for builds where its folder is not at hand."""
    target = cached()
    if bundle.folder == target:
        return
    target.mkdir(parents=True, exist_ok=True)
    for name in lacking(target):
        unfinished = target / f"{name}.{os.getpid()}"
        shutil.copyfile(bundle.folder / name, unfinished)
        unfinished.replace(target / name)


def extra_wheels() -> list[Path]:
    """Return the wheels of ``lite/wheels.txt``, from the cache or package index.

    Raises
    ------
    BundleError
        If pip cannot fetch them; the message ends with pip's.
    """
    folder = CACHE / f"wheels-{sha256(WHEELS)[:12]}"
    if not folder.is_dir():
        unfinished = folder.with_name(f"{folder.name}-{os.getpid()}")
        unfinished.mkdir(parents=True)
        try:
            fetch_wheels(WHEELS, unfinished)
        except BundleError:
            shutil.rmtree(unfinished)
            raise
        unfinished.rename(folder)
    return sorted(folder.glob("*.whl"))


def fetch_wheels(requirements: Path, folder: Path) -> None:
    """Fetch pure-Python wheels with pip; the file has the sha256 of each.

    Raises
    ------
    BundleError
        If pip cannot; the message ends with pip's.
    """
    target = ("--platform=any", "--implementation=py", "--python-version=3.14")
    fetch = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", *target]
    fetch += ["--abi=none", "--only-binary=:all:", "--require-hashes"]
    done = subprocess.run(
        [*fetch, "--dest", folder, "-r", requirements],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        msg = (
            f"the wheels of {requirements.name} cannot be fetched: {done.stderr[-500:]}"
        )
        raise BundleError(msg)


def lock_entry(wheel: Path, also: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a wheel's entry in Pyodide's lock file; it may need more packages."""
    name, version, _, _ = parse_wheel_filename(wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (n for n in names if n.endswith(".dist-info/METADATA"))
        fields = Parser().parsestr(archive.read(metadata).decode())
    requirements = [Requirement(line) for line in fields.get_all("Requires-Dist", [])]
    needed = [
        r.name for r in requirements if not r.marker or r.marker.evaluate(BROWSER)
    ]
    tops = {n.partition("/")[0] for n in names if n.endswith(".py")}
    return {
        "depends": sorted({canonicalize_name(n) for n in (*needed, *also)}),
        "file_name": wheel.name,
        "imports": sorted(
            top.removesuffix(".py") for top in tops if ".data" not in top
        ),
        "install_dir": "site",
        "name": name,
        "package_type": "package",
        "sha256": sha256(wheel),
        "unvendored_tests": False,
        "version": str(version),
    }


def extended_lock(
    lock: dict[str, Any], entries: list[dict[str, Any]]
) -> dict[str, Any]:
    """Add these entries to a lock file whose packages must need no absent one.

    Pyodide would look for such a one elsewhere. What is left out is metadata alone:
    ``ipywidgets``, say, asks for the extension of JupyterLab that the site has anyway.
    """
    packages = {**lock["packages"], **{entry["name"]: entry for entry in entries}}
    pruned = {
        name: {
            **entry,
            "depends": [
                d for d in entry["depends"] if canonicalize_name(d) in packages
            ],
        }
        for name, entry in sorted(packages.items())
    }
    return {**lock, "packages": pruned}
