r"""Position from convolution, as in wav2vec 2.0.

Companion of ``book/convolutional.md``. One wide grouped convolution looks at the
neighborhood of each frame; its output, through a GELU, is added to the input. What it
says of a frame depends on the frames beside it, so it is relative, and local; only the
zeros beyond both ends betray an absolute position.

Axis names: ``batch`` = B, ``seq_len`` = L, ``channels`` = C, ``groups`` = G.

References
----------
Baevski et al. (2020), wav2vec 2.0, https://arxiv.org/abs/2006.11477, sec. 2 and 4.2
(kernel 128, 16 groups). Weight normalization and the crop are in no equation of the
paper; they are those of the authors' code, ``fairseq/models/wav2vec/wav2vec2.py``,
``make_conv_pos``, and ``fairseq/modules/same_pad.py``.
"""

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_torch_array
from array_api_compat import device as device_of
from jaxtyping import Float

from ._checks import check_floating, check_int, check_shape


def convolutional_encoding(
    x: Float[Any, "batch seq_len channels"],
    weight: Float[Any, "channels channels_per_group kernel"],
    bias: Float[Any, " channels"],
    *,
    groups: int,
) -> Float[Any, "batch seq_len channels"]:
    """GELU of a grouped convolution of `x`; to be added to `x`.

    Frame t sees the frames t - kernel // 2 … t - kernel // 2 + kernel - 1, with zeros
    beyond the ends: t - 64 … t + 63 for a kernel of 128, t - 1 … t + 1 for 3.

    Parameters
    ----------
    x : array of shape (batch, seq_len, channels)
        Sequence of feature vectors.
    weight : array of shape (channels, channels // groups, kernel)
        Taps: output channel, input channel within its group, place in the window. Of
        the layout of ``torch.nn.Conv1d``.
    bias : array of shape (channels,)
        Added before the GELU.
    groups : int
        Number of groups G, which divides the channels. Output channels of a group see
        the input channels of that group alone.

    Returns
    -------
    array of shape (batch, seq_len, channels)
        With the namespace, dtype and device of `x`; gradients flow back to all three
        arrays.

    Raises
    ------
    TypeError, ValueError
        If an array does not hold floating-point numbers, `groups` is not an integer of
        at least 1 that divides the channels, or the shapes do not fit.

    Examples
    --------
    >>> x = np.asarray([[[1.0], [0.0], [0.0], [8.0]]])
    >>> weight = np.asarray([[[100.0, 10.0, 1.0]]])  # previous, same and next frame
    >>> convolutional_encoding(x, weight, np.zeros(1), groups=1)[0, :, 0]
    array([ 10., 100.,   8.,  80.])
    """
    _check_arrays(x, weight, groups)
    check_floating("bias", bias)
    check_shape("bias", bias, (x.shape[-1],), "one number per channel")
    if is_torch_array(x) and x.shape[1]:
        from torch.nn.functional import conv1d  # loaded already: x is a tensor

        # Symmetric padding gives one frame too many if the kernel is even: crop it.
        padded = conv1d(x.mT, weight, padding=weight.shape[-1] // 2, groups=groups)
        return gelu(padded.mT[:, : x.shape[1]] + bias)
    return gelu(grouped_convolution(x, weight, groups=groups) + bias)


def grouped_convolution(
    x: Float[Any, "batch seq_len channels"],
    weight: Float[Any, "channels channels_per_group kernel"],
    *,
    groups: int,
) -> Float[Any, "batch seq_len channels"]:
    """Convolution inside `convolutional_encoding`, in plain array code.

    Each output is one dot product of a window with the taps. The windows take kernel
    times the memory of `x`, which is what torch's own convolution, used above for
    tensors, does without. Arguments and errors as in `convolutional_encoding`.
    """
    _check_arrays(x, weight, groups)
    xp = array_namespace(x, weight)
    batch, seq_len, channels = x.shape
    width, kernel = weight.shape[1:]  # width = C / G
    left = kernel // 2

    def silence(frames: int) -> Any:
        shape = (batch, frames, channels)
        return xp.zeros(shape, dtype=x.dtype, device=device_of(x))

    # kernel - 1 frames of padding, one fewer on the right if the kernel is even:
    # kernel 4, t = 0:   0  0  x0 x1      window t - 2 … t + 1
    padded = xp.concat([silence(left), x, silence(kernel - 1 - left)], axis=1)
    if seq_len == 0:
        return x
    windows = _windows(padded, kernel)  # (B, L, C, kernel)
    windows = xp.reshape(windows, (batch, seq_len, groups, width * kernel))
    taps = xp.reshape(weight, (groups, width, width * kernel))
    # (B, G, L, width * kernel) @ (G, width * kernel, width) -> (B, G, L, width)
    windows = xp.permute_dims(windows, (0, 2, 1, 3))
    mixed = xp.matmul(windows, xp.matrix_transpose(taps))
    return xp.reshape(xp.permute_dims(mixed, (0, 2, 1, 3)), x.shape)


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
    >>> direction = np.asarray([[[3.0, 1.0], [4.0, 0.0]]])
    >>> normalized_weight(direction, np.asarray([5.0, 2.0]))
    array([[[3., 2.],
            [4., 0.]]])
    """
    check_floating("direction", direction)
    check_floating("length", length)
    check_shape("direction", direction, ("channels", "channels_per_group", "kernel"))
    check_shape("length", length, (direction.shape[-1],), "one per place in the window")
    xp = array_namespace(direction, length)
    norm = xp.sqrt(xp.sum(direction**2, axis=(0, 1)))  # (kernel,)
    return direction * (length / norm)


def gelu(x: Float[Any, "*shape"]) -> Float[Any, "*shape"]:
    r"""Gaussian error linear unit, :math:`x\,\Phi(x)`, exact rather than by tanh.

    Examples
    --------
    >>> gelu(np.asarray([-10.0, 0.0, 1.0])).round(4)
    array([-0.    ,  0.    ,  0.8413])
    """
    if is_torch_array(x):
        from torch.nn.functional import gelu as torch_gelu

        return torch_gelu(x)
    erf = np.vectorize(math.erf, otypes=[np.float64])  # NumPy has none of its own
    return (0.5 * x * (1 + erf(x / math.sqrt(2)))).astype(x.dtype)


def _windows(padded: Any, kernel: int) -> Any:
    """View of all windows along axis 1, (B, L + kernel - 1, C) -> (B, L, C, kernel)."""
    if is_torch_array(padded):
        return padded.unfold(1, kernel, 1)
    return np.lib.stride_tricks.sliding_window_view(padded, kernel, axis=1)


def _check_arrays(x: Any, weight: Any, groups: int) -> None:
    check_floating("x", x)
    check_floating("weight", weight)
    check_int("groups", groups, minimum=1)
    if x.ndim != 3:
        msg = (
            "x must have exactly three axes, (batch, seq_len, channels), "
            f"got shape {tuple(x.shape)}"
        )
        raise ValueError(msg)
    channels = x.shape[-1]
    if channels % groups:
        msg = (
            f"groups must divide the {channels} channels of x, got {groups}: "
            "choose a divisor"
        )
        raise ValueError(msg)
    wanted = (channels, channels // groups, "kernel")
    check_shape("weight", weight, wanted, "channels and channels // groups of x")
    if weight.ndim != 3 or weight.shape[-1] == 0:
        msg = (
            "weight must have exactly three axes and a kernel of at least 1, "
            f"got shape {tuple(weight.shape)}"
        )
        raise ValueError(msg)
