"""Every encoding of the book as a part of one small causal Transformer.

An encoding is two things: what is added to the embedded tokens, and the attention of
each layer. Both are the modules of `posenc.nn`; here they only get one interface.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

import array_api_compat.torch as xp
import torch
from jaxtyping import Float
from torch import Tensor, nn

from posenc.alibi import alibi_bias, alibi_slopes
from posenc.attention import attend, causal_mask
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

    hidden: Tensor | None = None

    def __init__(self, sizes: Sizes, bias: nn.Module | None = None) -> None:
        super().__init__(sizes.d_model, sizes.num_heads)
        self.bias = bias

    def forward(  # type: ignore[override]
        self, x: Float[Tensor, "batch seq_len d_model"]
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Attend from each token to those before it and to itself."""
        length = x.shape[-2]
        bias = None if self.bias is None else self.bias(length, length)
        mask = causal(length, x.device, self.hidden)
        return self.merge(attend(*self.project(x), bias=bias, mask=mask))


class HeadAttention(MultiHeadAttention):
    """Multi-head attention whose heads are attended by a module of their own."""

    hidden: Tensor | None = None

    def __init__(self, sizes: Sizes, heads: nn.Module) -> None:
        super().__init__(sizes.d_model, sizes.num_heads)
        self.heads = heads

    def forward(  # type: ignore[override]
        self, x: Float[Tensor, "batch seq_len d_model"]
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Attend from each token to those before it and to itself."""
        mask = causal(x.shape[-2], x.device, self.hidden)
        return self.merge(self.heads(*self.project(x), mask=mask))


@runtime_checkable
class Changeable(Protocol):
    """A module that can do its work in another way, with the same weights."""

    variant: str | None


class RotaryHeads(nn.Module):
    """Rotated queries and keys; beyond the trained length with scaled frequencies.

    Attributes
    ----------
    variant : str or None
        How `posenc.rope.scaled_frequencies` scales them where a sequence is longer than
        those of training; or "clamped": pairs farther apart than `farthest` are rotated
        like those. None turns on as in training. May be changed at any time.
    farthest : int
        The largest distance of "clamped"; train_len - 1 unless changed.
    """

    def __init__(self, train_len: int, base: float = 10_000.0) -> None:
        super().__init__()
        self.train_len, self.base = train_len, base
        self.farthest = train_len - 1
        self.variant: Scaling | Literal["clamped"] | None = None

    def forward(self, q: Tensor, k: Tensor, v: Tensor, *, mask: Tensor) -> Tensor:
        """Attend with queries, keys and values (..., num_heads, seq_len, head_dim)."""
        length, head_dim = q.shape[-2:]
        positions = torch.arange(length, device=q.device)
        scale = max(length / self.train_len, 1.0)
        if self.variant is None or self.variant == "clamped":
            angles = rotary_angles(positions, head_dim, base=self.base)
        else:
            angles = scaled_angles(
                positions,
                head_dim,
                scale=scale,
                method=self.variant,
                base=self.base,
                trained_len=self.train_len if self.variant == "yarn" else None,
            )
        factor = yarn_attention_factor(scale) if self.variant == "yarn" else 1.0
        turned, keys = (apply_rotary(t, angles) * factor for t in (q, k))
        bias = None
        if self.variant == "clamped" and length > self.farthest:
            farthest = angles[self.farthest].expand_as(angles)
            clamped = apply_rotary(q, farthest) @ k.mT  # the score at that distance
            far = positions[:, None] - positions > self.farthest
            bias = (clamped - turned @ keys.mT) * far / head_dim**0.5
        return attend(turned, keys, v, bias=bias, mask=mask)


class StretchableAlibi(nn.Module):
    """ALiBi that can be changed for texts longer than those of training.

    Parameters
    ----------
    num_heads, train_len : int
        Heads, and the longest text of training.
    last : bool
        Whether these are the heads of the last layer: the others look at near tokens.

    Attributes
    ----------
    variant : str or None
        "stretched" multiplies the slopes of the last layer by train_len / length there;
        "clamped" lets no distance count as more than `farthest`, in any layer.
    farthest : int
        The largest distance of "clamped"; train_len - 1 unless changed.
    sharpness : float
        Multiplies all slopes.
    """

    sharpness = 1.0

    def __init__(self, num_heads: int, train_len: int, *, last: bool) -> None:
        super().__init__()
        self.num_heads, self.train_len, self.last = num_heads, train_len, last
        self.farthest = train_len - 1
        self.variant: str | None = None

    def forward(self, q: Tensor, k: Tensor, v: Tensor, *, mask: Tensor) -> Tensor:
        """Attend with queries, keys and values (..., num_heads, seq_len, head_dim)."""
        length = q.shape[-2]
        bias = alibi_bias(self.num_heads, length, length, xp=xp, device=q.device)
        if self.variant == "stretched" and self.last:
            bias = bias / max(length / self.train_len, 1.0)
        if self.variant == "clamped":  # the first token is the farthest key
            place = min(length - 1, self.farthest)
            bias = bias.clamp(min=bias[:, place, :1, None])
        return attend(q, k, v, bias=self.sharpness * bias, mask=mask)


class TrainableAlibi(nn.Module):
    """ALiBi whose slopes are trained, from the published ones on; they stay positive.

    Attributes
    ----------
    log_slopes : Parameter of shape (num_heads,)
        Natural logarithms of the slopes.
    """

    def __init__(self, num_heads: int) -> None:
        super().__init__()
        slopes = torch.as_tensor(alibi_slopes(num_heads), dtype=torch.float32)
        self.log_slopes = nn.Parameter(slopes.log())

    def forward(self, q: Tensor, k: Tensor, v: Tensor, *, mask: Tensor) -> Tensor:
        """Attend with queries, keys and values (..., num_heads, seq_len, head_dim)."""
        places = torch.arange(q.shape[-2], device=q.device)
        distance = (places[:, None] - places).clamp(min=0)  # the mask hides the rest
        bias = -self.log_slopes.exp()[:, None, None] * distance
        return attend(q, k, v, bias=bias, mask=mask)


class ClampableDistances(TransformerXLAttention):
    """Transformer-XL's attention, whose distances can be clamped at those of training.

    Attributes
    ----------
    variant : str or None
        "clamped" clamps them; None leaves them as they are.
    farthest : int
        The largest distance of "clamped"; train_len - 1 unless changed.
    """

    hidden: Tensor | None = None

    def __init__(self, d_model: int, num_heads: int, train_len: int) -> None:
        super().__init__(d_model, num_heads)
        self.farthest = train_len - 1

    def forward(  # type: ignore[override]
        self, x: Float[Tensor, "batch seq_len d_model"]
    ) -> Float[Tensor, "batch seq_len d_model"]:
        """Attend from each token to those before it and to itself."""
        attended = super().forward(x, mask=causal(x.shape[-2], x.device, self.hidden))
        assert isinstance(attended, Tensor)  # without a cache
        return attended

    @property
    def variant(self) -> str | None:
        """True if distances are clamped."""
        return None if self.clamp_len is None else "clamped"

    @variant.setter
    def variant(self, name: str | None) -> None:
        self.clamp_len = self.farthest if name else None


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
        changes = self.convolution(padded) - padded
        return x + changes[..., : x.shape[-2], :]


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
    variant, trained_as : str or None
        Both are set where a model that was trained with another encoding is changed
        for the test alone: how its modules call the change, and that encoding's name.
    bounded : bool
        Whether it has no value at all beyond the trained length.
    control : str or None
        Name of another encoding for whose sake it is there: with a part taken away, or
        a setting changed.
    network : float
        Width of each block's network, in units of d_model. It is smaller where an
        encoding has many parameters of its own, so that all models are about equal.
    """

    name: str
    title: str
    chapter: str
    build: Callable[[Sizes], Parts]
    variant: str | None = None
    trained_as: str = ""
    bounded: bool = False
    control: str | None = None
    network: float = 4.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "trained_as", self.trained_as or self.name)


