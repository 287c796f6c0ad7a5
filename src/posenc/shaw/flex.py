"""The position part of the scores as a function of a pair, for FlexAttention."""

import math
from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Float

from posenc.core.checks import check_batch, check_namespace, check_shape, check_tensor
from posenc.core.dtypes import matmul
from posenc.core.relative_positions import ScoreMod, pair_rule

from .labels import max_distance


def score_mod(
    q: Float[Any, "batch num_heads q_len head_dim"],
    key_table: Float[Any, "*heads vectors head_dim"],
    *,
    q_offset: int = 0,
    q_positions: Any = None,
    k_positions: Any = None,
) -> ScoreMod:
    r"""`position_scores`, divided by :math:`\sqrt D`, for PyTorch's FlexAttention.

    Each query is multiplied once with the 2k + 1 vectors; every pair picks its product.
    The vectors on the *values* are beyond a ``score_mod``: they need sums of weights,
    to be computed beside the kernel, from the log-sum-exp that it can return.

    Parameters
    ----------
    q : tensor of shape (batch, num_heads, q_len, head_dim)
        The queries that FlexAttention is given, too.
    key_table, q_offset
        As in `position_scores`; the table is a torch tensor.
    q_positions, k_positions : integer tensors (seq_len,) or (batch, seq_len), optional
        Position of every query and key, where they are not 0, 1, … in order.

    Returns
    -------
    function (score, batch, head, query, key) -> score
        With the position part added, for FlexAttention's default scale; gradients flow
        to both tensors (on a GPU: FlexAttention has no backward pass on a CPU).

    Raises
    ------
    TypeError, ValueError
        As in `position_scores` and `posenc.attention.causal_mask_mod`.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    check_tensor("q", q, ("batch", "num_heads", "q_len", "head_dim"))
    far = max_distance("key_table", key_table)
    check_namespace(q=q, key_table=key_table)
    check_shape("key_table", key_table, ("2k + 1", q.shape[-1]), "head_dim is q's")
    check_batch("key_table", key_table, q.shape[:-2], axes=2)
    xp = array_namespace(q)
    products = matmul(q, xp.matrix_transpose(key_table)) / math.sqrt(q.shape[-1])
    relative = pair_rule(q_offset, q_positions, k_positions)

    def add_position(score: Any, batch: Any, head: Any, query: Any, key: Any) -> Any:
        row = relative(batch, query, key).clamp(-far, far) + far
        return score + products[batch, head, query, row]

    return add_position
