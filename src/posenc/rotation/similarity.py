"""Dot products of two encodings, and the four terms of a score."""

from typing import Any, NamedTuple

from array_api_compat import array_namespace
from array_api_compat import device as device_of
from jaxtyping import Float, Real

from posenc.core import angles as _angles
from posenc.core.checks import (
    TURNING,
    check_even,
    check_floating,
    check_namespace,
    check_positions,
    check_real,
    check_shape,
)
from posenc.core.dtypes import cast, joint_dtype, matmul, result_dtype

from .shift import _PAIRS


def position_similarity(
    distance: Real[Any, "*shape"], d_model: int, *, base: float = 10_000.0
) -> Float[Any, "*shape"]:
    r"""Return the dot product of two encodings as a function of their distance.

    .. math:: \mathrm{PE}(s) \cdot \mathrm{PE}(t) = \sum_i \cos(\theta_i (s - t))

    Parameters
    ----------
    distance : array of any shape
        Distances s - t, in tokens, in the range of positions of `sinusoidal_encoding`.
        The sign does not matter: that is the trouble.
    d_model : int
        Features D of the encoding. Even.
    base : float, default 10_000
        As in `posenc.sinusoidal.sinusoidal_encoding`.

    Returns
    -------
    array of the same shape
        D/2 at distance 0, less at any other whole distance; not monotone. Dtype as
        in `posenc.sinusoidal.sinusoidal_encoding`.

    Raises
    ------
    TypeError, ValueError
        As in `posenc.sinusoidal.sinusoidal_encoding`, with `distance` for positions.

    Examples
    --------
    >>> import numpy as np
    >>> position_similarity(np.asarray([-3, 0, 3, 6]), 8).round(2)  # not monotone
    array([1.96, 4.  , 1.96, 3.78])
    """
    check_real("distance", distance)
    check_positions("distance", distance, far=TURNING)
    d_model = check_even("d_model", d_model, remedy=_PAIRS)
    xp, device = array_namespace(distance), device_of(distance)
    theta = _angles.frequencies(d_model, base=base, xp=xp, device=device)
    total = xp.sum(xp.cos(_angles.angles(distance, theta)), axis=-1)
    return xp.astype(total, result_dtype(distance))


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
    r"""Return the scores of content plus position, multiplied out.

    With :math:`x` the content and :math:`p` the position vectors, as rows,

    .. math:: & (x_m + p_m) W_Q \cdot (x_n + p_n) W_K \\ & \quad =
        \underbrace{x_m W_Q \cdot x_n W_K}_{a} + \underbrace{x_m W_Q \cdot p_n W_K}_{b}
        \\ & \qquad + \underbrace{p_m W_Q \cdot x_n W_K}_{c}
        + \underbrace{p_m W_Q \cdot p_n W_K}_{d} .

    Parameters
    ----------
    content : array of shape (..., seq_len, d_model)
        Embeddings x of the tokens.
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
    >>> import numpy as np
    >>> from posenc.core.running_example import W_K, W_Q, X
    >>> a, b, c, d = score_terms(X, np.eye(3, 4), W_Q, W_K)
    >>> a + b + c + d == (X + np.eye(3, 4)) @ W_Q @ ((X + np.eye(3, 4)) @ W_K).T
    array([[ True,  True,  True],
           [ True,  True,  True],
           [ True,  True,  True]])
    """
    arguments = {"content": content, "position": position}
    arguments |= {"w_query": w_query, "w_key": w_key}
    xp = check_namespace(**arguments)
    check_shape("content", content, ("seq_len", "d_model"))
    seq_len, d_model = content.shape[-2:]
    check_shape("position", position, (seq_len, d_model), "as many rows as content")
    check_shape("w_query", w_query, (d_model, "head_dim"))
    check_shape("w_key", w_key, (d_model, w_query.shape[-1]), "the shape of w_query")
    for name, array in arguments.items():
        check_floating(name, array)

    dtype = joint_dtype(*arguments.values())

    def scores(queries: Any, keys: Any) -> Any:
        keys = xp.matrix_transpose(matmul(keys, w_key))
        return cast(matmul(matmul(queries, w_query), keys), dtype)

    return ScoreTerms(
        content_content=scores(content, content),
        content_position=scores(content, position),
        position_content=scores(position, content),
        position_position=scores(position, position),
    )
