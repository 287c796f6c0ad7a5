"""The position part of the scores as a function of a pair, for FlexAttention."""

import math
from typing import Any

from array_api_compat import array_namespace
from jaxtyping import Float

from posenc.core.checks import check_tensor
from posenc.core.dtypes import matmul
from posenc.core.relative_positions import ScoreMod

from .scores import rows_in_use


def score_mod(
    q: Float[Any, "batch num_heads seq_len head_dim"],
    table: Float[Any, "*heads offsets head_dim"],
    *,
    causal: bool = True,
) -> ScoreMod:
    r"""`position_scores`, divided by :math:`\sqrt D`, for PyTorch's FlexAttention.

    The product with the table is the one of the skew; which product belongs to a pair
    is read from its place instead of being shifted there.

    Parameters
    ----------
    q : tensor of shape (batch, num_heads, seq_len, head_dim)
        The queries that FlexAttention is given, too.
    table, causal
        As in `position_scores`; the table is a torch tensor.

    Returns
    -------
    function (score, batch, head, query, key) -> score
        With the position part added, for FlexAttention's default scale. If causal, the
        keys after the query get garbage: hide them by
        `posenc.attention.causal_mask_mod`. Gradients flow to both tensors (on a GPU:
        FlexAttention has no backward pass on a CPU).

    Raises
    ------
    TypeError, ValueError
        As in `position_scores`.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    check_tensor("q", q, ("batch", "num_heads", "seq_len", "head_dim"))
    table, own = rows_in_use(q, table, causal), q.shape[-2] - 1  # the row of offset 0
    xp = array_namespace(q, table)
    products = matmul(q, xp.matrix_transpose(table)) / math.sqrt(q.shape[-1])
    last = products.shape[-1] - 1

    def add_position(score: Any, batch: Any, head: Any, query: Any, key: Any) -> Any:
        row = (key - query + own).clamp(0, last)
        return score + products[batch, head, query, row]

    return add_position
