"""Fetch what the cache lacks of Pyodide, from its makers' release and the index.

``lite/pyodide.json`` names the release, and every file with its sha256 and its length.
A file counts once it has both. What was fetched of one before the line broke is kept,
and the next try, or the next build, goes on from there. A few pure-Python wheels of the
bundle are as the package index has them, so pip fetches these; the lock file is ours,
since it names the files of the bundle alone: it is ``lite/pyodide-lock.json``.
"""

import json
import shutil
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any

from packaging.utils import parse_wheel_filename
from pyodide_bundle import (
    MANIFEST,
    BundleError,
    cached,
    chosen,
    expected,
    fetch_wheels,
    lacking,
    sha256,
)
from tqdm import tqdm

LOCK = MANIFEST.with_name("pyodide-lock.json")
#: Seconds to wait before each further try.
WAITS = (1, 4)
#: Seconds without a single byte after which a try has failed.
PATIENCE = 20
_PIECE = 1 << 16


def complete() -> str:
    """Fill the cache if no local copy is named; say what was done, if anything."""
    if chosen() or not lacking(cached()):
        return ""
    try:
        fetch(cached())
    except (BundleError, OSError) as error:
        return f"Pyodide could not be fetched, so it is left out: {error}"
    return f"Pyodide was fetched: it is kept in {cached()}."


def fetch(folder: Path) -> None:
    """Put all files of the bundle into a folder that is to hold them.

    Raises
    ------
    BundleError
        If one cannot be had, or is another one each time; those before it stay.
    """
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    missing = list(lacking(folder))
    if LOCK.name in missing:
        missing.remove(LOCK.name)
        shutil.copyfile(LOCK, folder / LOCK.name)
    published = [name for name in missing if name not in manifest["from_index"]]
    total = sum(manifest["bytes"][name] for name in published)
    bar = tqdm(
        total=total, unit="B", unit_scale=True, desc="Pyodide", disable=not published
    )
    with bar:
        for name in published:
            bar.set_postfix_str(name[:24])
            address = manifest["release"] + name
            _insist(address, folder / name, manifest["bytes"][name], bar.update)
    from_index(folder, [name for name in missing if name in manifest["from_index"]])
    wrong = list(lacking(folder))
    if wrong:
        msg = f"{', '.join(wrong)} must be as {MANIFEST.name} says, but are not"
        raise BundleError(msg)


def _insist(address: str, target: Path, size: int, tell: Callable[[int], Any]) -> None:
    """Fetch a file; after a failure, resume where the last try ended."""
    part = target.with_name(f"{target.name}.part")
    checksum = expected()[target.name]
    problem: object = None
    for wait in (0, *WAITS):
        time.sleep(wait)
        try:
            tell(held_of(part))
            _continue(address, part, size, tell)
        except (OSError, HTTPException, ValueError) as error:
            problem = getattr(error, "reason", None) or error
            if getattr(error, "code", None) == 416:  # it has no such rest
                part.unlink(missing_ok=True)
            tell(-held_of(part))
        else:
            received = sha256(part)
            if received == checksum:
                part.replace(target)
                return
            problem = f"its sha256 is {received}"
            part.unlink()  # there is nothing to go on from
            tell(-size)
    msg = f"{address} must be a file with sha256 {checksum}, but: {problem}"
    raise BundleError(msg)


def held_of(part: Path) -> int:
    """Return the number of bytes of a file that are there."""
    return part.stat().st_size if part.is_file() else 0


def _continue(address: str, part: Path, size: int, tell: Callable[[int], Any]) -> None:
    """Append to a part of a file what a server has of the rest; no more than `size`."""
    held = held_of(part)
    if held == size:
        return
    headers = {"Range": f"bytes={held}-"} if 0 < held < size else {}
    request = urllib.request.Request(address, headers=headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        goes_on = answer.status == 206 and answer.headers.get(
            "Content-Range", ""
        ).startswith(f"bytes {held}-")
        if held and not goes_on:  # the server sends all of it
            tell(-held)
            held = 0
        with part.open("ab" if held else "wb") as file:
            while piece := answer.read(_PIECE):
                file.write(piece)
                tell(len(piece))
                held += len(piece)
                if held > size:
                    break
    if held != size:
        if held > size:
            tell(-held)
            part.unlink()
        msg = f"{size} bytes were to come, and there were {held}"
        raise OSError(msg)


def from_index(folder: Path, names: list[str]) -> None:
    """Fetch some wheels of the bundle with pip."""
    if not names:
        return
    lines = []
    for wheel in names:
        name, version, _, _ = parse_wheel_filename(wheel)
        lines.append(f"{name}=={version} --hash=sha256:{expected()[wheel]}")
    with tempfile.TemporaryDirectory() as place:
        requirements = Path(place, f"{MANIFEST.name}.txt")
        requirements.write_text("\n".join(lines), "utf-8")
        fetch_wheels(requirements, folder)


if __name__ == "__main__":
    print(complete() or "There is nothing to fetch.")
    sys.exit(1 if not chosen() and lacking(cached()) else 0)
