r"""ALiBi: a penalty that grows in a straight line with the distance.

Companion of ``book/alibi.md``. Nothing is learned and nothing is added to the input:
head h subtracts :math:`m_h` times the distance from its scores, before the softmax.

Axis names: ``num_heads`` = H, ``q_len`` = Q, ``k_len`` = K.

References
----------
Press, Smith and Lewis (2022), Train Short, Test Long: Attention with Linear Biases
Enables Input Length Extrapolation, https://arxiv.org/abs/2108.12409, sec. 3. The slopes
for other numbers of heads than powers of two are those of the authors' code,
``ofirpress/attention_with_linear_biases``, ``fairseq/models/transformer.py``,
``get_slopes``.
"""

import math
from typing import Any

import numpy as np
from jaxtyping import Float

from ._arrays import creation_namespace, relative_positions, toeplitz
from ._checks import check_int, check_number, check_positive


def alibi_slopes(
    num_heads: int, *, xp: Any = np, dtype: Any = None, device: Any = None
) -> Float[Any, " {num_heads}"]:
    r"""Slope of each head: :math:`m_h = 2^{-8h/H}`, :math:`h = 1, \dots, H`.

    For H not a power of two the published recipe takes the slopes of the next lower
    power p and appends every other slope of 2p heads, beginning with the first. They
    are *not* sorted, on purpose: a released checkpoint expects each slope at its head.

    Parameters
    ----------
    num_heads : int
        Attention heads H; at least 1.
    xp, dtype, device
        Array library of the result (default NumPy), its floating-point dtype (default
        that of the library) and its device.

    Returns
    -------
    array of shape (num_heads,)
        Positive, per token of distance.

    Raises
    ------
    TypeError, ValueError
        If `num_heads` is not an integer of at least 1, or `dtype` is not a
        floating-point one.

    Examples
    --------
    >>> alibi_slopes(4)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625])
    >>> alibi_slopes(6)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625, 0.5       ,
           0.125     ])
    """
    check_int("num_heads", num_heads, minimum=1)
    xp, dtype = creation_namespace(xp, dtype)
    return xp.asarray(_slopes(num_heads), dtype=dtype, device=device)


def alibi_bias(
    num_heads: int,
    q_len: int,
    k_len: int,
    *,
    q_offset: int = 0,
    symmetric: bool = False,
    xp: Any = np,
    dtype: Any = None,
    device: Any = None,
) -> Float[Any, "{num_heads} {q_len} {k_len}"]:
    r"""Bias :math:`-m_h (i - j)` of query i and key j, to be added to the scores.

    The distance here is query minus key, as in the paper. It is the same along each
    diagonal, so Q + K - 1 values per head are computed and then laid out.
    `alibi_bias_full` does the same the plain way.

    Parameters
    ----------
    num_heads : int
        Attention heads H; at least 1.
    q_len, k_len : int
        Numbers of queries and keys.
    q_offset : int, default 0
        Position of the first query; keys begin at 0. For decoding with a cache of past
        keys this is ``k_len - q_len``.
    symmetric : bool, default False
        What keys *after* the query get. If False they get 0, as if at distance 0, and a
        causal mask must hide them. If True they get :math:`-m_h |i - j|`: a variant
        for encoders that is not in the paper.
    xp, dtype, device
        Array library of the result (default NumPy), its floating-point dtype (default
        that of the library) and its device.

    Returns
    -------
    array of shape (num_heads, q_len, k_len)
        Zero or negative.

    Raises
    ------
    TypeError, ValueError
        If `num_heads` is not an integer of at least 1, a length or the offset is not
        one at or above 0, or `dtype` is not a floating-point one.

    Examples
    --------
    >>> alibi_bias(1, 2, 4, q_offset=2) * 256  # the only slope is 2**-8
    array([[[-2., -1.,  0.,  0.],
            [-3., -2., -1.,  0.]]])
    """
    _check_lengths(num_heads, q_len, k_len, q_offset)
    xp, dtype = creation_namespace(xp, dtype)
    slopes = alibi_slopes(num_heads, xp=xp, dtype=xp.float64, device=device)
    first = q_offset + q_len - 1  # the last query looking at the first key
    count = max(q_len + k_len - 1, 0)
    distance = first - xp.arange(count, dtype=xp.float64, device=device)
    values = -slopes[:, None] * _penalized(distance, symmetric, xp)  # (H, Q + K - 1)
    # + 0.0 turns -0.0 into 0.0
    return toeplitz(xp.astype(values + 0.0, dtype), q_len, k_len)


