"""Conventions of relative positions: sign, alignment, and who may see whom."""

from typing import Any

import numpy as np

from posenc import t5

from ._search import Choice, Kind, Trait

ALIGNMENT = Trait(
    "alignment",
    {
        "start": "query i stands at position i, beside key i (top left)",
        "end": "the last query stands beside the last key (bottom right), so query i "
        "at position k_len - q_len + i",
    },
)
SIGN = Trait(
    "sign",
    {"key": "key minus query", "query": "query minus key"},
)
SHIFT = Trait(
    "distance",
    {
        "0": "0 between a query and the key at its own position",
        "1": "off by one: 1 for the key at the query's own position",
        "-1": "off by one: -1 for the key at the query's own position",
    },
)
_LENGTHS = [(1, 1), (1, 2), (2, 1), (2, 3), (3, 2), (3, 7), (7, 4), (9, 9)]


def offsets(choice: Choice, q_len: int, k_len: int) -> Any:
    """Return key minus query, aligned and signed by the choice."""
    first = k_len - q_len if choice.get("alignment") == "end" else 0
    r = np.arange(k_len)[None, :] - (first + np.arange(q_len)[:, None])
    r = -r if choice.get("sign") == "query" else r
    return r + int(choice.get("distance", "0"))


def q_offset(choice: Choice) -> str:
    """Return posenc's `q_offset` that moves the queries as in the choice."""
    return ", q_offset=k_len - q_len" if choice["alignment"] == "end" else ""


# --- a causal mask -------------------------------------------------------------------


def _mask(choice: Choice, q_len: int, k_len: int) -> Any:
    visible = offsets(choice, q_len, k_len) + int(choice["own key"]) <= 0
    if choice["values"] == "bias":
        return np.where(visible, 0.0, -np.inf)
    return visible if choice["values"] == "visible" else ~visible


MASK = Kind(
    "causal_mask(q_len, k_len)",
    (
        Trait(
            "values",
            {
                "visible": "true where a query may look",
                "hidden": "true where a key is hidden",
                "bias": "0 where a query may look, minus infinity elsewhere",
            },
        ),
        ALIGNMENT,
        Trait(
            "own key",
            {
                "0": "a query sees the key at its own position, and none after it",
                "1": "a query does not see the key at its own position (off by one)",
                "-1": "a query sees one key after its own position (off by one)",
            },
        ),
    ),
    lambda rng: _LENGTHS,
    _mask,
    lambda c: (
        ("~" if c["values"] == "hidden" else "")
        + f"posenc.attention.causal_mask(q_len, k_len{q_offset(c)})"
        if c["values"] != "bias" and c["own key"] == "0"
        else ""
    ),
)

# --- Shaw's index --------------------------------------------------------------------


def _index(choice: Choice, q_len: int, k_len: int, max_distance: int) -> Any:
    r = offsets(choice, q_len, k_len)
    clipped = np.clip(r, -max_distance, max_distance)
    first = {"zero": max_distance, "minus": 0, "one": max_distance + 1}
    return clipped + first[choice["first row"]]


SHAW = Kind(
    "relative_position_index(q_len, k_len, max_distance)",
    (
        SIGN,
        ALIGNMENT,
        Trait(
            "first row",
            {
                "zero": "indices from 0 to 2k",
                "minus": "clipped offsets from -k to k",
                "one": "indices from 1 to 2k + 1",
            },
        ),
        SHIFT,
    ),
    lambda rng: [(q, k, m) for q, k in _LENGTHS for m in (1, 3)],
    _index,
)

# --- T5 ------------------------------------------------------------------------------

_DIRECTION = Trait(
    "direction",
    {
        "asked": "as the argument says",
        "both": "buckets for both directions, whatever the argument says",
        "causal": "buckets for the past alone, whatever the argument says",
    },
)


def _bucket(choice: Choice, r: Any, bidirectional: bool, *setting: int) -> Any:
    if choice["direction"] != "asked":
        bidirectional = choice["direction"] == "both"
    sign = -1 if choice["sign"] == "query" else 1
    options = dict(zip(("num_buckets", "max_distance"), setting, strict=True))
    r = sign * r + int(choice["distance"])
    bucket = t5.relative_position_bucket(r, bidirectional=bidirectional, **options)
    half = options["num_buckets"] // 2
    if bidirectional and choice["halves"] == "future":
        bucket = np.where(r == 0, bucket, (bucket + half) % (2 * half))
    return bucket


