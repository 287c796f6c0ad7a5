"""The bias as a function of a pair, for PyTorch's FlexAttention."""

from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float

from posenc.core.checks import check_tensor
from posenc.core.relative_positions import ScoreMod

from .bias import _check_table
from .index import relative_position_index
from .windows import _check_window


def score_mod(
    table: Float[Any, "num_offsets num_heads"],
    height: int,
    width: int,
    *,
    key_window: tuple[int, int] | None = None,
) -> ScoreMod:
    """`relative_position_bias` for FlexAttention; windows are its batch.

    Parameters
    ----------
    table, height, width, key_window
        As in `relative_position_bias`; the table is a torch tensor.

    Returns
    -------
    function (score, batch, head, query, key) -> score
        With the bias added; gradients flow to `table` (on a GPU: FlexAttention has no
        backward pass on a CPU).

    Raises
    ------
    TypeError, ValueError
        As in `relative_position_bias`.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    height, width = _check_window("height", height, "width", width)
    check_tensor("table", table, ("num_offsets", "num_heads"))
    _check_table(table, height, width, key_window)
    places = {"xp": array_namespace(table), "device": device_of(table)}
    index = relative_position_index(height, width, key_window=key_window, **places)
    return lambda score, batch, head, query, key: score + table[index[query, key], head]