def alibi_bias_full(
    num_heads: int,
    q_len: int,
    k_len: int,
    *,
    q_offset: int = 0,
    symmetric: bool = False,
    xp: Any = np,
    dtype: Any = None,
    device: Any = None,
) -> Float[Any, "{num_heads} {q_len} {k_len}"]:
    """`alibi_bias` the plain way: a product for each of the H x Q x K entries."""
    _check_lengths(num_heads, q_len, k_len, q_offset)
    xp, dtype = creation_namespace(xp, dtype)
    slopes = alibi_slopes(num_heads, xp=xp, dtype=xp.float64, device=device)
    relative = relative_positions(
        q_len, k_len, q_offset=q_offset, xp=xp, device=device
    )  # key - query: the distance with its sign turned
    distance = _penalized(xp.astype(-relative, xp.float64), symmetric, xp)
    return xp.astype(-slopes[:, None, None] * distance + 0.0, dtype)


def alibi_reach(
    slope: float, share: float, *, k_len: int | None = None, score_bound: float = 0.0
) -> int:
    r"""Smallest distance D such that the keys up to D hold `share` of the weight.

    The head is causal, and its scores, before the bias, are anything from -B to B. What
    comes out holds for *all* of them: the worst are -B for the keys up to D and +B for
    the others. With :math:`\lambda = e^{-m}` and n keys the condition is

    .. math:: \lambda^{D+1} \le
       \frac{1 - p + p\, e^{2B} \lambda^n}{1 - p + p\, e^{2B}} .

    Parameters
    ----------
    slope : float
        Slope m of the head, above 0, per token.
    share : float
        Part p of the weight, above 0 and below 1.
    k_len : int, optional
        Keys n that the query may attend to, its own among them; at least 1. Without it
        there is no end to them.
    score_bound : float, default 0.0
        Bound B on the size of the scores; 0 means that all scores are equal.

    Returns
    -------
    int
        A distance in tokens; 0 if the query's own token is enough.

    Raises
    ------
    TypeError, ValueError
        If an argument is not a number in its range.

    Examples
    --------
    >>> [alibi_reach(slope, 0.5) for slope in (1 / 2, 1 / 16, 1 / 256)]
    [1, 11, 177]
    >>> alibi_reach(1 / 2, 0.5, score_bound=2.0)
    8
    """
    check_positive("slope", slope)
    check_number("score_bound", score_bound, minimum=0.0)
    if not 0 < share < 1:
        msg = f"share must be above 0 and below 1, got {share}"
        raise ValueError(msg)
    if k_len is not None:
        check_int("k_len", k_len, minimum=1)
    count = math.inf if k_len is None else k_len
    rest, held = math.log(1 - share), math.log(share) + 2 * score_bound
    least = np.logaddexp(rest, held - slope * count)
    needed = np.logaddexp(rest, held) - least  # m (D + 1) must not be below this
    return int(min(max(math.ceil(needed / slope), 1), count)) - 1


def _slopes(num_heads: int) -> list[float]:
    power = 1 << (num_heads.bit_length() - 1)  # the largest one not above num_heads
    slopes = [2.0 ** (-8 * h / power) for h in range(1, power + 1)]
    if power == num_heads:
        return slopes
    return slopes + _slopes(2 * power)[::2][: num_heads - power]


def _penalized(distance: Any, symmetric: bool, xp: Any) -> Any:
    return xp.abs(distance) if symmetric else xp.where(distance > 0, distance, 0.0)


def _check_lengths(num_heads: int, q_len: int, k_len: int, q_offset: int) -> None:
    check_int("num_heads", num_heads, minimum=1)
    check_int("q_len", q_len)
    check_int("k_len", k_len)
    check_int(
        "q_offset", q_offset, remedy="it is k_len - q_len when decoding with a cache"
    )
