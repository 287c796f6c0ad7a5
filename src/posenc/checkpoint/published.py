"""Tables of the chapter: families, published models, and issues of other projects."""

import difflib
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

_FAMILIES = Path(__file__).with_name("families.toml")
#: Tables inside a family that add to those of the family it is like.
_MERGED = ("defaults", "names", "older", "renamed")


def families() -> tuple[str, ...]:
    """Return every ``model_type`` that `describe` supports, in its table's order.

    Examples
    --------
    >>> families()[:3]
    ('llama', 'mistral', 'qwen2')
    """
    return tuple(_families())


@cache
def family(model_type: str) -> dict[str, Any]:
    """Return the facts of a family, with those of the family that it is like."""
    facts = _families()[model_type]
    parent = facts.get("like")
    inherited = family(parent) if parent else {}
    merged = {name: inherited.get(name, {}) | facts.get(name, {}) for name in _MERGED}
    return inherited | facts | merged | {"name": model_type}


def check_family(model_type: Any) -> str:
    """Return `model_type`, or raise ``ValueError`` with a similar name."""
    if isinstance(model_type, str) and model_type in _families():
        return model_type
    near = difflib.get_close_matches(str(model_type).lower(), families(), 1, 0.7)
    meant = f"did you mean {near[0]!r}? " if near else ""
    received = "nothing" if model_type is None else repr(model_type)
    msg = (
        f"model_type must be one of the {len(families())} families known here, got "
        f"{received}: {meant}posenc.checkpoint.families() lists them; what another "
        "family makes of a config is not guessed"
    )
    raise ValueError(msg)


@cache
def _families() -> dict[str, Any]:
    return tomllib.loads(_FAMILIES.read_text(encoding="utf-8"))


_MODELS = Path(__file__).with_name("models.toml")


def rows() -> list[str]:
    """Return the rows of the picture of history, from the top."""
    return list(_published()["rows"])


def models() -> list[dict[str, Any]]:
    """Return the facts of every model, in the order of their sources."""
    return list(_published()["model"])


def config(name: str, step: int | None = None) -> dict[str, Any]:
    """Return the keys of a model's configuration that have to do with positions.

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
    for change in known[name].get("step", [])[:step]:
        keys |= change["keys"]
    return keys


@cache
def _published() -> dict[str, Any]:
    return tomllib.loads(_MODELS.read_text(encoding="utf-8"))


_THREADS = Path(__file__).with_name("threads.toml")


def cited(names: Iterable[str]) -> str:
    """Cite threads in a warning, each with its date and status.

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
    threads = [_thread(name) for name in names]
    if not threads:
        return ""
    return f" ({'; '.join(threads)}; copies looked up on {_threads()['looked_up']})"


def _thread(name: str) -> str:
    known = _threads()["threads"]
    if name not in known:
        table = _THREADS.name
        msg = f"names must be threads of {table}, got {name!r}: give it a row there"
        raise ValueError(msg)
    return f"{name} of {known[name]['opened']}: {known[name]['status']}"


@cache
def _threads() -> dict[str, Any]:
    return tomllib.loads(_THREADS.read_text(encoding="utf-8"))