def _added(make: Callable[[Sizes], nn.Module]) -> Callable[[Sizes], Parts]:
    """Return an encoding added to the input, with plain attention."""

    def build(sizes: Sizes) -> Parts:
        return make(sizes), [CausalAttention(sizes) for _ in range(sizes.num_layers)]

    return build


def _in_heads(make: Callable[[Sizes], nn.Module]) -> Callable[[Sizes], Parts]:
    """Return heads of a special kind in every layer, and nothing added to the input."""

    def build(sizes: Sizes) -> Parts:
        layers: list[nn.Module] = [
            HeadAttention(sizes, make(sizes)) for _ in range(sizes.num_layers)
        ]
        return nn.Identity(), layers

    return build


def _cape(**parts: float) -> Callable[[Sizes], Parts]:
    """Return CAPE with some of its parts, each at the size that the book uses."""

    def make(sizes: Sizes) -> nn.Module:
        return CapeEncoding(
            sizes.d_model,
            max_global_shift=parts.get("shift", 0.0) * sizes.train_len,
            max_local_shift=parts.get("jitter", 0.0),
            max_scale=parts.get("scale", 1.0),
            center=False,  # the mean would tell the first token how long the text is
        )

    return _added(make)


def _t5(share: float) -> Callable[[Sizes], Parts]:
    """Return T5's bias; beyond this share of the trained length there is one bucket."""

    def build(sizes: Sizes) -> Parts:
        bias = RelativePositionBias(
            sizes.num_heads,
            bidirectional=False,
            num_buckets=16,
            max_distance=int(share * sizes.train_len),
        )
        layers: list[nn.Module] = [
            CausalAttention(sizes, bias) for _ in range(sizes.num_layers)
        ]
        return nn.Identity(), layers

    return build


