"""Relative global attention: scores by the skew, the result, and FlexAttention."""

import math
from typing import Any

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Bool, Float

from posenc.attention import attend_checked, causal_mask
from posenc.core.arrays import add_to, scores_by_rows, shift_rows
from posenc.core.checks import (
    check_attention,
    check_batch,
    check_flag,
    check_floating,
    check_int,
    check_namespace,
    check_shape,
    check_tensor,
)
from posenc.core.dtypes import cast, joint_dtype, matmul
from posenc.core.relative_positions import ScoreMod

from .skewing import skew, skew_unmasked


def check_table(q: Any, table: Any, *, rows: int) -> None:
    """Raise unless `table` has a vector for each of `rows` offsets, and fits `q`."""
    check_floating("table", table)
    check_namespace(q=q, table=table)
    check_shape("table", table, ("rows", q.shape[-1]), "head_dim is that of q")
    check_batch("table", table, q.shape[:-2], axes=2)
    if table.shape[-2] < rows:
        msg = (
            f"table must have at least {rows} rows, one per offset, got shape "
            f"{tuple(table.shape)}: make it for the longest sequence"
        )
        raise ValueError(msg)


def check_keys(q: Any, k: Any) -> None:
    """Raise unless there are as many keys as queries, of one head_dim."""
    check_floating("q", q)
    check_floating("k", k)
    check_namespace(q=q, k=k)
    check_shape("q", q, ("seq_len", "head_dim"))
    check_shape("k", k, tuple(q.shape[-2:]), "as many keys as queries")


def position_scores(
    q: Float[Any, "... seq_len head_dim"],
    table: Float[Any, "*heads offsets head_dim"],
    *,
    causal: bool = True,
    k_len: int | None = None,
) -> Float[Any, "... seq_len k_len"]:
    r"""Return the scores' position part, :math:`q_i \cdot w_{j-i}`, not yet scaled.

    Parameters
    ----------
    q : array of shape (..., seq_len, head_dim)
        Queries.
    table : array of shape (rows, head_dim) or (num_heads, rows, head_dim)
        A vector w for each offset, in the order shown at the top of the module. A table
        made for longer sequences will do: the rows nearest to offset 0 are used.
    causal : bool, default True
        True if the table ends at offset 0, and has at least seq_len rows. False if it
        holds both sides, in an odd number of rows, at least 2 * seq_len - 1.
    k_len : int, optional
        Number of keys, if the queries are the last ones of more keys: for decoding with
        a cache. Needs `causal`, and as many rows.

    Returns
    -------
    array of shape (..., seq_len, k_len)
        By default k_len is seq_len. If causal, the keys after a query get garbage; see
        `skew`. Gradients flow to both arrays. A score beyond 65,504 is infinite in
        float16: the attention scales it before.

    Raises
    ------
    TypeError, ValueError
        If an array does not hold floating-point numbers, or `table` has another
        head_dim than `q` or too few rows; if `k_len` is below seq_len, or another
        number and not `causal`.

    Examples
    --------
    >>> import numpy as np
    >>> from posenc.core.running_example import Q
    >>> table = np.asarray([[3.0, 0, 0, 0], [2, 0, 0, 0], [1, 0, 0, 0]])
    >>> np.tril(position_scores(Q, table))
    array([[2., 0., 0.],
           [2., 1., 0.],
           [0., 0., 0.]])
    """
    scores = wide_position_scores(q, table, causal, k_len)
    return cast(scores, q.dtype)


def wide_position_scores(
    q: Any, table: Any, causal: bool, k_len: int | None = None
) -> Any:
    """Compute `position_scores`, from half precision in float32."""
    table = rows_in_use(q, table, causal, k_len)
    xp = array_namespace(q, table)
    products = matmul(q, xp.matrix_transpose(table))  # column = offset
    if not causal:
        return skew_unmasked(products)
    seq_len, k_len = products.shape[-2:]
    return skew(products) if k_len == seq_len else shift_rows(products, k_len)


def attention_scores(
    q: Float[Any, "... seq_len head_dim"],
    k: Float[Any, "... seq_len head_dim"],
    table: Float[Any, "*heads offsets head_dim"],
    *,
    causal: bool = True,
) -> Float[Any, "... seq_len seq_len"]:
    r"""Return content plus position, :math:`q_i \cdot (k_j + w_{j-i})`, unscaled.

    `attention_scores_blocked` gives the same with less memory.

    Parameters
    ----------
    q, k : arrays of shape (..., seq_len, head_dim)
        Queries and keys.
    table, causal
        As in `position_scores`.

    Returns
    -------
    array of shape (..., seq_len, seq_len)
        If causal, the cells above the diagonal are garbage.

    Raises
    ------
    TypeError, ValueError
        As in `position_scores`, or if `k` does not fit `q`.
    """
    check_keys(q, k)
    position = wide_position_scores(q, table, causal)
    scores = add_to(matmul(q, _transpose(k)), position)
    return cast(scores, joint_dtype(q, k))


