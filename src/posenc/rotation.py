r"""Shifting is rotating: what follows from sine and cosine in pairs.

Companion of ``book/rotation.md``. A step of k positions turns each sine–cosine pair of
`posenc.sinusoidal.sinusoidal_encoding` by an angle that depends on k alone, so that

.. math:: \mathrm{PE}(t + k) = T_k\,\mathrm{PE}(t) \quad\text{for every } t , \qquad
    \mathrm{PE}(s) \cdot \mathrm{PE}(t) = \sum_i \cos(\theta_i (s - t)) .

Axis names: ``seq_len`` = L, ``d_model`` = D, ``head_dim``, ``...`` = batch and heads.

References
----------
Vaswani et al. (2017), Attention Is All You Need, https://arxiv.org/abs/1706.03762,
sec. 3.5, states the linear map; Dai et al. (2019), Transformer-XL,
https://arxiv.org/abs/1901.02860, sec. 3.3, the four terms.
"""

from typing import Any, NamedTuple

import numpy as np
from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from . import _angles
from ._arrays import block_diagonal, creation_namespace
from ._checks import (
    check_even,
    check_finite,
    check_floating,
    check_number,
    check_real,
    check_shape,
)

_PAIRS = "sines and cosines come in pairs"


def shift_operator(
    offset: int | float,
    d_model: int,
    *,
    base: float = 10_000.0,
    xp: Any = np,
    dtype: Any = None,
    device: Any = None,
) -> Float[Any, "{d_model} {d_model}"]:
    r"""Matrix :math:`T_k` that turns the encoding of t into that of t + k.

    Block i on the diagonal acts on the pair (sine, cosine) of frequency i:

    .. math:: \begin{pmatrix} \sin\theta_i(t+k) \\ \cos\theta_i(t+k) \end{pmatrix} =
        \begin{pmatrix} \cos\theta_i k & \sin\theta_i k \\
        -\sin\theta_i k & \cos\theta_i k \end{pmatrix}
        \begin{pmatrix} \sin\theta_i t \\ \cos\theta_i t \end{pmatrix} .

    Parameters
    ----------
    offset : int or float
        The k: how many positions to go on, whole or not, of either sign.
    d_model : int
        Features D of the encoding, in its interleaved layout. Even.
    base : float, default 10_000
        As in `posenc.sinusoidal.sinusoidal_encoding`.
    xp, dtype, device
        Array library of the result (default NumPy), its floating-point dtype (default
        that of the library) and its device.

    Returns
    -------
    array of shape (d_model, d_model)
        Orthogonal, with :math:`T_a T_b = T_{a+b}` and :math:`T_0` the identity. It acts
        on columns: a table with one position per row is shifted by ``table @ T.T``.

    Raises
    ------
    TypeError, ValueError
        If `offset` is not a finite number, `d_model` is not even and positive, `base`
        is not above 0, or `dtype` is not a floating-point one.

    Notes
    -----
    Rotary embeddings turn (x, y) counter-clockwise, by the transpose of these blocks:
    there the pair is (cosine, sine).

    Examples
    --------
    >>> shift_operator(1, 4).round(2)
    array([[ 0.54,  0.84,  0.  ,  0.  ],
           [-0.84,  0.54,  0.  ,  0.  ],
           [ 0.  ,  0.  ,  1.  ,  0.01],
           [ 0.  ,  0.  , -0.01,  1.  ]])
    """
    check_number("offset", offset)
    check_even("d_model", d_model, remedy=_PAIRS)
    xp, dtype = creation_namespace(xp, dtype)
    theta = _angles.frequencies(d_model, base=base, xp=xp, device=device)
    k = xp.asarray(offset, dtype=xp.float64, device=device)
    turn = _angles.angles(k, theta)  # (D/2,)
    cos, sin = xp.cos(turn), xp.sin(turn)
    rows = [xp.stack([cos, sin], axis=-1), xp.stack([-sin, cos], axis=-1)]
    blocks = xp.stack(rows, axis=-2)  # (D/2, 2, 2)
    return block_diagonal(xp.astype(blocks, dtype))


