"""Every encoding of the book as a part of one small causal Transformer.

An encoding is two things: what is added to the embedded tokens, and the attention of
each layer. Both are the modules of `posenc.nn`; here they only get one interface.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import array_api_compat.torch as xp
import torch
from jaxtyping import Float
from torch import Tensor, nn

from posenc.alibi.nn import AlibiAttention
from posenc.attention import attend, causal_mask, scaled_dot_product_attention
from posenc.attention.nn import MultiHeadAttention
from posenc.cape.nn import CapeEncoding
from posenc.convolutional.nn import ConvolutionalEncoding
from posenc.core.checks import check_choice
from posenc.music_transformer.nn import MusicGlobalAttention
from posenc.rope import (
    Scaling,
    apply_rotary,
    rotary_angles,
    scaled_angles,
    yarn_attention_factor,
)
from posenc.shaw.nn import ShawAttention
from posenc.sinusoidal.nn import LearnedEncoding, SinusoidalEncoding
from posenc.t5.nn import RelativePositionBias
from posenc.transformer_xl.nn import TransformerXLAttention


class Sizes(NamedTuple):
    """Sizes of the Transformer of the laboratory."""

    train_len: int = 64
    d_model: int = 64
    num_heads: int = 4
    num_layers: int = 2

    @property
    def head_dim(self) -> int:
        """Features of a head."""
        return self.d_model // self.num_heads


class CausalAttention(MultiHeadAttention):
    """Multi-head attention to the tokens before; `bias(L, L)` adds to the scores."""

    def __init__(self, sizes: Sizes, bias: nn.Module | None = None) -> None:
        super().__init__(sizes.d_model, sizes.num_heads)
        self.bias = bias

    def forward(  # type: ignore[override]
        self, x: Float[Tensor, "batch seq_len d_model"]
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Attend from each token to those before it and to itself."""
        length = x.shape[-2]
        bias = None if self.bias is None else self.bias(length, length)
        mask = _mask(length, x.device)
        return self.merge(attend(*self.project(x), bias=bias, mask=mask))


