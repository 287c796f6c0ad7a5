"""The bias as a function of a pair, for PyTorch's FlexAttention."""

from typing import Any

from posenc.core.checks import check_flag
from posenc.core.relative_positions import ScoreMod, pair_rule

from .slopes import alibi_slopes


def score_mod(
    num_heads: int,
    *,
    symmetric: bool = False,
    q_offset: int = 0,
    q_positions: Any = None,
    k_positions: Any = None,
    device: Any = None,
) -> ScoreMod:
    """`alibi_bias` for FlexAttention: no matrix of queries and keys.

    Parameters
    ----------
    num_heads, symmetric, q_offset
        As in `alibi_bias`.
    q_positions, k_positions : integer tensors (seq_len,) or (batch, seq_len), optional
        Position of every query and key, where they are not 0, 1, … in order.
    device : optional
        Where the slopes lie; it must be that of the queries.

    Returns
    -------
    function (score, batch, head, query, key) -> score
        With the bias added. Unless `symmetric`, hide the keys after the query by
        `posenc.attention.causal_mask_mod`.

    Raises
    ------
    TypeError, ValueError
        As in `alibi_bias` and `posenc.attention.causal_mask_mod`.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    import torch  # FlexAttention knows no other library

    slopes = alibi_slopes(num_heads, xp=torch, dtype=torch.float32, device=device)
    check_flag("symmetric", symmetric)
    relative = pair_rule(q_offset, q_positions, k_positions)

    def add_bias(score: Any, batch: Any, head: Any, query: Any, key: Any) -> Any:
        distance = -relative(batch, query, key)
        distance = distance.abs() if symmetric else distance.clamp(min=0)
        return score - slopes[head] * distance

    return add_bias
