"""Grouped convolution over the sequence, its taps and its activation."""

import math
from typing import Any

import numpy as np
from array_api_compat import array_namespace, is_torch_array
from array_api_compat import device as device_of
from jaxtyping import Bool, Float

from posenc.core.arrays import divide_or_zero
from posenc.core.checks import (
    broadcast_shape,
    check_floating,
    check_int,
    check_namespace,
    check_shape,
)
from posenc.core.dtypes import (
    as_given,
    cast,
    computing_dtype,
    is_boolean,
    joint_dtype,
    matmul,
    namespace,
    upcast,
)


def gelu(x: Float[Any, "*shape"]) -> Float[Any, "*shape"]:
    r"""Return the Gaussian error linear unit, :math:`x\,\Phi(x)`, without tanh.

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
    wide = upcast(x)
    return (0.5 * wide * (1 + erf(wide / math.sqrt(2)))).astype(x.dtype)


def normalized_weight(
    direction: Float[Any, "channels channels_per_group kernel"],
    length: Float[Any, " kernel"],
) -> Float[Any, "channels channels_per_group kernel"]:
    """Scale the taps of each place in the window to a length (weight normalization).

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
    wide = upcast(direction)
    norm = xp.sqrt(xp.sum(wide**2, axis=(0, 1)))  # (kernel,)
    taps = wide * divide_or_zero(upcast(length), norm)
    return cast(taps, joint_dtype(direction, length))


def convolutional_encoding(
    x: Float[Any, "batch seq_len channels"],
    weight: Float[Any, "channels channels_per_group kernel"],
    bias: Float[Any, " channels"],
    *,
    groups: int,
    mask: Bool[Any, "..."] | None = None,
) -> Float[Any, "batch seq_len channels"]:
    """Return the GELU of a grouped convolution of `x`, to be added to `x`.

    Frame t sees the frames t - kernel // 2 … t - kernel // 2 + kernel - 1, with zeros
    beyond the ends: t - 64 … t + 63 for a kernel of 128, t - 1 … t + 1 for 3.

    Parameters
    ----------
    x : array of shape (batch, seq_len, channels)
        Sequence of feature vectors.
    weight : array of shape (channels, channels // groups, kernel)
        Taps by output channel, input channel within its group, place in the window, as
        in ``torch.nn.Conv1d``.
    bias : array of shape (channels,)
        Added before the GELU.
    groups : int
        Number of groups G, which divides the channels. Output channels of a group see
        the input channels of that group alone.
    mask : bool array that broadcasts to (batch, seq_len), optional
        True = a frame of the sequence; False = padding, which is read as the zeros
        beyond the ends, whatever it holds, and whose encoding is 0.

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
    check_namespace(x=x, bias=bias)
    check_shape("bias", bias, (x.shape[-1],), "one number per channel")
    if mask is not None:
        return _without_padding(x, weight, bias, groups, mask)
    dtype, wide = x.dtype, computing_dtype(namespace(x), x.dtype)
    x, weight, bias = (cast(array, wide) for array in (x, weight, bias))
    if is_torch_array(x) and x.shape[1]:
        from torch.nn.functional import conv1d  # loaded already: x is a tensor

        # Symmetric padding gives one frame too many if the kernel is even: crop it.
        with as_given(x):
            padded = conv1d(x.mT, weight, padding=weight.shape[-1] // 2, groups=groups)
        mixed = padded.mT[:, : x.shape[1]]
    else:
        mixed = grouped_convolution(x, weight, groups=groups)
    return cast(gelu(mixed + bias), dtype)


def _without_padding(x: Any, weight: Any, bias: Any, groups: int, mask: Any) -> Any:
    """Compute `convolutional_encoding` with frames of zeros where `mask` is False."""
    xp = check_namespace(x=x, mask=mask)
    have, want = tuple(mask.shape), tuple(x.shape[:-1])
    if broadcast_shape(have, want) != want:
        msg = (
            f"mask must broadcast to {want} (batch, seq_len), got shape {have}: one "
            "truth per frame"
        )
        raise ValueError(msg)
    if not is_boolean(mask):
        msg = (
            "mask must be boolean (True = a frame of the sequence), "
            f"got {mask.dtype}: compare with 0, as in mask != 0"
        )
        raise TypeError(msg)
    frames = xp.broadcast_to(mask, want)[..., None]
    x = xp.where(frames, x, 0.0)
    encoding = convolutional_encoding(x, weight, bias, groups=groups)
    return xp.where(frames, encoding, 0.0)


def grouped_convolution(
    x: Float[Any, "batch seq_len channels"],
    weight: Float[Any, "channels channels_per_group kernel"],
    *,
    groups: int,
) -> Float[Any, "batch seq_len channels"]:
    """Compute the convolution of `convolutional_encoding` in plain array code.

    Each output is one dot product of a window with the taps. The windows take kernel
    times the memory of `x`, which is what torch's own convolution, used above for
    tensors, does without. Arguments and errors as in `convolutional_encoding`, but no
    mask. Set padding to zero.
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
    taps = xp.reshape(cast(weight, x.dtype), (groups, width, width * kernel))
    # (B, G, L, width * kernel) @ (G, width * kernel, width) -> (B, G, L, width)
    windows = xp.permute_dims(windows, (0, 2, 1, 3))
    mixed = cast(matmul(windows, xp.matrix_transpose(taps)), x.dtype)
    return xp.reshape(xp.permute_dims(mixed, (0, 2, 1, 3)), x.shape)


def _windows(padded: Any, kernel: int) -> Any:
    """View (B, L + kernel - 1, C) as windows (B, L, C, kernel) along axis 1."""
    if is_torch_array(padded):
        return padded.unfold(1, kernel, 1)
    return np.lib.stride_tricks.sliding_window_view(padded, kernel, axis=1)


def _check_arrays(x: Any, weight: Any, groups: int) -> None:
    check_floating("x", x)
    check_floating("weight", weight)
    check_namespace(x=x, weight=weight)
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
    shape = (channels, channels // groups, "kernel")
    check_shape("weight", weight, shape, "channels and channels // groups of x")
    if weight.ndim != 3 or weight.shape[-1] == 0:
        msg = (
            "weight must have exactly three axes and a kernel of at least 1, "
            f"got shape {tuple(weight.shape)}"
        )
        raise ValueError(msg)
