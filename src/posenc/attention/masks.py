"""Masks, as arrays and as functions of a pair for PyTorch's FlexAttention."""

from typing import Any

import numpy as np
from jaxtyping import Bool

from posenc.core.arrays import relative_positions
from posenc.core.checks import check_int, check_lengths
from posenc.core.dtypes import integer_namespace
from posenc.core.relative_positions import MaskMod, offset_fn, token_fn


def causal_mask(
    q_len: int, k_len: int, *, q_offset: int = 0, xp: Any = np, device: Any = None
) -> Bool[Any, "{q_len} {k_len}"]:
    """Return a mask that lets queries attend to keys at or before their position.

    Parameters
    ----------
    q_len, k_len : int
        Numbers of queries and keys.
    q_offset : int, default 0
        Position of the first query; keys begin at 0. For decoding with a cache of past
        keys this is ``k_len - q_len``.
    xp, device
        Array library of the result (default NumPy) and its device.

    Returns
    -------
    bool array of shape (q_len, k_len)
        True where the query may attend.

    Raises
    ------
    TypeError, ValueError
        If a length or the offset is not an integer at or above 0.

    Examples
    --------
    >>> causal_mask(2, 3, q_offset=1)
    array([[ True,  True, False],
           [ True,  True,  True]])
    """
    q_len, k_len, q_offset = check_lengths(q_len, k_len, q_offset)
    xp = integer_namespace(xp, device)
    return (
        relative_positions(q_len, k_len, q_offset=q_offset, xp=xp, device=device) <= 0
    )


def causal_mask_mod(
    *, q_offset: int = 0, q_positions: Any = None, k_positions: Any = None
) -> MaskMod:
    """Return `causal_mask` for FlexAttention.

    Parameters
    ----------
    q_offset : int, default 0
        Position of the first query; keys begin at 0.
    q_positions, k_positions : integer tensors (seq_len,) or (batch, seq_len), optional
        Position of every query and key, where they are not 0, 1, … in order.

    Returns
    -------
    function (batch, head, query, key) -> bool
        True where the query may attend. ``torch.nn.attention.flex_attention`` makes a
        block mask of it (`create_block_mask`), or the matrix itself (`create_mask`),
        and joins several (`and_masks`).

    Raises
    ------
    TypeError, ValueError
        If `q_offset` is not an integer at or above 0, or not 0 beside positions; or if
        positions are no such tensors, or only one of them is given.

    References
    ----------
    Dong et al. (2024), Flex Attention, https://arxiv.org/abs/2412.05496.
    """
    relative = offset_fn(q_offset, q_positions, k_positions)
    return lambda batch, head, query, key: relative(batch, query, key) <= 0


def window_mask_mod(
    before: int,
    after: int = 0,
    *,
    q_offset: int = 0,
    q_positions: Any = None,
    k_positions: Any = None,
) -> MaskMod:
    """Return a sliding window for FlexAttention, which allows keys near the query.

    Parameters
    ----------
    before, after : int
        Tokens before and after the query's own that it may see. The window of a causal
        model with W tokens, the query among them, has ``W - 1`` before and 0 after.
    q_offset, q_positions, k_positions
        As in `causal_mask_mod`.

    Returns
    -------
    function (batch, head, query, key) -> bool
        As in `causal_mask_mod`.

    Raises
    ------
    TypeError, ValueError
        If a number of tokens is not an integer at or above 0, or as in
        `causal_mask_mod`.
    """
    before = check_int("before", before, below=2**53)
    after = check_int("after", after, below=2**53)
    relative = offset_fn(q_offset, q_positions, k_positions)

    def mask_mod(batch: Any, head: Any, query: Any, key: Any) -> Any:
        apart = relative(batch, query, key)
        return (apart >= -before) & (apart <= after)

    return mask_mod


def document_mask_mod(documents: Any, k_documents: Any = None) -> MaskMod:
    """Return a mask for FlexAttention that keeps packed documents apart.

    Parameters
    ----------
    documents : integer tensor of shape (seq_len,) or (batch, seq_len)
        Number of each token's document, in any order.
    k_documents : the same, optional
        Those of the keys, where these are other tokens than the queries.

    Returns
    -------
    function (batch, head, query, key) -> bool
        As in `causal_mask_mod`.

    Raises
    ------
    TypeError, ValueError
        If an argument is no such tensor.
    """
    of_query = token_fn("documents", documents)
    of_key = of_query if k_documents is None else token_fn("k_documents", k_documents)
    return lambda batch, head, query, key: of_query(batch, query) == of_key(batch, key)
