"""Conventions of operations on scores: ALiBi's penalty, scale, and mask."""

import math
from typing import Any

import numpy as np

from posenc import alibi

from ._positions import ALIGNMENT, SHIFT, offsets, q_offset
from ._search import Choice, Kind, Trait

# --- ALiBi ---------------------------------------------------------------------------

_ORDER = Trait(
    "slopes",
    {
        "published": "as published: for H heads, no power of two, those of the power "
        "below, then every other one of the power above",
        "formula": "2^(-8h/H) for every number of heads H",
        "sorted": "the published ones, sorted from steep to flat",
        "above": "the first H of the power of two above",
        "from 1": "2^(-8h/H) with h from 0: they begin with 1",
        "reversed": "the published ones in reverse order",
    },
)


def _slopes(choice: Choice, num_heads: int) -> Any:
    published = np.asarray(alibi.alibi_slopes(num_heads))
    heads = np.arange(num_heads)
    above = 2 ** math.ceil(math.log2(num_heads))
    return {
        "published": published,
        "formula": 2.0 ** (-8 * (heads + 1) / num_heads),
        "sorted": np.sort(published)[::-1],
        "above": 2.0 ** (-8 * (heads + 1) / above),
        "from 1": 2.0 ** (-8 * heads / num_heads),
        "reversed": published[::-1],
    }[choice["slopes"]]


_POSITIVE = Trait(
    "sign of the slopes", {"+": "positive", "-": "negative (ready to be multiplied)"}
)
_HEADS = (1, 2, 3, 4, 6, 8, 12, 16)


def _signed_slopes(choice: Choice, num_heads: int) -> Any:
    sign = -1 if choice["sign of the slopes"] == "-" else 1
    return sign * _slopes(choice, num_heads)


SLOPES = Kind(
    "alibi_slopes(num_heads)",
    (_ORDER, _POSITIVE),
    lambda rng: [(n,) for n in _HEADS],
    _signed_slopes,
    lambda c: (
        ("-" if c["sign of the slopes"] == "-" else "")
        + "posenc.alibi.alibi_slopes(num_heads)"
        if c["slopes"] == "published"
        else ""
    ),
)

_MEASURE = Trait(
    "grows with",
    {
        "distance": "the distance of query and key",
        "key": "the key's position, from 0 at the first key: the same row for every "
        "query; the softmax cannot see the difference, provided a causal mask follows",
        "key from the end": "the key's position, with 0 at the last key: the same row "
        "for every query; the softmax cannot see the difference, provided a causal "
        "mask follows",
    },
)
_LATER = Trait(
    "keys after the query",
    {
        "zero": "get 0",
        "symmetric": "are penalized by their distance as well",
        "linear": "get a bonus that grows with the distance",
        "masked": "are hidden: minus infinity",
    },
)
_PENALTY = Trait(
    "sign",
    {"-": "far keys lose", "+": "far keys win (the wrong sign, unless subtracted)"},
)
_ROW_AXES = Trait(
    "axes",
    {"full": "heads, queries, keys", "row": "heads, 1, keys: one row for all queries"},
)


def _penalty(choice: Choice, slopes: Any, q_len: int, k_len: int) -> Any:
    sign = -1.0 if choice["sign"] == "+" else 1.0
    m = sign * np.asarray(slopes)[:, None, None]
    if choice["grows with"] != "distance":
        row = np.arange(k_len) - (k_len - 1) * (choice["grows with"] != "key")
        num_rows = 1 if choice["axes"] == "row" else q_len
        return m * np.broadcast_to(row, (num_rows, k_len))
    behind = -offsets(choice, q_len, k_len)
    later = {
        "zero": np.zeros(behind.shape),
        "symmetric": behind,
        "linear": -behind,
        "masked": np.full(behind.shape, -np.inf),
    }[choice["keys after the query"]]
    if choice["keys after the query"] == "masked":
        return np.where(behind >= 0, -m * behind, later)
    return m * np.where(behind >= 0, -behind, later)


def _skipped(choice: Choice) -> tuple[str, ...]:
    if choice["grows with"] == "distance":
        return ("axes",)
    return ("alignment", "keys after the query", "distance")


def _use_bias(choice: Choice) -> str:
    options = {"zero": "", "symmetric": ", symmetric=True"}
    later = options.get(choice["keys after the query"])
    ours = choice["grows with"] == "distance" and choice.get("slopes") in (
        None,
        "published",
    )
    exact = choice["sign"] == "-" and choice["distance"] == "0"
    if later is None or not ours or not exact:
        return ""
    return f"posenc.alibi.alibi_bias(num_heads, q_len, k_len{q_offset(choice)}{later})"


