"""Issues and pull requests of other projects: when they were opened, how they stood."""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

_TABLE = Path(__file__).with_name("threads.toml")


def cited(names: Iterable[str]) -> str:
    """Threads as a warning cites them, each with its date and status.

    Parameters
    ----------
    names : iterable of str
        Names as in ``threads.toml``, for example ``"vllm-project/vllm#48351"``.

    Returns
    -------
    str
        In parentheses behind a space, for the end of a sentence; ``""`` for no names.

    Raises
    ------
    ValueError
        If a name is not in the table.

    Examples
    --------
    >>> cited(["vllm-project/vllm#44158"])
    ' (vllm-project/vllm#44158 of 2026-06-01: open; copies looked up on 2026-11-24)'
    """
    said = [_thread(name) for name in names]
    if not said:
        return ""
    return f" ({'; '.join(said)}; copies looked up on {_table()['looked_up']})"


def _thread(name: str) -> str:
    known = _table()["threads"]
    if name not in known:
        msg = (
            f"names must be threads of {_TABLE.name}, got {name!r}: give it a row there"
        )
        raise ValueError(msg)
    return f"{name} of {known[name]['opened']}: {known[name]['status']}"


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))
