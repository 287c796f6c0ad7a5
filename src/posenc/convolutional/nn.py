"""Torch module for the convolutional position encoding of wav2vec 2.0."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from posenc.core.checks import check_int

from . import convolutional_encoding, normalized_weight

__all__ = ["ConvolutionalEncoding"]


class ConvolutionalEncoding(nn.Module):
    """`posenc.convolutional.convolutional_encoding`, added to the input.

    Parameters
    ----------
    channels : int
        Features per frame.
    kernel_size : int, default 128
        Frames that each frame sees; odd or even.
    groups : int, default 16
        Groups of channels; a divisor of `channels`.

    Attributes
    ----------
    direction : Parameter of shape (channels, channels // groups, kernel_size)
        Taps before weight normalization, drawn from a normal distribution with variance
        ``4 / (kernel_size * channels)`` as in fairseq.
    length : Parameter of shape (kernel_size,)
        Norm of the taps at each place in the window; begins at that of `direction`.
    bias : Parameter of shape (channels,)
        Begins at zero.

    Notes
    -----
    Hugging Face's Wav2Vec2 holds them under ``pos_conv_embed.conv`` as
    ``parametrizations.weight.original1`` and ``original0``, the latter of shape
    (1, 1, kernel_size), and ``bias``.
    """

    def __init__(
        self, channels: int, *, kernel_size: int = 128, groups: int = 16
    ) -> None:
        super().__init__()
        channels = check_int("channels", channels, minimum=1)
        kernel_size = check_int("kernel_size", kernel_size, minimum=1)
        groups = check_int("groups", groups, minimum=1)
        self.groups = groups
        std = (4 / (kernel_size * channels)) ** 0.5
        direction = torch.randn(channels, channels // groups, kernel_size) * std
        self.direction = nn.Parameter(direction)
        self.length = nn.Parameter(direction.norm(dim=(0, 1)))
        self.bias = nn.Parameter(torch.zeros(channels))
        # raise for groups that do not fit now, not in the first forward
        self(torch.zeros(0, 1, channels))

    def forward(
        self,
        x: Float[Tensor, "batch seq_len channels"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "batch seq_len channels"]:
        """Add the convolution of its neighborhood to each frame.

        Parameters
        ----------
        x : tensor of shape (batch, seq_len, channels)
            Sequences of feature vectors.
        mask : bool tensor that broadcasts to (batch, seq_len), optional
            True = a frame of the sequence; False = padding, which no other frame reads,
            and which is left as it is.
        """
        weight = normalized_weight(self.direction, self.length)
        return x + convolutional_encoding(
            x, weight, self.bias, groups=self.groups, mask=mask
        )

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        channels, _, kernel_size = self.direction.shape
        return f"{channels}, kernel_size={kernel_size}, groups={self.groups}"