_BIAS_TRAITS = (_PENALTY, _MEASURE, _LATER, ALIGNMENT, _ROW_AXES, SHIFT)
_SHAPES = [(1, 1), (1, 2), (2, 1), (2, 3), (3, 2), (3, 7), (5, 5), (1, 200)]

BIAS = Kind(
    "alibi_bias(num_heads, q_len, k_len)",
    (*_BIAS_TRAITS, _ORDER),
    lambda rng: [(n, q_len, k_len) for n in (2, 6) for q_len, k_len in _SHAPES],
    lambda choice, n, q_len, k_len: _penalty(choice, _slopes(choice, n), q_len, k_len),
    _use_bias,
    skips=_skipped,
    scalable=True,
)

#: The exercise's function is given the slopes.
LINEAR_BIAS = Kind(
    "linear_bias(slopes, q_len, k_len)",
    _BIAS_TRAITS,
    lambda rng: [
        (np.asarray(alibi.alibi_slopes(n)), q_len, k_len)
        for n in (2, 6)
        for q_len, k_len in _SHAPES
    ],
    _penalty,
    _use_bias,
    skips=_skipped,
    scalable=True,
)

# --- attention -----------------------------------------------------------------------

_SCALES = {
    "root": "divided by the root of head_dim",
    "none": "not scaled",
    "full": "divided by head_dim",
}
_MASKS = {
    "may": "true where a query may look",
    "hidden": "true where a key is hidden",
    "ignored": "ignored",
    "causal start": "ignored; it is causal, query i beside key i (top left)",
    "causal end": "ignored; it is causal, the last query beside the last key "
    "(bottom right)",
}
_EMPTY = {
    "zeros": "gets zeros",
    "mean": "gets the mean of all values",
    "nan": "gets numbers that are none (nan)",
}


def _attention(choice: Choice, q: Any, k: Any, v: Any, mask: Any) -> Any:
    head_dim, (q_len, k_len) = q.shape[-1], mask.shape
    scale = {"root": head_dim**-0.5, "none": 1.0, "full": 1 / head_dim}
    scores = q @ k.T * scale[choice["scores"]]
    causal = offsets({"alignment": choice["mask"][7:]}, q_len, k_len) <= 0
    visible = {
        "may": mask,
        "hidden": ~mask,
        "ignored": np.ones(mask.shape, bool),
    }.get(choice["mask"], causal)
    scores = np.where(visible, scores, -np.inf)
    some = visible.any(axis=-1, keepdims=True)
    top = np.max(np.where(some, scores, 0.0), axis=-1, keepdims=True)
    weights = np.exp(scores - top)
    weights /= np.where(some, weights.sum(axis=-1, keepdims=True), 1.0)
    empty = {"zeros": 0.0, "mean": 1 / k_len, "nan": np.nan}
    return np.where(some, weights, empty[choice["a query that sees nothing"]]) @ v


def _inputs(rng: Any) -> list[tuple[Any, ...]]:
    inputs = []
    for q_len, k_len, head_dim in (
        (1, 1, 4),
        (2, 2, 4),
        (2, 5, 3),
        (5, 3, 8),
        (6, 6, 4),
    ):
        q, k = (rng.normal(size=(n, head_dim)).round(2) for n in (q_len, k_len))
        v = rng.normal(size=(k_len, 2)).round(2)
        for share in (1.0, 0.5, 0.1):
            inputs.append((q, k, v, rng.random((q_len, k_len)) < share))
    return inputs


ATTENTION = Kind(
    "attention(q, k, v, mask)",
    (
        Trait("scores", _SCALES),
        Trait("mask", _MASKS),
        Trait("a query that sees nothing", _EMPTY),
    ),
    _inputs,
    _attention,
    lambda c: (
        "posenc.attention.scaled_dot_product_attention(q, k, v"
        + {"may": ", mask=mask", "hidden": ", mask=~mask", "ignored": ""}[c["mask"]]
        + {"root": ")", "none": ", scale=1.0)", "full": ", scale=1 / head_dim)"}[
            c["scores"]
        ]
        if c["mask"] in ("may", "hidden", "ignored")
        and c["a query that sees nothing"] == "zeros"
        else ""
    ),
    skips=lambda c: (
        ("a query that sees nothing",)
        if c["mask"] in ("ignored", "causal start")
        else ()
    ),
)
