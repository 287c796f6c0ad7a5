"""Tables and measurements that chapters show: the files of ``book/data``.

What a benchmark or a conversion writes is one JSON file. Trained runs come in tables: a
folder has one file for each experiment, with a line of JSON for each run.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from .chapters import PACKAGE

#: In a wheel the files lie inside the package, in a checkout beside the chapters.
_FOLDERS = (PACKAGE / "_data", PACKAGE.parents[1] / "book" / "data")


def load(name: str) -> Any:
    """Return the content of ``book/data/<name>.json``, wherever posenc is installed.

    Parameters
    ----------
    name : str
        Name of the file without its ending, such as ``"printed_tables"``.

    Raises
    ------
    ValueError
        If there is no such file; the message lists those there are.

    Examples
    --------
    >>> load("printed_tables")["t5"]["num_buckets"]
    16
    """
    for folder in _FOLDERS:
        path = folder / f"{name}.json"
        if path.is_file():
            return json.loads(path.read_text(encoding="utf-8"))
    known = sorted(path.stem for folder in _FOLDERS for path in folder.glob("*.json"))
    msg = f"name must be one of {known}, got {name!r}"
    raise ValueError(msg)


def load_arrays(name: str) -> dict[str, Any]:
    """Return the NumPy arrays of ``book/data/<name>.npz``, by their names.

    Parameters
    ----------
    name : str
        Name of the file without its ending, such as a run of the laboratory whose
        weights were kept.

    Raises
    ------
    ValueError
        If there is no such file; the message lists those there are.
    """
    for folder in _FOLDERS:
        path = folder / f"{name}.npz"
        if path.is_file():
            with np.load(path) as arrays:
                return dict(arrays)
    known = sorted(
        path.relative_to(folder).with_suffix("").as_posix()
        for folder in _FOLDERS
        for path in folder.rglob("*.npz")
    )
    msg = f"name must be one of {known}, got {name!r}"
    raise ValueError(msg)


def load_folder(name: str) -> dict[str, Any]:
    """Return rows of all tables ``book/data/<name>/*.jsonl``, by name, in their order.

    A table that has not changed is parsed once, so all callers share its rows.

    Parameters
    ----------
    name : str
        Name of the folder, such as ``"lab_runs"``: those of the laboratory.

    Raises
    ------
    ValueError
        If there is no such folder; the message lists those there are.

    Examples
    --------
    >>> load_folder("lab_runs")["copy-rope-0.01-1"]["plan"]["encoding"]
    'rope'
    """
    for folder in _FOLDERS:
        rows: dict[str, Any] = {}
        for path in (folder / name).glob("*.jsonl"):
            rows |= read_table(path)
        if rows:
            return dict(sorted(rows.items()))
    known = sorted(
        {path.parent.name for folder in _FOLDERS for path in folder.glob("*/*.jsonl")}
    )
    msg = f"name must be one of {known}, got {name!r}"
    raise ValueError(msg)


def read_table(path: Path) -> dict[str, Any]:
    r"""Return the rows of a table in JSON lines, by their names.

    The last row of a name wins. The last line may be cut off, as a process that is
    killed while it writes leaves it: it does not count.

    Parameters
    ----------
    path : Path
        Where each line is an object with a ``"name"``.

    Raises
    ------
    ValueError
        If another line is no such object.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "runs.jsonl")
    ...     _ = path.write_text('{"name": "a", "steps": 3}\n{"name": "b", "st')
    ...     read_table(path)
    {'a': {'steps': 3}}
    """
    status = path.stat()
    return dict(_read_table(path, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=64)
def _read_table(path: Path, _changed: int, _size: int) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    *lines, last = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(lines, 1):
        row = parse_row(line)
        if row is None:
            msg = (
                f"line {number} of {path} must be a JSON object with a name, got "
                f"{line[:40]!r}: mend it, or take it out"
            )
            raise ValueError(msg)
        rows[row.pop("name")] = row
    if (row := parse_row(last)) is not None:
        rows[row.pop("name")] = row
    return rows


def parse_row(line: str | bytes) -> dict[str, Any] | None:
    """Return a table's row from its line, or None if the line is no named object."""
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) and isinstance(row.get("name"), str) else None
