"""Relative shift, and scores of content and position in two products or four terms."""

from typing import Any, NamedTuple

from array_api_compat import array_namespace
from jaxtyping import Float

from posenc.core.arrays import add_to, shift_rows
from posenc.core.checks import check_batch, check_floating, check_namespace, check_shape
from posenc.core.dtypes import (
    cast,
    computing_dtype,
    joint_dtype,
    matmul,
    namespace,
    upcast,
)
from posenc.music_transformer import skew


def relative_shift(
    scores: Float[Any, "... q_len k_len"],
) -> Float[Any, "... q_len k_len"]:
    """Shift row i of the scores to the left by q_len - 1 - i, without copying.

    Column c of `scores` belongs to distance k_len - 1 - c. The last query needs
    distance 0 in the last column. The query before it needs everything one
    column further left, and so on::

        distance  3  2  1  0                 (q_len = 3, k_len = 4)
                 a0 a1 a2 a3        [a2 a3] b0  b1
                 b0 b1 b2 b3   ->   [b1 b2  b3] c0
                 c0 c1 c2 c3        [c0 c1  c2  c3]

    In brackets the valid cells, those with j <= i + (k_len - q_len). **All others are
    garbage, for a causal mask to hide**. There the row has ended, and cell (i, j)
    shows ``scores[i + 1, j - i - (k_len - q_len) - 1]``, from the row below.

    Parameters
    ----------
    scores : array of shape (..., q_len, k_len)
        Products of each query with each distance, from k_len - 1 down to 0;
        k_len >= q_len.

    Returns
    -------
    array of the same shape
        ``out[i, j] = scores[i, j + q_len - 1 - i]`` on the valid cells, the product of
        query i with distance i + (k_len - q_len) - j. A **view** wherever `scores` is
        contiguous (read-only in NumPy), in which neighboring rows share a cell; do not
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
    """Compute `relative_shift` by padding and reshaping, which copies.

    It is the skew of the Music Transformer, with more columns than rows. The valid
    cells agree with those of `relative_shift`. Of the garbage, the first cell of each
    row is the pad, 0, and the rest of it lies one column further right than there.
    """
    return skew(scores)


def _check_lengths(name: str, q_len: int, k_len: int) -> None:
    if k_len < q_len:
        msg = (
            f"{name} must have k_len >= q_len, got k_len = {k_len} and q_len = {q_len}:"
            " the queries are the last of the positions, so no key may be missing"
        )
        raise ValueError(msg)


class ScoreTerms(NamedTuple):
    """The four terms of a score, each of shape (..., q_len, k_len), unscaled."""

    content_content: Any  #: a, the query with the key
    content_position: Any  #: b, the query with the distance
    global_content: Any  #: c, the same for every query, for each key
    global_position: Any  #: d, the same for every query, for each distance


def position_scores(
    q: Float[Any, "... q_len head_dim"],
    r: Float[Any, "*heads k_len head_dim"],
    v: Float[Any, "*heads head_dim"],
) -> Float[Any, "... q_len k_len"]:
    r"""Return the position part, terms b and d, :math:`(q_i + v) \cdot r_{i-j}`.

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
        `relative_shift`. A score beyond 65,504 is infinite in float16: the attention
        scales it before.

    Raises
    ------
    TypeError, ValueError
        If an argument does not hold floating-point numbers, the shapes do not fit, or
        k_len < q_len.
    """
    _check_positions(q, r)
    scores = shifted_products(upcast(q) + _per_head("v", v, q), r)
    return cast(scores, q.dtype)


def attention_scores(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    r: Float[Any, "*heads k_len head_dim"],
    u: Float[Any, "*heads head_dim"],
    v: Float[Any, "*heads head_dim"],
) -> Float[Any, "... q_len k_len"]:
    r"""Return all four terms, :math:`(q_i + u) \cdot k_j + (q_i + v) \cdot r_{i-j}`.

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
    >>> from posenc.core.running_example import K, Q
    >>> r = np.asarray([[2.0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    >>> zeros = np.zeros(4)
    >>> np.tril(attention_scores(Q[1:], K, r, zeros, zeros) - Q[1:] @ K.T, 1)
    array([[1., 0., 0.],
           [0., 0., 0.]])
    """
    _check_keys(q, k, r)
    content = upcast(q) + _per_head("u", u, q)
    position = shifted_products(upcast(q) + _per_head("v", v, q), r)
    xp = array_namespace(q, k)
    scores = add_to(matmul(content, xp.matrix_transpose(k)), position)
    return cast(scores, joint_dtype(q, k))


def score_terms(
    q: Float[Any, "... q_len head_dim"],
    k: Float[Any, "... k_len head_dim"],
    r: Float[Any, "*heads k_len head_dim"],
    u: Float[Any, "*heads head_dim"],
    v: Float[Any, "*heads head_dim"],
) -> ScoreTerms:
    """Return the terms a, b, c and d, whose sum is `attention_scores`.

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
    keys = xp.matrix_transpose(k)
    return ScoreTerms(
        content_content=cast(matmul(q, keys), joint_dtype(q, k)),
        content_position=cast(shifted_products(q, r), q.dtype),
        global_content=cast(matmul(u_rows, keys), joint_dtype(q, k)),
        global_position=cast(shifted_products(v_rows, r), q.dtype),
    )


def shifted_products(queries: Any, r: Any) -> Any:
    """Return products with all distances' encodings, in the columns of the keys.

    It is `relative_shift` of arguments that fit; half precision gives float32.
    """
    r = cast(r, queries.dtype)
    products = matmul(queries, array_namespace(queries, r).matrix_transpose(r))
    return shift_rows(products, products.shape[-1])


def _per_head(name: str, vector: Any, q: Any) -> Any:
    """Reshape (..., D) to (..., 1, D), one vector for all queries, and widen it."""
    check_floating(name, vector)
    check_namespace(**{name: vector, "q": q})
    check_shape(name, vector, (q.shape[-1],), "head_dim is that of q")
    check_batch(name, vector, q.shape[:-2], axes=1)
    wide = computing_dtype(namespace(q), q.dtype)
    return cast(vector, wide)[..., None, :]


def _check_positions(q: Any, r: Any) -> None:
    check_floating("q", q)
    check_shape("q", q, ("q_len", "head_dim"))
    _check_distances(q, r)


def _check_distances(q: Any, r: Any) -> None:
    """Raise unless `r` fits the queries, which are checked."""
    check_floating("r", r)
    check_namespace(q=q, r=r)
    check_shape("r", r, ("k_len", q.shape[-1]), "head_dim is that of q")
    check_batch("r", r, q.shape[:-2], axes=2)
    _check_lengths("r", q.shape[-2], r.shape[-2])


def _check_keys(q: Any, k: Any, r: Any) -> None:
    _check_positions(q, r)
    check_floating("k", k)
    check_namespace(q=q, k=k)
    check_shape("k", k, tuple(r.shape[-2:]), "as many keys as distances in r")
