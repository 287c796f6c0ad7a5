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

from .convolution import (
    convolutional_encoding,
    gelu,
    grouped_convolution,
    normalized_weight,
)

__all__ = [  # noqa: RUF022  in the order of the reference
    "convolutional_encoding",
    "grouped_convolution",
    "normalized_weight",
    "gelu",
]