class HeadAttention(MultiHeadAttention):
    """Multi-head attention whose heads are attended by a module of their own."""

    def __init__(self, sizes: Sizes, heads: nn.Module) -> None:
        super().__init__(sizes.d_model, sizes.num_heads)
        self.heads = heads

    def forward(  # type: ignore[override]
        self, x: Float[Tensor, "batch seq_len d_model"]
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Attend from each token to those before it and to itself."""
        mask = _mask(x.shape[-2], x.device)
        return self.merge(self.heads(*self.project(x), mask=mask))


class RotaryHeads(nn.Module):
    """Rotated queries and keys; beyond the trained length with scaled frequencies.

    Attributes
    ----------
    method : str or None
        How `posenc.rope.scaled_frequencies` scales them where a sequence is longer than
        those of training; None turns on as in training. May be changed at any time.
    """

    def __init__(self, train_len: int) -> None:
        super().__init__()
        self.train_len = train_len
        self.method: Scaling | None = None

    def forward(self, q: Tensor, k: Tensor, v: Tensor, *, mask: Tensor) -> Tensor:
        """Attend with queries, keys and values (..., num_heads, seq_len, head_dim)."""
        length, head_dim = q.shape[-2:]
        positions = torch.arange(length, device=q.device)
        scale = max(length / self.train_len, 1.0)
        if self.method is None:
            angles = rotary_angles(positions, head_dim)
        else:
            angles = scaled_angles(
                positions,
                head_dim,
                scale=scale,
                method=self.method,
                trained_len=self.train_len if self.method == "yarn" else None,
            )
        factor = yarn_attention_factor(scale) if self.method == "yarn" else 1.0
        q, k = (apply_rotary(t, angles) * factor for t in (q, k))
        return scaled_dot_product_attention(q, k, v, mask=mask)


class CausalConvolution(nn.Module):
    """The convolution of wav2vec 2.0, moved so that no frame sees a later one.

    Its window is centered. Zeros before the first frame move it by half a kernel.
    """

    def __init__(self, channels: int, *, kernel_size: int, groups: int) -> None:
        super().__init__()
        self.ahead = (kernel_size - 1) // 2
        self.convolution = ConvolutionalEncoding(
            channels, kernel_size=kernel_size, groups=groups
        )

    def forward(
        self, x: Float[Tensor, "batch seq_len channels"]
    ) -> Float[Tensor, "batch seq_len channels"]:
        """Add to each frame what the convolution says of it and of those before."""
        padded = nn.functional.pad(x, (0, 0, self.ahead, 0))
        said = self.convolution(padded) - padded
        return x + said[..., : x.shape[-2], :]


#: The part that is added to the input, and the attention of every layer.
Parts = tuple[nn.Module, list[nn.Module]]


@dataclass(frozen=True)
class Encoding:
    """An encoding and how to build it.

    Attributes
    ----------
    name, title : str
        Name on the command line and in the book.
    chapter : str
        Slug of the chapter that explains it.
    build : function
        ``build(sizes)`` gives the part for the input and a list of attentions.
    scaling : str or None
        Set on models that were trained as plain `rope`, for longer sequences only.
    bounded : bool
        Whether it has no value at all beyond the trained length.
    """

    name: str
    title: str
    chapter: str
    build: Callable[[Sizes], Parts]
    scaling: Scaling | None = None
    bounded: bool = False

    @property
    def trained_as(self) -> str:
        """Name of the encoding whose trained model this one uses."""
        return "rope" if self.scaling else self.name


def _added(make: Callable[[Sizes], nn.Module]) -> Callable[[Sizes], Parts]:
    """Something added to the input, and plain attention."""

    def build(sizes: Sizes) -> Parts:
        return make(sizes), [CausalAttention(sizes) for _ in range(sizes.num_layers)]

    return build


def _in_heads(make: Callable[[Sizes], nn.Module]) -> Callable[[Sizes], Parts]:
    """Nothing added to the input, and heads of a special kind in every layer."""

    def build(sizes: Sizes) -> Parts:
        layers: list[nn.Module] = [
            HeadAttention(sizes, make(sizes)) for _ in range(sizes.num_layers)
        ]
        return nn.Identity(), layers

    return build


def _cape(sizes: Sizes) -> nn.Module:
    return CapeEncoding(
        sizes.d_model,
        max_global_shift=sizes.train_len,
        max_local_shift=0.5,
        max_scale=2.0,
        center=False,  # the mean would tell the first token how long the text is
    )


def _t5(sizes: Sizes) -> Parts:
    # As in T5, the range is a quarter of the trained length: beyond it, one bucket.
    bias = RelativePositionBias(
        sizes.num_heads,
        bidirectional=False,
        num_buckets=16,
        max_distance=sizes.train_len // 4,
    )
    layers: list[nn.Module] = [
        CausalAttention(sizes, bias) for _ in range(sizes.num_layers)
    ]
    return nn.Identity(), layers


def _transformer_xl(sizes: Sizes) -> Parts:
    layers: list[nn.Module] = [
        TransformerXLAttention(sizes.d_model, sizes.num_heads)
        for _ in range(sizes.num_layers)
    ]
    return nn.Identity(), layers


_rope = _in_heads(lambda sizes: RotaryHeads(sizes.train_len))

ENCODINGS = {
    encoding.name: encoding
    for encoding in (
        Encoding("none", "no encoding", "cape", _added(lambda sizes: nn.Identity())),
        Encoding(
            "learned",
            "learned table",
            "attention",
            _added(lambda sizes: LearnedEncoding(sizes.train_len, sizes.d_model)),
            bounded=True,
        ),
        Encoding(
            "sinusoidal",
            "sinusoids",
            "sinusoidal",
            _added(lambda sizes: SinusoidalEncoding(sizes.d_model)),
        ),
        Encoding(
            "shaw",
            "Shaw",
            "shaw",
            _in_heads(lambda sizes: ShawAttention(sizes.num_heads, sizes.head_dim, 16)),
        ),
        Encoding(
            "music_transformer",
            "Music Transformer",
            "music_transformer",
            _in_heads(
                lambda sizes: MusicGlobalAttention(
                    sizes.num_heads, sizes.head_dim, sizes.train_len
                )
            ),
            bounded=True,
        ),
        Encoding("transformer_xl", "Transformer-XL", "transformer_xl", _transformer_xl),
        Encoding("t5", "T5", "t5", _t5),
        Encoding(
            "alibi",
            "ALiBi",
            "alibi",
            _in_heads(lambda sizes: AlibiAttention(sizes.num_heads)),
        ),
        Encoding("rope", "RoPE", "rope", _rope),
        Encoding(
            "rope_interpolation",
            "RoPE, interpolated",
            "rope",
            _rope,
            scaling="interpolation",
        ),
        Encoding("rope_ntk", "RoPE, NTK", "rope", _rope, scaling="ntk"),
        Encoding("rope_yarn", "RoPE, YaRN", "rope", _rope, scaling="yarn"),
        Encoding(
            "convolutional",
            "convolution",
            "convolutional",
            _added(
                lambda sizes: CausalConvolution(sizes.d_model, kernel_size=16, groups=4)
            ),
        ),
        Encoding("cape", "CAPE", "cape", _added(_cape)),
    )
}


def encoding_named(name: str) -> Encoding:
    """The encoding of that name, or a ValueError that lists them."""
    check_choice("encoding", name, tuple(ENCODINGS))
    return ENCODINGS[name]


def _mask(length: int, device: torch.device) -> Any:
    return causal_mask(length, length, xp=xp, device=device)
