"""Weight normalization of the taps."""

from typing import Any

from jaxtyping import Float

from posenc.core.arrays import divide_or_zero
from posenc.core.checks import check_floating, check_namespace, check_shape
from posenc.core.dtypes import cast, joint_dtype, widen


def normalized_weight(
    direction: Float[Any, "channels channels_per_group kernel"],
    length: Float[Any, " kernel"],
) -> Float[Any, "channels channels_per_group kernel"]:
    """Weight normalization: the taps of each place in the window get a given length.

    Parameters
    ----------
    direction : array of shape (channels, channels // groups, kernel)
        Taps, whose length does not matter.
    length : array of shape (kernel,)
        Euclidean norm that ``weight[:, :, place]`` shall have, over all its channels.
        Taps that are all zero have no direction, and stay zero.

    Returns
    -------
    array of shape (channels, channels // groups, kernel)
        ``torch.nn.utils.parametrizations.weight_norm(..., dim=2)`` computes the same
        from ``original1`` and, of shape (1, 1, kernel), ``original0``.

    References
    ----------
    Salimans and Kingma (2016), Weight Normalization, https://arxiv.org/abs/1602.07868,
    eq. 2.

    Examples
    --------
    >>> import numpy as np
    >>> direction = np.asarray([[[3.0, 1.0], [4.0, 0.0]]])
    >>> normalized_weight(direction, np.asarray([5.0, 2.0]))
    array([[[3., 2.],
            [4., 0.]]])
    """
    check_floating("direction", direction)
    check_floating("length", length)
    xp = check_namespace(direction=direction, length=length)
    check_shape("direction", direction, ("channels", "channels_per_group", "kernel"))
    check_shape("length", length, (direction.shape[-1],), "one per place in the window")
    wide = widen(direction)
    norm = xp.sqrt(xp.sum(wide**2, axis=(0, 1)))  # (kernel,)
    taps = wide * divide_or_zero(widen(length), norm)
    return cast(taps, joint_dtype(direction, length))