def position_similarity(
    distance: Real[Any, "*shape"], d_model: int, *, base: float = 10_000.0
) -> Float[Any, "*shape"]:
    r"""Dot product of two encodings as a function of their distance.

    .. math:: \mathrm{PE}(s) \cdot \mathrm{PE}(t) = \sum_i \cos(\theta_i (s - t))

    Parameters
    ----------
    distance : array of any shape
        Distances s - t, in tokens. The sign does not matter: that is the trouble.
    d_model : int
        Features D of the encoding. Even.
    base : float, default 10_000
        As in `posenc.sinusoidal.sinusoidal_encoding`.

    Returns
    -------
    array of the same shape
        D/2 at distance 0, less elsewhere; not monotone. Dtype as in
        `posenc.sinusoidal.sinusoidal_encoding`.

    Raises
    ------
    TypeError, ValueError
        If `distance` does not hold real, finite numbers, `d_model` is not even and
        positive, or `base` is not above 0.

    Examples
    --------
    >>> position_similarity(np.asarray([-3, 0, 3, 6]), 8).round(2)  # not monotone
    array([1.96, 4.  , 1.96, 3.78])
    """
    check_real("distance", distance)
    check_finite("distance", distance)
    check_even("d_model", d_model, remedy=_PAIRS)
    xp, device = array_namespace(distance), device_of(distance)
    theta = _angles.frequencies(d_model, base=base, xp=xp, device=device)
    total = xp.sum(xp.cos(_angles.angles(distance, theta)), axis=-1)
    return xp.astype(total, _angles.float_dtype(distance))


class ScoreTerms(NamedTuple):
    """The four parts of the attention scores, each of shape (..., seq_len, seq_len)."""

    content_content: Any
    content_position: Any
    position_content: Any
    position_position: Any


def score_terms(
    content: Float[Any, "... seq_len d_model"],
    position: Float[Any, "*#batch seq_len d_model"],
    w_query: Float[Any, "d_model head_dim"],
    w_key: Float[Any, "d_model head_dim"],
) -> ScoreTerms:
    r"""Scores of content plus position, multiplied out.

    With :math:`e` the content and :math:`p` the position vectors, as rows,

    .. math:: (e_i + p_i) W_Q \cdot (e_j + p_j) W_K =
        \underbrace{e_i W_Q \cdot e_j W_K}_{a} + \underbrace{e_i W_Q \cdot p_j W_K}_{b}
        + \underbrace{p_i W_Q \cdot e_j W_K}_{c}
        + \underbrace{p_i W_Q \cdot p_j W_K}_{d} .

    Parameters
    ----------
    content : array of shape (..., seq_len, d_model)
        Embeddings e of the tokens.
    position : array of shape (..., seq_len, d_model)
        Encodings p of their positions; leading axes broadcast against those of
        `content`.
    w_query, w_key : array of shape (d_model, head_dim)
        Projections, applied from the right.

    Returns
    -------
    ScoreTerms
        The terms a, b, c and d: content–content, content–position, position–content
        and position–position (query first), unscaled. Rows are queries, columns keys.

    Raises
    ------
    TypeError, ValueError
        If an argument does not hold floating-point numbers or the shapes do not fit.

    Examples
    --------
    >>> from posenc.running_example import W_K, W_Q, X
    >>> a, b, c, d = score_terms(X, np.eye(3, 4), W_Q, W_K)
    >>> a + b + c + d == (X + np.eye(3, 4)) @ W_Q @ ((X + np.eye(3, 4)) @ W_K).T
    array([[ True,  True,  True],
           [ True,  True,  True],
           [ True,  True,  True]])
    """
    check_shape("content", content, ("seq_len", "d_model"))
    seq_len, d_model = content.shape[-2:]
    check_shape("position", position, (seq_len, d_model), "as many rows as content")
    check_shape("w_query", w_query, (d_model, "head_dim"))
    check_shape("w_key", w_key, (d_model, w_query.shape[-1]), "the shape of w_query")
    arguments = {"content": content, "position": position}
    arguments |= {"w_query": w_query, "w_key": w_key}
    for name, array in arguments.items():
        check_floating(name, array)
    xp = array_namespace(*arguments.values())

    def scores(queries: Any, keys: Any) -> Any:
        return xp.matmul(queries @ w_query, xp.matrix_transpose(keys @ w_key))

    return ScoreTerms(
        content_content=scores(content, content),
        content_position=scores(content, position),
        position_content=scores(position, content),
        position_position=scores(position, position),
    )