def _transformer_xl(sizes: Sizes) -> Parts:
    layers: list[nn.Module] = [
        ClampableDistances(sizes.d_model, sizes.num_heads, sizes.train_len)
        for _ in range(sizes.num_layers)
    ]
    return nn.Identity(), layers


def _alibi(sizes: Sizes) -> Parts:
    last = sizes.num_layers - 1
    heads = [
        StretchableAlibi(sizes.num_heads, sizes.train_len, last=layer == last)
        for layer in range(sizes.num_layers)
    ]
    return nn.Identity(), [HeadAttention(sizes, head) for head in heads]


def _shaw(max_distance: int) -> Callable[[Sizes], Parts]:
    return _in_heads(
        lambda sizes: ShawAttention(sizes.num_heads, sizes.head_dim, max_distance)
    )


def _rope(base: float = 10_000.0) -> Callable[[Sizes], Parts]:
    return _in_heads(lambda sizes: RotaryHeads(sizes.train_len, base))


def _all() -> Iterator[Encoding]:
    """Yield every encoding, each followed by those that are there for its sake."""
    yield Encoding("none", "no encoding", "cape", _added(lambda sizes: nn.Identity()))
    yield Encoding(
        "learned",
        "learned table",
        "attention",
        _added(lambda sizes: LearnedEncoding(sizes.train_len, sizes.d_model)),
        bounded=True,
        network=3.75,
    )
    yield Encoding(
        "sinusoidal",
        "sinusoids",
        "sinusoidal",
        _added(lambda sizes: SinusoidalEncoding(sizes.d_model)),
    )
    shaw = Encoding("shaw", "Shaw", "shaw", _shaw(16))
    yield shaw
    for k in (0, 1, 2, 63):
        name, title = f"shaw_clip_{k}", f"Shaw, clipped at {k}"
        network = 3.5 if k == 63 else shaw.network
        yield replace(
            shaw,
            name=name,
            title=title,
            build=_shaw(k),
            trained_as=name,
            control=shaw.name,
            network=network,
        )
    yield Encoding(
        "music_transformer",
        "Music Transformer",
        "music_transformer",
        _in_heads(
            lambda sizes: MusicGlobalAttention(
                sizes.num_heads, sizes.head_dim, sizes.train_len
            )
        ),
        bounded=True,
    )
    xl = Encoding(
        "transformer_xl",
        "Transformer-XL",
        "transformer_xl",
        _transformer_xl,
        network=3.5,
    )
    yield xl
    yield replace(_changed(xl, "clamped"), control=xl.name)
    t5 = Encoding("t5", "T5", "t5", _t5(1 / 4))  # as T5 was trained
    yield t5
    yield Encoding("t5_wide", "T5, up to 64", "t5", _t5(1), control=t5.name)
    alibi = Encoding("alibi", "ALiBi", "alibi", _alibi)
    yield alibi
    yield replace(_changed(alibi, "stretched"), control=alibi.name)
    yield replace(_changed(alibi, "clamped"), control=alibi.name)
    yield Encoding(
        "alibi_trained",
        "ALiBi, slopes trained",
        "alibi",
        _in_heads(lambda sizes: TrainableAlibi(sizes.num_heads)),
        control=alibi.name,
    )
    rope = Encoding("rope", "RoPE", "rope", _rope())
    yield rope
    yield _changed(rope, "interpolation", "interpolated")
    yield _changed(rope, "ntk", "NTK")
    yield _changed(rope, "yarn", "YaRN")
    yield replace(_changed(rope, "clamped"), control=rope.name)
    yield Encoding(
        "rope_base_100", "RoPE, base 100", "rope", _rope(100), control=rope.name
    )
    yield Encoding(
        "convolutional",
        "convolution",
        "convolutional",
        _added(
            lambda sizes: CausalConvolution(sizes.d_model, kernel_size=16, groups=4)
        ),
        network=3.0,
    )
    parts = {"shift": 1.0, "jitter": 0.5, "scale": 2.0}
    yield Encoding("cape", "CAPE", "cape", _cape(**parts))
    for part, size in parts.items():
        name, title = f"cape_{part}", f"CAPE, {part} only"
        yield Encoding(name, title, "cape", _cape(**{part: size}), control="cape")


