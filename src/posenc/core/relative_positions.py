"""Relative positions of pairs: from numbers of positions, and one pair at a time.

PyTorch's FlexAttention asks for one pair at a time: it calls a ``score_mod(score,
batch, head, query, key)``, or a ``mask_mod`` without the score, for each of them. All
are tensors without axes, and `vmap` or a compiler makes one computation of all calls.
So what a chapter hands over is a function of a few numbers, which looks into the
tensors that it was made with.
"""

from collections.abc import Callable
from typing import Any

from array_api_compat import is_torch_array

from .checks import (
    check_broadcast,
    check_integral,
    check_namespace,
    check_offset,
    check_positions,
    check_shape,
)

#: ``(score, batch, head, query, key) -> score``, for FlexAttention.
ScoreMod = Callable[[Any, Any, Any, Any, Any], Any]
#: ``(batch, head, query, key) -> may attend``, for FlexAttention.
MaskMod = Callable[[Any, Any, Any, Any], Any]


def positions_apart(q_positions: Any, k_positions: Any) -> Any:
    """Return ``key - query``, (..., Q, K), from positions (..., Q) and (..., K)."""
    xp = check_namespace(q_positions=q_positions, k_positions=k_positions)
    given = {"q_positions": q_positions, "k_positions": k_positions}
    for name, positions in given.items():
        check_integral(name, positions)
        check_shape(name, positions, ("seq_len",), "one position per token")
        check_positions(name, positions)
    check_broadcast(axes=1, **given)
    keys, queries = (xp.astype(array, xp.int64) for array in (k_positions, q_positions))
    return keys[..., None, :] - queries[..., :, None]


def offset_fn(
    q_offset: Any, q_positions: Any, k_positions: Any
) -> Callable[[Any, Any, Any], Any]:
    """Return a function of (batch, query, key) that gives key - query.

    Without positions, keys stand at 0, 1, … and queries from `q_offset` on.
    """
    q_offset = check_offset("q_offset", q_offset)
    if q_positions is None and k_positions is None:
        return lambda batch, query, key: key - query - q_offset
    place_of_query = token_fn("q_positions", q_positions)
    place_of_key = token_fn("k_positions", k_positions)
    check_positions("q_positions", q_positions)
    check_positions("k_positions", k_positions)
    if q_offset:
        msg = f"q_offset must be 0 if positions are given, got {q_offset}"
        raise ValueError(msg)
    return lambda batch, query, key: (
        place_of_key(batch, key) - place_of_query(batch, query)
    )


def token_fn(name: str, numbers: Any) -> Callable[[Any, Any], Any]:
    """Return a function of (batch, token) that reads (seq_len,) or (batch, seq_len)."""
    check_integral(name, numbers)
    if not is_torch_array(numbers) or numbers.ndim not in (1, 2):
        received = f"shape {tuple(numbers.shape)} of {type(numbers).__module__}"
        msg = (
            f"{name} must be a torch tensor of shape (seq_len,) or (batch, seq_len), "
            f"got {received}"
        )
        raise ValueError(msg)
    numbers = numbers.long()  # differences of uint8 or int8 would wrap around
    if numbers.ndim == 1:
        return lambda batch, token: numbers[token]
    return lambda batch, token: numbers[batch, token]
