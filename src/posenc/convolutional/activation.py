"""Activation after the convolution."""

import math
from typing import Any

import numpy as np
from array_api_compat import is_torch_array
from jaxtyping import Float

from posenc.core.checks import check_floating
from posenc.core.dtypes import widen


def gelu(x: Float[Any, "*shape"]) -> Float[Any, "*shape"]:
    r"""Gaussian error linear unit, :math:`x\,\Phi(x)`, exact rather than by tanh.

    Examples
    --------
    >>> gelu(np.asarray([-10.0, 0.0, 1.0])).round(4)
    array([-0.    ,  0.    ,  0.8413])
    """
    check_floating("x", x)
    if is_torch_array(x):
        from torch.nn.functional import gelu as torch_gelu

        return torch_gelu(x)
    erf = np.vectorize(math.erf, otypes=[np.float64])  # NumPy has none of its own
    wide = widen(x)
    return (0.5 * wide * (1 + erf(wide / math.sqrt(2)))).astype(x.dtype)
