"""Tables and measurements that chapters show: the JSON files of ``book/data``."""

import json
from typing import Any

import numpy as np

from .chapters import PACKAGE

#: In a wheel the files lie inside the package, in a checkout beside the chapters.
_FOLDERS = (PACKAGE / "_data", PACKAGE.parents[1] / "book" / "data")


def load(name: str) -> Any:
    """Content of ``book/data/<name>.json``, wherever the package is installed.

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
    """NumPy arrays of ``book/data/<name>.npz``, by their names.

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
            with np.load(path) as found:
                return dict(found)
    known = sorted(
        path.relative_to(folder).with_suffix("").as_posix()
        for folder in _FOLDERS
        for path in folder.rglob("*.npz")
    )
    msg = f"name must be one of {known}, got {name!r}"
    raise ValueError(msg)


def load_folder(name: str) -> dict[str, Any]:
    """Contents of all ``book/data/<name>/*.json``, by their names, in their order.

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
        found = sorted((folder / name).glob("*.json"))
        if found:
            return {
                path.stem: json.loads(path.read_text(encoding="utf-8"))
                for path in found
            }
    known = sorted(
        {path.parent.name for folder in _FOLDERS for path in folder.glob("*/*.json")}
    )
    msg = f"name must be one of {known}, got {name!r}"
    raise ValueError(msg)
