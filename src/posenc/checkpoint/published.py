"""Published models: the table of the chapter, its pictures and its widget."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_TABLE = Path(__file__).with_name("models.toml")


def rows() -> list[str]:
    """Rows of the picture of history, from the top."""
    return list(_table()["rows"])


def models() -> list[dict[str, Any]]:
    """Facts of every model, in the order of their sources."""
    return list(_table()["model"])


def config(name: str, step: int | None = None) -> dict[str, Any]:
    """Keys of a model's configuration that have to do with positions.

    Parameters
    ----------
    name : str
        As in ``models.toml``: ``"Llama 3.1 8B"``.
    step : int, optional
        Only the keys up to this step; all of them if not given.

    Raises
    ------
    ValueError
        If the table has no configuration of that name.
    """
    known = {model["name"]: model for model in models() if "config" in model}
    if name not in known:
        msg = f"name must be one of {', '.join(known)}, got {name!r}"
        raise ValueError(msg)
    keys = dict(known[name]["config"])
    for one in known[name].get("step", [])[:step]:
        keys |= one["keys"]
    return keys


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))
