"""Where Pyodide comes from, and the files of it that the site carries.

A bundle is a folder with Pyodide and the wheels that a notebook of this book needs.
``lite/pyodide.json`` names its files with their sha256, so that a site is made of these
files or of none: a folder with others is refused. It is looked for in

- the folder that ``POSENC_PYODIDE`` names,
- ``../shared/pyodide`` beside this checkout,
- the cache, where the last one that was used is kept.

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

#: How markers of requirements are read where Pyodide runs.
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
    """A bundle or a wheel is not the one that belongs here; the message says which."""


@dataclass(frozen=True)
class Bundle:
    """A folder whose files were compared with the manifest."""

    folder: Path
    #: Where it was found, in words.
    source: str


def expected() -> dict[str, str]:
    """Sha256 of each file of the bundle."""
    checksums: dict[str, str] = json.loads(MANIFEST.read_text("utf-8"))["sha256"]
    return checksums


def sha256(path: Path) -> str:
    """Sha256 of a file, in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def find_bundle() -> Bundle | None:
    """First bundle there is, with every file as it should be; None without any.

    Raises
    ------
    BundleError
        If ``POSENC_PYODIDE`` names no folder, or a file is missing or another one.
    """
    chosen = os.environ.get("POSENC_PYODIDE")
    if chosen and not Path(chosen).is_dir():
        msg = f"POSENC_PYODIDE must name a folder, got {chosen!r}"
        raise BundleError(msg)
    candidates = [
        (Path(chosen) if chosen else None, "the folder that POSENC_PYODIDE names"),
        (ROOT.parent / "shared/pyodide", "../shared/pyodide"),
        (CACHE / "pyodide", "the cache"),
    ]
    for folder, source in candidates:
        if folder and folder.is_dir():
            verify(folder)
            return Bundle(folder, source)
    return None


def verify(folder: Path) -> None:
    """Compare each file with the manifest; the error names the first that differs."""
    for name, checksum in expected().items():
        path = folder / name
        found = sha256(path) if path.is_file() else "no such file"
        if found != checksum:
            msg = (
                f"{path} must have sha256 {checksum} as {MANIFEST.name} says, got "
                f"{found}. Put the right file there, or take the folder away: then "
                "the next source is tried."
            )
            raise BundleError(msg)


def keep(bundle: Bundle) -> None:
    """Copy a bundle to the cache, for builds where its folder is not at hand."""
    target = CACHE / "pyodide"
    if bundle.folder == target or target.is_dir():
        return
    unfinished = CACHE / f"pyodide-{os.getpid()}"
    unfinished.mkdir(parents=True)
    for name in expected():
        shutil.copyfile(bundle.folder / name, unfinished / name)
    try:
        unfinished.rename(target)
    except OSError:  # another build was quicker
        shutil.rmtree(unfinished)


def extra_wheels() -> list[Path]:
    """Wheels of ``lite/wheels.txt``, from the cache or else from the package index.

    Raises
    ------
    BundleError
        If pip cannot fetch them; the message ends with pip's.
    """
    folder = CACHE / f"wheels-{sha256(WHEELS)[:12]}"
    if not folder.is_dir():
        unfinished = folder.with_name(f"{folder.name}-{os.getpid()}")
        unfinished.mkdir(parents=True)
        target = ("--platform=any", "--implementation=py", "--python-version=3.14")
        fetch = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", *target]
        fetch += ["--abi=none", "--only-binary=:all:", "--require-hashes"]
        done = subprocess.run(
            [*fetch, "--dest", unfinished, "-r", WHEELS],
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            shutil.rmtree(unfinished)
            msg = f"the wheels of {WHEELS.name} cannot be fetched: {done.stderr[-500:]}"
            raise BundleError(msg)
        unfinished.rename(folder)
    return sorted(folder.glob("*.whl"))


def lock_entry(wheel: Path, also: tuple[str, ...] = ()) -> dict[str, Any]:
    """What Pyodide's lock file says about a wheel, which may need more packages."""
    name, version, _, _ = parse_wheel_filename(wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (n for n in names if n.endswith(".dist-info/METADATA"))
        fields = Parser().parsestr(archive.read(metadata).decode())
    wanted = [Requirement(line) for line in fields.get_all("Requires-Dist", [])]
    needed = [r.name for r in wanted if not r.marker or r.marker.evaluate(BROWSER)]
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
    """Lock file with these entries too, in which no package needs an absent one.

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
