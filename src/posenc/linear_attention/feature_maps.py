r"""Feature maps: vectors whose dot products are a kernel. Part of `linear_attention`.

A kernel is a similarity :math:`\mathrm{sim}(x, y)` that is a dot product after a map,
:math:`\varphi(x)\cdot\varphi(y)`. Every map here works on the last axis alone, so it
gives the same features for a token as in a whole sequence.

References
----------
Katharopoulos et al. (2020), Transformers are RNNs, https://arxiv.org/abs/2006.16236,
sec. 3.2.1 (elu + 1).
Choromanski et al. (2021), Rethinking Attention with Performers,
https://arxiv.org/abs/2009.14794, lemma 1 and sec. 2.4 (positive random features).
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_torch_array
from array_api_compat import device as device_of
from jaxtyping import Float

from posenc.core.checks import (
    check_callable,
    check_floating,
    check_int,
    check_namespace,
    check_shape,
)
from posenc.core.dtypes import (
    cast,
    creation_namespace,
    integer_namespace,
    matmul,
    upcast,
    wide_dtype,
)

FeatureMap = Callable[[Any], Any]


def apply_feature_map(feature_map: Any, tokens: Any) -> Any:
    """Return features of `tokens`; check that there is one vector per token.

    Half precision, as a map under ``torch.autocast`` may give, is widened to be summed.
    """
    if not callable(feature_map):
        msg = (
            f"feature_map must be a function, got {feature_map!r}: pass elu_plus_one, "
            "or any function from arrays to arrays"
        )
        raise TypeError(msg)
    check_callable("feature_map", feature_map, "such as elu_plus_one")
    features = feature_map(tokens)
    check_floating("feature_map(x)", features)
    if features.shape[:-1] != tokens.shape[:-1] or features.shape[-1] == 0:
        msg = (
            "feature_map must turn (..., n, head_dim) into (..., n, r) with r of at "
            f"least 1, got shape {tuple(features.shape)} for {tuple(tokens.shape)}: "
            "it should act on the last axis alone"
        )
        raise ValueError(msg)
    return upcast(features)


def elu_plus_one(x: Float[Any, "..."]) -> Float[Any, "..."]:
    r"""Return :math:`x + 1` above zero, :math:`e^x` below, positive, without a kink.

    Parameters
    ----------
    x : array of any shape
        Queries or keys.

    Returns
    -------
    array of the same shape
        Positive numbers (0 only where :math:`e^x` underflows).

    Raises
    ------
    TypeError
        If `x` does not hold floating-point numbers.

    Examples
    --------
    >>> elu_plus_one(np.asarray([-1.0, 0.0, 2.0])).round(4)
    array([0.3679, 1.    , 3.    ])
    """
    check_floating("x", x)
    # Either e^0 + x or e^x + 0. Cheaper than choosing with `where`, and exp never sees
    # a large number, so that no gradient is inf * 0.
    wide = upcast(x)
    if is_torch_array(x):
        low = _capped(wide) if wide.requires_grad else wide.clamp(max=0)
        return cast(low.exp() + wide.relu(), x.dtype)
    xp = array_namespace(x)
    zero = xp.zeros((), dtype=wide.dtype, device=device_of(x))
    features = xp.exp(xp.minimum(wide, zero)) + xp.maximum(wide, zero)
    return cast(features, x.dtype)


def _capped(x: Any) -> Any:
    """Clamp a torch tensor to at most 0, with a gradient in half the time.

    It is capped just above 0, so that at 0 its gradient is 1, beside relu's of 0.
    """
    import torch  # loaded already, since x is a tensor

    above = 2 * torch.finfo(x.dtype).tiny  # exp is slow at the smallest number
    return torch.nn.functional.hardtanh(x, -math.inf, above)


def polynomial_lift(x: Float[Any, "... dim"]) -> Float[Any, "... lifted"]:
    r"""Return products of two entries, for the dot product :math:`(x \cdot y)^2`.

    In two dimensions this is the lift
    :math:`(x_1, x_2) \mapsto (x_1^2, \sqrt 2\,x_1 x_2, x_2^2)`.

    Parameters
    ----------
    x : array of shape (..., dim)
        Vectors.

    Returns
    -------
    array of shape (..., dim * (dim + 1) / 2)
        Products :math:`x_i x_j` with :math:`i \le j`, row by row; those with
        :math:`i < j` stand for two terms of the square and carry :math:`\sqrt 2`.
        Those beyond 65,504 are infinite in float16.

    Raises
    ------
    TypeError, ValueError
        If `x` does not hold floating-point numbers, or has no axis.

    Examples
    --------
    >>> lifted = polynomial_lift(np.asarray([[1.0, 2.0], [3.0, -1.0]]))
    >>> lifted.round(3)
    array([[ 1.   ,  2.828,  4.   ],
           [ 9.   , -4.243,  1.   ]])
    >>> round(float(lifted[0] @ lifted[1]), 12)  # ((1, 2) . (3, -1)) ** 2
    1.0
    """
    check_floating("x", x)
    check_shape("x", x, ("dim",))
    xp, device, dim = array_namespace(x), device_of(x), x.shape[-1]
    pairs = [(i, j) for i in range(dim) for j in range(i, dim)]
    first = xp.asarray([i for i, _ in pairs], dtype=xp.int64, device=device)
    second = xp.asarray([j for _, j in pairs], dtype=xp.int64, device=device)
    wide = upcast(x)
    twice = xp.asarray(
        [1.0 if i == j else math.sqrt(2) for i, j in pairs],
        dtype=wide.dtype,
        device=device,
    )
    lifted = xp.take(wide, first, axis=-1) * xp.take(wide, second, axis=-1) * twice
    return cast(lifted, x.dtype)


def positive_random_features(
    x: Float[Any, "... dim"], projection: Float[Any, "num_features dim"]
) -> Float[Any, "... num_features"]:
    r"""Return features whose dot products estimate :math:`e^{x \cdot y}` without bias.

    .. math:: \varphi(x)_a &= \frac{1}{\sqrt m} \exp(w_a \cdot x - \|x\|^2 / 2), \\
        w_a &\sim N(0, I),\quad a = 1, \dots, m

    Parameters
    ----------
    x : array of shape (..., dim)
        Queries or keys. Multiply both by ``dim ** -0.25`` first to estimate the
        numerators of softmax attention, :math:`\exp(q \cdot k / \sqrt{D})`.
    projection : array of shape (num_features, dim)
        The rows :math:`w_a`, from `orthogonal_projection`. The same for queries and
        keys.

    Returns
    -------
    array of shape (..., num_features)
        Positive numbers, with the dtype of `x`.

    Raises
    ------
    TypeError, ValueError
        If an argument does not hold floating-point numbers, or the shapes do not fit.

    Notes
    -----
    The exponent is at most :math:`\|w_a\|^2 / 2`, which stays below the 88 that float32
    can hold for head dimensions up to about 100. It has no such lower end: the features
    of a very long vector underflow to 0. The estimate's relative variance grows like
    :math:`e^{\|x + y\|^2} / m`: it is good for short vectors only.

    Examples
    --------
    >>> projection = orthogonal_projection(4096, 2, rng=np.random.default_rng(0))
    >>> x, y = np.asarray([0.5, -0.5]), np.asarray([1.0, 0.2])
    >>> features = positive_random_features(np.stack([x, y]), projection)
    >>> round(float(features[0] @ features[1]), 2), round(float(np.exp(x @ y)), 2)
    (1.54, 1.49)
    """
    check_floating("x", x)
    check_floating("projection", projection)
    check_namespace(x=x, projection=projection)
    check_shape("x", x, ("dim",))
    remedy = "one column per feature of x, from orthogonal_projection(m, dim, rng=...)"
    check_shape("projection", projection, ("num_features", x.shape[-1]), remedy)
    xp = array_namespace(x, projection)
    wide = upcast(x)
    projection = cast(projection, wide.dtype)
    half_norm = 0.5 * xp.sum(wide * wide, axis=-1, keepdims=True)
    exponent = matmul(wide, xp.matrix_transpose(projection)) - half_norm
    return cast(xp.exp(exponent) / math.sqrt(max(projection.shape[0], 1)), x.dtype)


def orthogonal_projection(
    num_features: int,
    head_dim: int,
    *,
    rng: Any,
    xp: Any = np,
    dtype: Any = None,
    device: Any = None,
) -> Float[Any, "{num_features} {head_dim}"]:
    """Draw rows for `positive_random_features`, orthogonal within each block.

    Each row alone is a standard normal vector, so the estimate stays unbiased; rows of
    one block of `head_dim` are at right angles, which makes its variance smaller than
    that of independent rows.

    Parameters
    ----------
    num_features : int
        Rows, m.
    head_dim : int
        Columns, D.
    rng : numpy.random.Generator
        Source of the numbers: the same generator state gives the same rows.
    xp, dtype, device
        Array library of the result (default NumPy), its dtype (default float64, or
        float32 where the device has none) and device.

    Returns
    -------
    array of shape (num_features, head_dim)

    Raises
    ------
    TypeError, ValueError
        If a number is not an integer of at least 1, or `rng` is not a Generator.

    Examples
    --------
    >>> rows = orthogonal_projection(2, 2, rng=np.random.default_rng(0))
    >>> abs(float(rows[0] @ rows[1])) < 1e-12
    True
    """
    num_features = check_int("num_features", num_features, minimum=1)
    head_dim = check_int("head_dim", head_dim, minimum=1)
    if not isinstance(rng, np.random.Generator):
        msg = (
            f"rng must be a numpy.random.Generator, got {rng!r}: "
            "use numpy.random.default_rng(seed)"
        )
        raise TypeError(msg)
    xp = integer_namespace(xp, device)
    _, dtype = creation_namespace(
        xp, wide_dtype(xp, device) if dtype is None else dtype
    )
    blocks = []
    for _ in range(0, num_features, head_dim):
        q, r = np.linalg.qr(rng.standard_normal((head_dim, head_dim)))
        # LAPACK fixes the signs of q by those of the random matrix, which makes the
        # first entry of its first column always negative. Undo it: without this no row
        # is normal and the estimate is biased.
        blocks.append((q * np.sign(np.diagonal(r))).T)
    directions = np.concatenate(blocks)[:num_features]
    gaussian = rng.standard_normal((num_features, head_dim))
    lengths = np.linalg.norm(gaussian, axis=1, keepdims=True)
    return xp.asarray(directions * lengths, dtype=dtype, device=device)
