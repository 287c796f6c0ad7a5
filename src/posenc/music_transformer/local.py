"""Local attention of chapter 5; public as ``posenc.music_transformer.local_…``."""

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Bool, Float

from posenc.attention import attend_checked, causal_mask
from posenc.core.checks import check_attention, check_floating, check_int, check_shape
from posenc.core.dtypes import cast, integer_namespace, joint_dtype, matmul

from .scores import check_table
from .skewing import skew, skew_unmasked


def local_position_scores(
    q: Float[Any, "... seq_len head_dim"],
    table: Float[Any, "*heads offsets head_dim"],
    block: int,
) -> Float[Any, "... blocks {block} 2*{block}"]:
    r"""Return position scores where each block sees itself and the one before.

    With B tokens per block, query i of a block meets the keys of the block before at
    the offsets -B - i … -1 - i: 2B - 1 offsets over the block, and an unmasked skew.
    Its own block is a causal skew, on B offsets. One table serves both, of 2B rows::

        row       0    …   B-1   B   …  2B-2  2B-1
        offset  1-2B   …   -B   1-B  …   -1    0
        before  [---------------------------]            skew_unmasked
        own                     [----------------]       skew

    Parameters
    ----------
    q : array of shape (..., seq_len, head_dim)
        Queries; seq_len is a multiple of `block`.
    table : array of shape (rows, head_dim) or (num_heads, rows, head_dim)
        Vectors of the offsets up to 0; the last 2 * block rows are used. So the table
        of a global layer fits.
    block : int
        Tokens per block, B.

    Returns
    -------
    array of shape (..., seq_len / block, block, 2 * block)
        Cell (n, i, c) belongs to query n B + i and key (n - 1) B + c. **Garbage are the
        cells with c > B + i (keys after the query) and, in block n = 0, those with
        c < B (there is no block before)**: `local_mask` hides both. Not scaled; see
        `position_scores` for float16.

    Raises
    ------
    TypeError, ValueError
        If `block` is not a positive integer that divides seq_len, the table has less
        than 2 * block rows, or as in `position_scores`.

    Notes
    -----
    Both skews together are the single shift of the next chapter,
    `posenc.transformer_xl.relative_shift`, of a (B, 2B) matrix: the block before is a
    memory.
    """
    block = check_int("block", block, minimum=1)
    check_floating("q", q)
    check_shape("q", q, ("seq_len", "head_dim"))
    return cast(_wide_position_scores(q, table, block), q.dtype)


def _wide_position_scores(q: Any, table: Any, block: int) -> Any:
    """Compute `local_position_scores`, from half precision in float32."""
    blocks = _split_blocks(q, block)  # (..., N, B, D)
    check_table(q, table, rows=2 * block)
    table = cast(table[..., table.shape[-2] - 2 * block :, :], q.dtype)
    if table.ndim > 2:
        table = table[..., None, :, :]  # a head's table serves all its blocks
    xp = array_namespace(q, table)
    products = matmul(blocks, xp.matrix_transpose(table))  # (..., N, B, 2B)
    before = skew_unmasked(products[..., : 2 * block - 1])
    own = skew(products[..., block:])
    return xp.concat([before, own], axis=-1)


def local_mask(
    num_blocks: int, block: int, *, xp: Any = np, device: Any = None
) -> Bool[Any, "{num_blocks} {block} 2*{block}"]:
    """Return local attention's mask: True for keys that exist, up to the query.

    Parameters
    ----------
    num_blocks, block : int
        Number of blocks, and tokens per block.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    bool array of shape (num_blocks, block, 2 * block)
        For the cells of `local_position_scores`.

    Raises
    ------
    TypeError, ValueError
        If `num_blocks` is not an integer at or above 0, or `block` at or above 1.

    Examples
    --------
    >>> local_mask(2, 2).astype(int)
    array([[[0, 0, 1, 0],
            [0, 0, 1, 1]],
    <BLANKLINE>
           [[1, 1, 1, 0],
            [1, 1, 1, 1]]])
    """
    num_blocks = check_int("num_blocks", num_blocks)
    block = check_int("block", block, minimum=1)
    xp = integer_namespace(xp, device)
    past = causal_mask(block, 2 * block, q_offset=block, xp=xp, device=device)
    first_key = xp.arange(-block, (num_blocks - 1) * block, block, device=device)
    columns = xp.arange(2 * block, device=device)
    exists = first_key[:, None, None] + columns >= 0  # (N, 1, 2B)
    return past & exists


def local_attention(
    q: Float[Any, "... seq_len head_dim"],
    k: Float[Any, "... seq_len head_dim"],
    v: Float[Any, "... seq_len value_dim"],
    table: Float[Any, "*heads offsets head_dim"],
    block: int,
) -> Float[Any, "... seq_len value_dim"]:
    """Attend to the own block up to the query, and to the block before.

    Memory grows with seq_len * block instead of seq_len ** 2.

    Parameters
    ----------
    q, k, v : arrays of shape (..., seq_len, head_dim or value_dim)
        Queries, keys and values; seq_len is a multiple of `block`.
    table, block
        As in `local_position_scores`.

    Returns
    -------
    array of shape (..., seq_len, value_dim)
        With the namespace, dtype and device of `q`.

    Raises
    ------
    TypeError, ValueError
        As in `local_position_scores`, or if `k` or `v` does not fit.
    """
    check_floating("v", v)
    check_attention(q, k, v)
    check_shape("k", k, tuple(q.shape[-2:]), "as many keys as queries")
    block = check_int("block", block, minimum=1)
    bias = _wide_position_scores(q, table, block) / math.sqrt(q.shape[-1])
    mask = local_mask(bias.shape[-3], block, xp=array_namespace(q), device=device_of(q))
    out = attend_checked(
        _split_blocks(q, block),
        _with_block_before(_split_blocks(k, block)),
        _with_block_before(_split_blocks(v, block)),
        bias=bias,
        mask=mask,
        dtype=joint_dtype(q, k, v),
    )  # (..., N, B, value_dim)
    shape = (*out.shape[:-3], q.shape[-2], out.shape[-1])
    return array_namespace(out).reshape(out, shape)


def _split_blocks(x: Any, block: int) -> Any:
    """Reshape (..., L, D) to (..., L / block, block, D)."""
    *batch, seq_len, head_dim = x.shape
    if seq_len % block:
        msg = (
            f"block must divide seq_len = {seq_len}, got {block}: pad the sequence at "
            "its end to a multiple"
        )
        raise ValueError(msg)
    shape = (*batch, seq_len // block, block, head_dim)
    return array_namespace(x).reshape(x, shape)


def _with_block_before(blocks: Any) -> Any:
    """Extend (..., N, B, D) to (..., N, 2B, D), with zeros before the first block."""
    xp = array_namespace(blocks)
    before = xp.concat([xp.zeros_like(blocks[..., :1, :, :]), blocks], axis=-3)
    return xp.concat([before[..., :-1, :, :], blocks], axis=-2)