def _changed(trained: Encoding, variant: str, words: str = "") -> Encoding:
    """Return a trained model that is changed for the test alone."""
    return replace(
        trained,
        name=f"{trained.name}_{variant}",
        title=f"{trained.title}, {words or variant}",
        variant=variant,
        trained_as=trained.name,
    )


ENCODINGS = {encoding.name: encoding for encoding in _all()}


def encoding_named(name: str) -> Encoding:
    """Return the encoding of that name, or raise a ValueError that lists them."""
    check_choice("encoding", name, tuple(ENCODINGS))
    return ENCODINGS[name]


def check_trainable(name: str, learning_rate: float) -> None:
    """Raise unless a model can be trained with this encoding, at this rate."""
    encoding = encoding_named(name)
    if encoding.variant:
        msg = (
            f"encoding must be one that is trained, got {name!r}, which changes a "
            f"model that was trained with {encoding.trained_as!r}: train that one; its "
            "results hold both"
        )
        raise ValueError(msg)
    if not 0 < learning_rate < 1:
        msg = f"learning_rate must lie between 0 and 1, got {learning_rate!r}"
        raise ValueError(msg)


def causal(length: int, device: torch.device, hidden: Tensor | None = None) -> Any:
    """Return the mask of a text: each token attends to itself and those before.

    No token but itself sees a column where `hidden`, a bool tensor (length,), is True.
    """
    mask = causal_mask(length, length, xp=xp, device=device)
    if hidden is None:
        return mask
    return mask & (~hidden | torch.eye(length, dtype=torch.bool, device=device))
