r"""Memory across segments: scores from four terms, and the relative shift.

Companion of ``book/transformer_xl.md``. The keys are those of a memory followed by the
current segment, the queries those of the segment alone. A score holds four terms, in
which a position enters only as the *distance* i - j (query minus key, the opposite sign
of the relative position):

.. math::

    A_{ij} = \underbrace{q_i \cdot k_j}_{a} + \underbrace{q_i \cdot r_{i-j}}_{b}
    + \underbrace{u \cdot k_j}_{c} + \underbrace{v \cdot r_{i-j}}_{d}
    = (q_i + u) \cdot k_j + (q_i + v) \cdot r_{i-j} .

Here :math:`r_t = W_{k,R} R_t`, where :math:`R_t` is the sinusoid at the distance t, and
u and v are learned. Only k_len distances occur, so only k_len vectors r are made. The
product of the queries with them has a column per distance, and a shift of each row
makes it a column per key.

Axis names: ``q_len`` = Q, ``k_len`` = K >= Q, ``head_dim`` = D, ``...`` = batch and
heads. Queries are the last Q of the K positions: everything is aligned bottom right.

References
----------
Dai et al. (2019), Transformer-XL: Attentive Language Models Beyond a Fixed-Length
Context, https://arxiv.org/abs/1901.02860, sec. 3.2 (memory), sec. 3.3 (the four terms),
appendix B (the shift).
"""

import math
from typing import Any, NamedTuple

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Bool, Float

from ._arrays import shift_rows
from ._checks import check_batch, check_floating, check_shape
from ._skew import combine_masks, skew
from .attention import causal_mask, scaled_dot_product_attention


class ScoreTerms(NamedTuple):
    """The four terms of a score, each of shape (..., q_len, k_len), unscaled."""

    content_content: Any  #: a, the query with the key
    content_position: Any  #: b, the query with the distance
    global_content: Any  #: c, the same for every query: which keys are worth a look
    global_position: Any  #: d, the same for every query: which distances are


def relative_shift(
    scores: Float[Any, "... q_len k_len"],
) -> Float[Any, "... q_len k_len"]:
    """Shift row i of the scores to the left by q_len - 1 - i, without copying.

    Column c of `scores` belongs to distance k_len - 1 - c. The last query needs just
    that: distance 0 in the last column. The query before it needs everything one
    column further left, and so on::

        distance  3  2  1  0                 (q_len = 3, k_len = 4)
                 a0 a1 a2 a3        [a2 a3] b0  b1
                 b0 b1 b2 b3   ->   [b1 b2  b3] c0
                 c0 c1 c2 c3        [c0 c1  c2  c3]

    In brackets the valid cells, those with j <= i + (k_len - q_len). **All others are
    garbage, for a causal mask to hide**: there the row has ended, and cell (i, j)
    shows ``scores[i + 1, j - i - (k_len - q_len) - 1]``, from the row below.

    Parameters
    ----------
    scores : array of shape (..., q_len, k_len)
        Products of each query with each distance, from k_len - 1 down to 0;
        k_len >= q_len.

    Returns
    -------
    array of the same shape
        ``out[i, j] = scores[i, j + q_len - 1 - i]`` on the valid cells: the product of
        query i with distance i + (k_len - q_len) - j. A **view** wherever `scores` is
        contiguous (read-only in NumPy), in which neighboring rows share a cell: do not
        write into it. A copy where torch records gradients; they flow.

    Raises
    ------
    TypeError, ValueError
        If `scores` does not hold floating-point numbers or k_len < q_len.

    Examples
    --------
    >>> import numpy as np
    >>> relative_shift(np.asarray([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]))
    array([[1., 2., 3.],
           [3., 4., 5.]])
    """
    check_floating("scores", scores)
    check_shape("scores", scores, ("q_len", "k_len"))
    _check_lengths("scores", *scores.shape[-2:])
    return shift_rows(scores, scores.shape[-1])


