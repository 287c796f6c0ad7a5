"""The bias as a function of a pair, for PyTorch's FlexAttention."""

from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float

from posenc.core.checks import check_int, check_tensor
from posenc.core.relative_positions import ScoreMod, pair_rule

from .bias import _check_table, _look_up


def score_mod(
    table: Float[Any, "num_buckets num_heads"],
    *,
    bidirectional: bool = True,
    max_distance: int = 128,
    q_offset: int = 0,
    q_positions: Any = None,
    k_positions: Any = None,
) -> ScoreMod:
    """`relative_position_bias` for FlexAttention: no matrix of queries and keys.

    From `max_distance` on, either way, all keys are in one bucket. So the values of
    2 * max_distance + 1 relative positions hold the bias of any sequence.

    Parameters
    ----------
    table, bidirectional, max_distance, q_offset
        As in `relative_position_bias`; the table is a torch tensor.
    q_positions, k_positions : integer tensors (seq_len,) or (batch, seq_len), optional
        Position of every query and key, where they are not 0, 1, … in order.

    Returns
    -------
    function (score, batch, head, query, key) -> score
        With the bias added; gradients flow to `table` (on a GPU: FlexAttention has no
        backward pass on a CPU).

    Raises
    ------
    TypeError, ValueError
        As in `relative_position_bias` and `posenc.attention.causal_mask_mod`.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    _check_table(table)
    check_tensor("table", table, ("num_buckets", "num_heads"))
    far = check_int("max_distance", max_distance, minimum=1)
    xp = array_namespace(table)
    offsets = xp.arange(-far, far + 1, dtype=xp.int64, device=device_of(table))
    values = _look_up(table, offsets, bidirectional, far)  # (2 * far + 1, H)
    relative = pair_rule(q_offset, q_positions, k_positions)

    def add_bias(score: Any, batch: Any, head: Any, query: Any, key: Any) -> Any:
        row = relative(batch, query, key).clamp(-far, far) + far
        return score + values[row, head]

    return add_bias
