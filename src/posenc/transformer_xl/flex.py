"""The terms b, c and d of the scores as a function of a pair, for FlexAttention."""

import math
from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Float

from posenc.core.checks import check_tensor
from posenc.core.dtypes import matmul, widen
from posenc.core.relative_positions import ScoreMod

from .scores import _check_keys, _per_head


def score_mod(
    q: Float[Any, "batch num_heads q_len head_dim"],
    k: Float[Any, "batch num_heads k_len head_dim"],
    r: Float[Any, "*heads k_len head_dim"],
    u: Float[Any, "*heads head_dim"],
    v: Float[Any, "*heads head_dim"],
) -> ScoreMod:
    r"""Return what `attention_scores` adds to :math:`q_i \cdot k_j`, for FlexAttention.

    The kernel makes term a, content with content, by itself. Terms b and d are one
    product of the queries with the k_len distances, where each pair picks its own; term
    c is a number for each key.

    Parameters
    ----------
    q, k : tensors of shape (batch, num_heads, q_len or k_len, head_dim)
        The queries and keys that FlexAttention is given, too.
    r, u, v
        As in `attention_scores`.

    Returns
    -------
    function (score, batch, head, query, key) -> score
        With the three terms added, divided by :math:`\sqrt D`, FlexAttention's default
        scale. The keys after the query get garbage: hide them by
        ``posenc.attention.causal_mask_mod(q_offset=k_len - q_len)``. Gradients flow to
        all tensors (on a GPU: FlexAttention has no backward pass on a CPU).

    Raises
    ------
    TypeError, ValueError
        As in `attention_scores`.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    check_tensor("q", q, ("batch", "num_heads", "q_len", "head_dim"))
    _check_keys(q, k, r)
    xp, scale = array_namespace(q, k, r), 1 / math.sqrt(q.shape[-1])
    queries = widen(q) + _per_head("v", v, q)
    positions = matmul(queries, xp.matrix_transpose(r)) * scale  # column = distance
    contents = (
        xp.sum(_per_head("u", u, q) * widen(k), axis=-1) * scale
    )  # (batch, heads, K)
    # Query i stands at key i + K - Q, whose distance to itself is in the last column.
    own = q.shape[-2] - 1

    def add_terms(score: Any, batch: Any, head: Any, query: Any, key: Any) -> Any:
        column = (key - query + own).clamp(0, r.shape[-2] - 1)
        position = positions[batch, head, query, column]
        return score + position + contents[batch, head, key]

    return add_terms