def relative_shift_padded(
    scores: Float[Any, "... q_len k_len"],
) -> Float[Any, "... q_len k_len"]:
    """`relative_shift` by padding and reshaping, as the authors' code has it: a copy.

    It is the skew of the Music Transformer, with more columns than rows. The valid
    cells agree with those of `relative_shift`. Of the garbage, the first cell of each
    row is the pad, 0, and the rest of it lies one column further right than there.
    """
    return skew(scores)


def position_scores(
    q: Float[Any, "... q_len head_dim"],
    r: Float[Any, "*heads k_len head_dim"],
    v: Float[Any, "*heads head_dim"],
) -> Float[Any, "... q_len k_len"]:
    r"""Position part of the scores, :math:`(q_i + v) \cdot r_{i-j}`: terms b and d.

    Parameters
    ----------
    q : array of shape (..., q_len, head_dim)
        Queries, the last q_len of k_len positions.
    r : array of shape (k_len, head_dim) or (num_heads, k_len, head_dim)
        Projected encodings; row c is that of distance k_len - 1 - c.
    v : array of shape (head_dim,) or (num_heads, head_dim)
        Learned vector that stands for every query.

    Returns
    -------
    array of shape (..., q_len, k_len)
        Unscaled. The cells with j > i + (k_len - q_len) are garbage, as in
        `relative_shift`.

    Raises
    ------
    TypeError, ValueError
        If an argument does not hold floating-point numbers, the shapes do not fit, or
        k_len < q_len.
    """
    _check_positions(q, r)
    queries = q + _per_head("v", v, q)
    xp = array_namespace(q, r)
    return relative_shift(xp.matmul(queries, xp.matrix_transpose(r)))


def attention_scores(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    r: Float[Any, "*heads k_len head_dim"],
    u: Float[Any, "*heads head_dim"],
    v: Float[Any, "*heads head_dim"],
) -> Float[Any, "... q_len k_len"]:
    r"""All four terms, as :math:`(q_i + u) \cdot k_j + (q_i + v) \cdot r_{i-j}`.

    Two products instead of four. `score_terms` gives the terms one by one.

    Parameters
    ----------
    q : array of shape (..., q_len, head_dim)
        Queries of the segment.
    k : array of shape (..., k_len, head_dim)
        Content keys of the memory followed by the segment.
    r : array of shape (k_len, head_dim) or (num_heads, k_len, head_dim)
        Projected encodings; row c is that of distance k_len - 1 - c.
    u, v : arrays of shape (head_dim,) or (num_heads, head_dim)
        Learned vectors that stand for every query, towards content and position.

    Returns
    -------
    array of shape (..., q_len, k_len)
        Unscaled; the attention divides by sqrt(head_dim). The cells with
        j > i + (k_len - q_len) are garbage, as in `relative_shift`.

    Raises
    ------
    TypeError, ValueError
        As in `position_scores`, or if `k` or `u` does not fit.

    Examples
    --------
    Two queries, a memory of one token; r counts the distance in its first feature:

    >>> import numpy as np
    >>> from posenc.running_example import K, Q
    >>> r = np.asarray([[2.0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    >>> zeros = np.zeros(4)
    >>> np.tril(attention_scores(Q[1:], K, r, zeros, zeros) - Q[1:] @ K.T, 1)
    array([[1., 0., 0.],
           [0., 0., 0.]])
    """
    _check_keys(q, k, r)
    content = q + _per_head("u", u, q)
    position = position_scores(q, r, v)
    xp = array_namespace(q, k)
    scores = xp.matmul(content, xp.matrix_transpose(k))
    scores += position  # in place: one matrix less
    return scores


