"""Record of tried and passed exercises: a file with one line of JSON for each check.

Lines are appended and never rewritten. So a crash loses nothing that was there before,
two notebooks may write at once, and a line that cannot be read (damaged, or written by
a newer posenc) stays where it is. The file is, in this order,

- the one that the environment variable ``POSENC_PROGRESS`` names,
- in the browser ``posenc-progress.jsonl`` in the notebook's folder, which JupyterLite
  keeps in the browser's storage and lists among the files; its lines are shared with
  the progress of the pages (see ``notebooks.mjs``),
- ``posenc/progress.jsonl`` in the folder for the user's data.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from posenc.core.platform import IN_BROWSER

_VERSION = 1


@dataclass
class Record:
    """Progress in one exercise."""

    tries: int = 0
    passed: bool = False
    last: str = ""  # local time of the last try, to the minute


@dataclass
class Log:
    """Content of a file, and messages on the parts that could not be used."""

    path: Path
    records: dict[str, Record] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def location() -> Path:
    """Return the file that keeps the progress."""
    chosen = os.environ.get("POSENC_PROGRESS")
    if chosen:
        return Path(chosen).expanduser()
    if IN_BROWSER:
        return Path.cwd() / "posenc-progress.jsonl"
    folder = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_DATA_HOME")
    base = Path(folder) if folder else Path.home() / ".local" / "share"
    return base / "posenc" / "progress.jsonl"


def record(name: str, passed: bool, seed: int) -> str:
    """Append one check. Return a note for the learner if that is not possible."""
    entry = {
        "version": _VERSION,
        "time": datetime.now().astimezone().isoformat(timespec="seconds"),
        "exercise": name,
        "passed": passed,
        "seed": seed,
    }
    try:
        path = location()
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            # One write, so that lines of two notebooks do not mix. It begins on a line
            # of its own even where a crash has left half of one.
            file.write(f"\n{json.dumps(entry)}\n".encode())
            file.flush()
            with contextlib.suppress(OSError):  # os.devnull, for one, cannot
                os.fsync(file.fileno())
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home folder
        return _unusable("This try is not in your progress", error)
    return ""


def read() -> Log:
    """Return everything that was recorded, and what could not be read."""
    try:
        path = location()
    except (OSError, RuntimeError) as error:
        return Log(Path(), notes=(_unusable("No progress is kept", error),))
    log = Log(path)
    try:
        text = path.read_bytes().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return log
    except OSError as error:
        log.notes = (_unusable("The progress cannot be read", error),)
        return log
    damaged = newer = 0
    for entry in _entries(text):
        if _is_newer(entry):
            newer += 1
        elif not _is_valid(entry):
            damaged += 1
        else:
            record = log.records.setdefault(entry["exercise"], Record())
            record.tries += 1
            record.passed = record.passed or entry["passed"]
            record.last = max(record.last, entry["time"][:16].replace("T", " "))
    unused = [(damaged, "that could not be read"), (newer, "of a newer posenc")]
    words = [f"{_lines(count)} {which}" for count, which in unused if count]
    if words:
        log.notes = (f"Not used, but left in the file: {' and '.join(words)}.",)
    return log


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _entries(text: str) -> Iterator[Any]:
    """Yield the content of each line; None if it is no JSON."""
    for line in text.split("\n"):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                yield None


def _is_newer(entry: Any) -> bool:
    version = entry.get("version") if isinstance(entry, dict) else None
    return isinstance(version, int) and version > _VERSION


def _is_valid(entry: Any) -> bool:
    kinds = {"version": int, "time": str, "exercise": str, "passed": bool}
    return isinstance(entry, dict) and all(
        isinstance(entry.get(key), kind) for key, kind in kinds.items()
    )


def _unusable(consequence: str, error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    where = getattr(error, "filename", None)
    return (
        f"{consequence} ({where}: {reason}). The environment variable POSENC_PROGRESS "
        "may name a file that can be written."
        if where
        else f"{consequence} ({reason})."
    )
