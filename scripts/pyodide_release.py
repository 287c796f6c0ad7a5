"""Fetch what the cache lacks of Pyodide, from its makers' release and the index.

``lite/pyodide.json`` names the release, and every file with its sha256: no other file
is taken. What was fetched before the line broke is kept, and the next build fetches the
rest. A few pure-Python wheels of the bundle are as the package index has them, so pip
fetches these; the lock file is ours, since it names the files of the bundle alone: it
is ``lite/pyodide-lock.json``.
"""

import hashlib
import json
import shutil
import tempfile
import time
import urllib.request
from http.client import HTTPException
from pathlib import Path

from packaging.utils import parse_wheel_filename
from pyodide_bundle import (
    MANIFEST,
    BundleError,
    cached,
    chosen,
    expected,
    fetch_wheels,
    lacking,
)
from tqdm import tqdm

LOCK = MANIFEST.with_name("pyodide-lock.json")
#: Seconds to wait before each try.
WAITS = (0, 1, 4)
#: Seconds without a single byte after which a try has failed.
PATIENCE = 20


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
    shutil.copyfile(LOCK, folder / LOCK.name)
    missing = lacking(folder)
    from_index = [name for name in missing if name in manifest["from_index"]]
    published = [name for name in missing if name not in from_index]
    for name in tqdm(published, desc="Pyodide", unit="file", disable=not published):
        content = checked(manifest["release"] + name, expected()[name])
        unfinished = folder / f"{name}.part"
        unfinished.write_bytes(content)
        unfinished.replace(folder / name)
    fetch_from_index(folder, from_index)
    if wrong := ", ".join(lacking(folder)):
        msg = f"{wrong} must be as {MANIFEST.name} says, but are not"
        raise BundleError(msg)


def checked(address: str, checksum: str) -> bytes:
    """Fetch a file with this sha256; after a failure, try again."""
    problem: object = None
    for wait in WAITS:
        time.sleep(wait)
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
                content: bytes = answer.read()
        except (OSError, HTTPException, ValueError) as error:
            problem = getattr(error, "reason", None) or error
            continue
        received = hashlib.sha256(content).hexdigest()
        if received == checksum:
            return content
        problem = f"its sha256 is {received}"
    msg = f"{address} must be a file with sha256 {checksum}, but: {problem}"
    raise BundleError(msg)


def fetch_from_index(folder: Path, names: list[str]) -> None:
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
