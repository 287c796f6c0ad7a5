"""The table of families: what each `model_type` means."""

import difflib
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_TABLE = Path(__file__).with_name("families.toml")
#: Tables inside a family that add to those of the family it is like.
_MERGED = ("defaults", "names", "older", "renamed")


def families() -> tuple[str, ...]:
    """Every ``model_type`` that `describe` knows, in the order of its table.

    Examples
    --------
    >>> families()[:3]
    ('llama', 'mistral', 'qwen2')
    """
    return tuple(_table())


@cache
def family(model_type: str) -> dict[str, Any]:
    """Facts of a family, with those of the family that it is like."""
    facts = _table()[model_type]
    parent = facts.get("like")
    inherited = family(parent) if parent else {}
    merged = {name: inherited.get(name, {}) | facts.get(name, {}) for name in _MERGED}
    return inherited | facts | merged | {"name": model_type}


def check_family(model_type: Any) -> str:
    """`model_type`, or raise ``ValueError`` with what may be meant."""
    if isinstance(model_type, str) and model_type in _table():
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
def _table() -> dict[str, Any]:
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))