T5_BUCKET = Kind(
    "relative_position_bucket(relative_position, bidirectional, num_buckets, "
    "max_distance)",
    (
        Trait(
            "sign",
            {
                "key": "it is given key minus query",
                "query": "it is given query minus key",
            },
        ),
        Trait(
            "halves",
            {
                "past": "keys before the query have the first half of the buckets",
                "future": "keys after the query have the first half of the buckets",
            },
        ),
        _DIRECTION,
        SHIFT,
    ),
    lambda rng: [
        (np.arange(-reach, reach + 1), both, num_buckets, max_distance)
        for reach, num_buckets, max_distance in (
            (3, 32, 128),
            (150, 32, 128),
            (60, 16, 40),
        )
        for both in (True, False)
    ],
    _bucket,
    lambda c: (
        "posenc.t5.relative_position_bucket("
        + ("-" if c["sign"] == "query" else "")
        + "relative_position, …)"
        if c["halves"] == "past" and c["direction"] == "asked" and c["distance"] == "0"
        else ""
    ),
    # In both directions, another sign is the same as other halves.
    skips=lambda c: {"causal": ("halves",), "both": ("sign",)}.get(c["direction"], ()),
)

_AXES = Trait(
    "axes",
    {
        "hqk": "heads, queries, keys",
        "qkh": "queries, keys, heads",
        "hkq": "heads, keys, queries",
    },
)


def _bias(choice: Choice, table: Any, q_len: int, k_len: int, both: bool) -> Any:
    if choice["direction"] != "asked":
        both = choice["direction"] == "both"
    r = offsets(choice, q_len, k_len)
    buckets = t5.relative_position_bucket(r, bidirectional=both, num_buckets=len(table))
    order = {"hqk": (2, 0, 1), "qkh": (0, 1, 2), "hkq": (2, 1, 0)}[choice["axes"]]
    return np.transpose(table[buckets], order)


T5_BIAS = Kind(
    "relative_position_bias(table, q_len, k_len, bidirectional)",
    (SIGN, ALIGNMENT, _DIRECTION, _AXES, SHIFT),
    lambda rng: [
        (np.round(rng.normal(size=(32, 2)), 3), q_len, k_len, both)
        for q_len, k_len in [*_LENGTHS, (3, 150)]
        for both in (True, False)
    ],
    _bias,
    lambda c: (
        "posenc.t5.relative_position_bias(table, q_len, k_len, "
        f"bidirectional=…{q_offset(c)})"
        if (c["sign"], c["axes"], c["direction"], c["distance"])
        == ("key", "hqk", "asked", "0")
        else ""
    ),
    scalable=True,
)

# --- Swin ----------------------------------------------------------------------------


def _window(choice: Choice, height: int, width: int) -> Any:
    row, column = np.divmod(np.arange(height * width), width)
    if choice["cells"] == "columns":
        column, row = np.divmod(np.arange(height * width), height)
    sign = -1 if choice["sign"] == "key" else 1
    rows = sign * (row[:, None] - row) + height - 1
    columns = sign * (column[:, None] - column) + width - 1
    if choice["table"] == "rows":
        return columns * (2 * height - 1) + rows
    return rows * (2 * width - 1) + columns


SWIN = Kind(
    "relative_position_index(height, width)",
    (
        Trait("sign", {"query": "query minus key", "key": "key minus query"}),
        Trait(
            "table",
            {
                "columns": "rows of the table with the column offsets running fastest",
                "rows": "rows of the table with the row offsets running fastest",
            },
        ),
        Trait(
            "cells",
            {
                "rows": "cells are numbered row by row",
                "columns": "cells are numbered column by column",
            },
        ),
    ),
    lambda rng: [(1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (4, 4), (5, 3), (9, 12)],
    _window,
    lambda c: (
        "posenc.swin.relative_position_index(height, width)"
        + (".T" if c["sign"] == "key" else "")
        if c["table"] == "columns" and c["cells"] == "rows"
        else ""
    ),
)