def attention_scores_blocked(
    q: Float[Any, "... seq_len head_dim"],
    k: Float[Any, "... seq_len head_dim"],
    table: Float[Any, "*heads offsets head_dim"],
    *,
    causal: bool = True,
    rows: int = 128,
) -> Float[Any, "... seq_len seq_len"]:
    """Return `attention_scores`, some rows at a time, without another large matrix.

    The queries a … b - 1 meet the keys 0 … L - 1 at the offsets -(b - 1) … L - 1 - a.
    That is a window of the table, L + b - a - 1 rows of the 2L - 1 (if causal, it ends
    at offset 0: b rows)::

        offset   1-L  …  -(b-1)  …  0  …  L-1-a  …  L-1
        window           [--------------------]

    Its products with these queries are shifted without copying, and added to the rows
    of q kᵀ. No product outside the window is ever computed.

    Parameters
    ----------
    q, k, table, causal
        As in `attention_scores`.
    rows : int, default 128
        Queries per block.

    Returns
    -------
    array of shape (..., seq_len, seq_len)
        Up to rounding that of `attention_scores`, but for the garbage above the
        diagonal of a causal one.

    Raises
    ------
    TypeError, ValueError
        As in `attention_scores`, or if `rows` is not a positive integer.
    """
    rows = check_int("rows", rows, minimum=1)
    check_keys(q, k)
    table, seq_len = rows_in_use(q, table, causal), q.shape[-2]

    def position(a: int, b: int) -> Any:
        window = table[..., seq_len - b : 2 * seq_len - 1 - a, :]
        products = matmul(q[..., a:b, :], _transpose(window))
        return shift_rows(products, b if causal else seq_len)

    return scores_by_rows(q, k, table, position, rows)


def rows_in_use(q: Any, table: Any, causal: bool, k_len: int | None = None) -> Any:
    """Return the L rows of `table` from offset -(L - 1) on, or 2L - 1 if not causal.

    They have the dtype of `q`. L is `k_len`, by default the number of queries.
    """
    check_flag("causal", causal)
    check_floating("q", q)
    check_shape("q", q, ("seq_len", "head_dim"))
    seq_len = q.shape[-2]
    if k_len is not None:
        remedy = "the queries are the last of the keys"
        k_len = check_int("k_len", k_len, minimum=seq_len, remedy=remedy)
        if k_len != seq_len and not causal:
            msg = f"k_len must be seq_len = {seq_len} if not causal, got {k_len}"
            raise ValueError(msg)
        seq_len = k_len
    needed = seq_len if causal else max(2 * seq_len - 1, 0)
    check_table(q, table, rows=needed)
    table, rows = cast(table, q.dtype), table.shape[-2]
    if causal:
        return table[..., rows - needed :, :]
    if rows % 2 == 0:
        msg = (
            "table must have an odd number of rows, as many before offset 0 as after "
            f"it, got {rows} rows: or set causal=True"
        )
        raise ValueError(msg)
    return table[..., (rows - needed) // 2 : (rows + needed) // 2, :]


def _transpose(x: Any) -> Any:
    return array_namespace(x).matrix_transpose(x)


def relative_attention(
    q: Float[Any, "... seq_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    v: Float[Any, "... k_len value_dim"],
    table: Float[Any, "*heads offsets head_dim"],
    *,
    causal: bool = True,
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... seq_len value_dim"]:
    r"""Attend by the softmax of :math:`(QK^\top + S^{rel}) / \sqrt D`.

    Parameters
    ----------
    q, k, v : arrays of shape (..., seq_len or k_len, head_dim or value_dim)
        Queries, keys and values. If causal, keys may be more than queries, which then
        are the last ones: for decoding with a cache.
    table, causal
        As in `position_scores`. If causal, no query sees a key after itself.
    mask : bool array that broadcasts to (..., seq_len, k_len), optional
        True = may attend; for a causal call, in addition to the causal mask.

    Returns
    -------
    array of shape (..., seq_len, value_dim)
        A query that may attend to nothing gets zeros.

    Raises
    ------
    TypeError, ValueError
        As in `attention_scores`, or if `v` or `mask` does not fit.
    """
    check_floating("v", v)
    check_attention(q, k, v, mask=mask)
    q_len, k_len = q.shape[-2], k.shape[-2]
    scores = wide_position_scores(q, table, causal, k_len)
    bias = scores / math.sqrt(q.shape[-1])
    if causal:
        options = {"xp": array_namespace(q), "device": device_of(q)}
        past = causal_mask(q_len, k_len, q_offset=k_len - q_len, **options)
        mask = past if mask is None else mask & past
    dtype = joint_dtype(q, k, v)
    return attend_checked(q, k, v, bias=bias, mask=mask, dtype=dtype)


def score_mod(
    q: Float[Any, "batch num_heads seq_len head_dim"],
    table: Float[Any, "*heads offsets head_dim"],
    *,
    causal: bool = True,
) -> ScoreMod:
    r"""Return `position_scores`, divided by :math:`\sqrt D`, for FlexAttention.

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