def score_terms(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    r: Float[Any, "*heads k_len head_dim"],
    u: Float[Any, "*heads head_dim"],
    v: Float[Any, "*heads head_dim"],
) -> ScoreTerms:
    """Terms a, b, c and d of `attention_scores`, whose sum they are.

    Parameters
    ----------
    q, k, r, u, v
        As in `attention_scores`.

    Returns
    -------
    ScoreTerms
        Four arrays of shape (..., q_len, k_len). b and d are garbage on the cells with
        j > i + (k_len - q_len); every row of c is the same, and so is every diagonal
        of d.

    Raises
    ------
    TypeError, ValueError
        As in `attention_scores`.
    """
    _check_keys(q, k, r)
    xp = array_namespace(q, k, r)
    # Rows of u and v, one for each query: shape (..., Q, D).
    u_rows = xp.zeros_like(q) + _per_head("u", u, q)
    v_rows = xp.zeros_like(q) + _per_head("v", v, q)
    keys, distances = xp.matrix_transpose(k), xp.matrix_transpose(r)
    return ScoreTerms(
        content_content=xp.matmul(q, keys),
        content_position=relative_shift(xp.matmul(q, distances)),
        global_content=xp.matmul(u_rows, keys),
        global_position=relative_shift(xp.matmul(v_rows, distances)),
    )


def relative_attention(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    v: Float[Any, "... k_len value_dim"],
    r: Float[Any, "*heads k_len head_dim"],
    *,
    content_bias: Float[Any, "*heads head_dim"],
    position_bias: Float[Any, "*heads head_dim"],
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "... q_len value_dim"]:
    r"""Causal attention with the scores of `attention_scores`, divided by sqrt(D).

    Parameters
    ----------
    q, k, r
        As in `attention_scores`.
    v : array of shape (..., k_len, value_dim)
        Values of the memory followed by the segment. Not the v of the formula.
    content_bias, position_bias : arrays of shape (head_dim,) or (num_heads, head_dim)
        The learned vectors u and v of the formula.
    mask : bool array that broadcasts to (..., q_len, k_len), optional
        True = may attend, in addition to the causal mask.

    Returns
    -------
    array of shape (..., q_len, value_dim)
        A query that may attend to nothing gets zeros.

    Raises
    ------
    TypeError, ValueError
        As in `attention_scores`, or if `v` or `mask` does not fit.
    """
    _check_keys(q, k, r)
    q_len, k_len = q.shape[-2], k.shape[-2]
    content = q + _per_head("content_bias", content_bias, q)
    _per_head("position_bias", position_bias, q)  # an error by the name it has here
    bias = position_scores(q, r, position_bias) / math.sqrt(q.shape[-1])
    past = causal_mask(
        q_len,
        k_len,
        q_offset=k_len - q_len,
        xp=array_namespace(q),
        device=device_of(q),
    )
    mask = past if mask is None else combine_masks(mask, past, bias)
    return scaled_dot_product_attention(content, k, v, bias=bias, mask=mask)


def _per_head(name: str, vector: Any, q: Any) -> Any:
    """(..., D) -> (..., 1, D): the same vector for all queries of a head."""
    check_floating(name, vector)
    check_shape(name, vector, (q.shape[-1],), "head_dim is that of q")
    check_batch(name, vector, q.shape[:-2], axes=1)
    return vector[..., None, :]


def _check_positions(q: Any, r: Any) -> None:
    check_floating("q", q)
    check_floating("r", r)
    check_shape("q", q, ("q_len", "head_dim"))
    check_shape("r", r, ("k_len", q.shape[-1]), "head_dim is that of q")
    check_batch("r", r, q.shape[:-2], axes=2)
    _check_lengths("r", q.shape[-2], r.shape[-2])


def _check_keys(q: Any, k: Any, r: Any) -> None:
    _check_positions(q, r)
    check_floating("k", k)
    check_shape("k", k, tuple(r.shape[-2:]), "as many keys as distances in r")


def _check_lengths(name: str, q_len: int, k_len: int) -> None:
    if k_len < q_len:
        msg = (
            f"{name} must have k_len >= q_len, got k_len = {k_len} and q_len = {q_len}:"
            " the queries are the last of the positions, so no key may be missing"
        )
        raise ValueError(msg)
