"""Torch modules for Transformer-XL: attention, layer, and a stack with its memory.

The memory of a layer holds the layer's own *inputs* of the segments before. Layer n
reads there what layer n - 1 had computed, which looked one segment further back in its
turn. So the context grows by a segment or more per layer, and ends after the last.
"""

from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from posenc.attention.nn import extend_cache, merge_heads, split_heads
from posenc.core.checks import (
    check_flag,
    check_floating,
    check_heads,
    check_int,
    check_shape,
    check_tensor,
    check_weights_dtype,
)
from posenc.core.dtypes import is_exported, wide_dtype
from posenc.sinusoidal import sinusoidal_encoding

from . import relative_attention

__all__ = [
    "TransformerXL",
    "TransformerXLAttention",
    "TransformerXLLayer",
    "extend_memory",
]


class TransformerXLAttention(nn.Module):
    """Causal attention to a memory and the current segment, by content and distance.

    Parameters
    ----------
    d_model : int
        Features per token; even, and a multiple of num_heads.
    num_heads : int
        Attention heads; at least 1.
    clamp_len : int, optional
        Distances beyond it count as this one. The authors' scripts clamp in evaluation,
        where memories are longer than in training. None: all are different.

    Attributes
    ----------
    query, key, value, output : Linear
        Projections without bias; `key` is the paper's :math:`W_{k,E}`, for
        contents.
    position : Linear
        :math:`W_{k,R}`, which makes keys of the sinusoids at the distances.
    content_bias, position_bias : Parameter of shape (num_heads, head_dim)
        The paper's u and v, drawn from a normal distribution with standard deviation
        0.02. (The authors' code lets all layers share one pair unless told otherwise;
        here each layer has its own.)
    """

    def __init__(
        self, d_model: int, num_heads: int, *, clamp_len: int | None = None
    ) -> None:
        super().__init__()
        d_model, num_heads = _check_sizes(d_model, num_heads)
        if clamp_len is not None:
            clamp_len = check_int("clamp_len", clamp_len)
        self.clamp_len = clamp_len
        self.d_model, self.num_heads = d_model, num_heads
        self.query = nn.Linear(d_model, d_model, bias=False)
        self.key = nn.Linear(d_model, d_model, bias=False)
        self.value = nn.Linear(d_model, d_model, bias=False)
        self.position = nn.Linear(d_model, d_model, bias=False)
        self.output = nn.Linear(d_model, d_model, bias=False)
        shape = (num_heads, d_model // num_heads)
        self.content_bias = nn.Parameter(torch.randn(shape) * 0.02)
        self.position_bias = nn.Parameter(torch.randn(shape) * 0.02)

    def forward(
        self,
        hidden: Float[Tensor, "*batch seq_len d_model"],
        memory: Float[Tensor, "*batch memory_len d_model"] | None = None,
        *,
        mask: Bool[Tensor, "..."] | None = None,
        past: tuple[Tensor, Tensor, Tensor] | None = None,
        use_cache: bool = False,
    ) -> (
        Float[Tensor, "*batch seq_len d_model"]
        | tuple[Float[Tensor, "*batch seq_len d_model"], tuple[Tensor, Tensor, Tensor]]
    ):
        """Attend to the memory and the segment, or to the tokens of earlier calls.

        Parameters
        ----------
        hidden : tensor of shape (..., seq_len, d_model)
            The tokens of the segment.
        memory : tensor of shape (..., memory_len, d_model), optional
            Inputs of the segments before, through which no gradient flows.
        mask : bool tensor that broadcasts to (..., num_heads, seq_len, k_len), optional
            True = may attend, in addition to the causal mask.
        past : three tensors, optional
            Keys, values and projected distances of earlier calls, the memory's among
            them: so that nothing is projected twice when tokens are decoded.
        use_cache : bool, default False
            True to return the three to pass as `past` next, too.

        Returns
        -------
        tensor of shape (..., seq_len, d_model), with `use_cache` and the three
        """
        check_flag("use_cache", use_cache)
        context = _context(hidden, memory, self.d_model)
        check_weights_dtype("hidden", hidden, self.query)
        k, v = (
            split_heads(project(context), self.num_heads)
            for project in (self.key, self.value)
        )
        known = 0
        if past is not None:
            _check_past(past, memory, self.content_bias)
            k, v = extend_cache(past[:2], k, v)
            known = past[2].shape[-2]
        distances = _distance_encoding(context, k.shape[-2], known, self.clamp_len)
        r = split_heads(self.position(distances), self.num_heads)
        if past is not None:
            r = torch.cat(
                [r, past[2].to(r.dtype)], dim=-2
            )  # the new distances are the largest
        out = relative_attention(
            split_heads(self.query(hidden), self.num_heads),
            k,
            v,
            r,
            content_bias=self.content_bias,
            position_bias=self.position_bias,
            mask=mask,
        )
        mixed: Tensor = self.output(merge_heads(out))
        return (mixed, (k, v, r)) if use_cache else mixed

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        clamped = "" if self.clamp_len is None else f", clamp_len={self.clamp_len}"
        return f"{self.d_model}, {self.num_heads}{clamped}"


class TransformerXLLayer(nn.Module):
    """Attention and feed-forward network, each added to its input and normalized after.

    Parameters
    ----------
    d_model, num_heads, clamp_len
        As in `TransformerXLAttention`.
    d_inner : int
        Features between the two matrices of the feed-forward network; at least 1.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        d_inner: int,
        *,
        clamp_len: int | None = None,
    ) -> None:
        super().__init__()
        d_inner = check_int("d_inner", d_inner, minimum=1)
        self.attention = TransformerXLAttention(d_model, num_heads, clamp_len=clamp_len)
        self.attention_norm = nn.LayerNorm(d_model)
        self.widen = nn.Linear(d_model, d_inner)
        self.narrow = nn.Linear(d_inner, d_model)
        self.feed_forward_norm = nn.LayerNorm(d_model)

    def forward(
        self,
        hidden: Float[Tensor, "*batch seq_len d_model"],
        memory: Float[Tensor, "*batch memory_len d_model"] | None = None,
        *,
        mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "*batch seq_len d_model"]:
        """Return the layer's output; `memory` holds its inputs of earlier segments."""
        attended = self.attention(hidden, memory, mask=mask)
        hidden = self.attention_norm(hidden + attended)
        return self.feed_forward_norm(hidden + self.narrow(F.relu(self.widen(hidden))))


class TransformerXL(nn.Module):
    """Layers with a memory each, passed from segment to segment.

    Parameters
    ----------
    num_layers : int
        Layers; at least 1.
    d_model, num_heads, d_inner, clamp_len
        As in `TransformerXLLayer`.
    memory_len : int
        Tokens that each memory keeps, M.
    same_length : bool, default False
        True if every query sees its own token and the M - 1 before it, wherever it
        stands in its segment, as in the authors' PyTorch code. The output then does not
        depend on where the text is cut. Otherwise the first query of a segment sees
        M + 1 tokens, and each further one sees one more.

    Examples
    --------
    >>> model = TransformerXL(2, 8, 2, d_inner=16, memory_len=4)
    >>> segments = torch.randn(3, 1, 4, 8)  # three segments of four tokens
    >>> memory = None
    >>> for segment in segments:
    ...     out, memory = model(segment, memory)
    >>> [tuple(m.shape) for m in memory]
    [(1, 4, 8), (1, 4, 8)]
    """

    def __init__(
        self,
        num_layers: int,
        d_model: int,
        num_heads: int,
        *,
        d_inner: int,
        memory_len: int,
        clamp_len: int | None = None,
        same_length: bool = False,
    ) -> None:
        super().__init__()
        num_layers = check_int("num_layers", num_layers, minimum=1)
        self.memory_len = check_int("memory_len", memory_len)
        check_flag("same_length", same_length)
        self.same_length = same_length
        if same_length and memory_len == 0:
            msg = (
                "memory_len must be at least 1 with same_length, got 0: this would "
                "hide every key, even the token of the query"
            )
            raise ValueError(msg)
        self.layers = nn.ModuleList(
            TransformerXLLayer(d_model, num_heads, d_inner, clamp_len=clamp_len)
            for _ in range(num_layers)
        )

    def forward(
        self,
        hidden: Float[Tensor, "*batch seq_len d_model"],
        memory: list[Tensor] | None = None,
    ) -> tuple[Float[Tensor, "*batch seq_len d_model"], list[Tensor]]:
        """Return the output for the segment, and each layer's memory for the next."""
        check_tensor("hidden", hidden, ("seq_len", "d_model"))
        if memory is not None and not (
            isinstance(memory, list | tuple) and len(memory) == len(self.layers)
        ):
            count = len(memory) if isinstance(memory, list | tuple) else repr(memory)
            msg = f"memory must hold {len(self.layers)} tensors, one per layer, got "
            raise ValueError(msg + f"{count}: pass on what the last call returned")
        memories = []
        for n, layer in enumerate(self.layers):
            before = None if memory is None else memory[n]
            memories.append(extend_memory(before, hidden, self.memory_len))
            hidden = layer(hidden, before, mask=self._window(hidden, before))
        return hidden, memories

    def _window(self, hidden: Tensor, memory: Tensor | None) -> Tensor | None:
        """Return True where a key is one of the memory_len nearest; None: no limit."""
        if not self.same_length:
            return None
        known = 0 if memory is None else memory.shape[-2]
        keys = torch.arange(known + hidden.shape[-2], device=hidden.device)
        return keys[known:, None] - keys < self.memory_len


def extend_memory(
    memory: Float[Tensor, "*batch memory_len d_model"] | None,
    hidden: Float[Tensor, "*batch seq_len d_model"],
    memory_len: int,
) -> Float[Tensor, "*batch kept d_model"]:
    """Return the last `memory_len` tokens of memory and segment, without gradients.

    Parameters
    ----------
    memory : tensor of shape (..., any length, d_model), optional
        Inputs of a layer in the segments before; None at the start.
    hidden : tensor of shape (..., seq_len, d_model)
        Inputs of the layer in this segment.
    memory_len : int
        Tokens to keep, at most.

    Returns
    -------
    tensor of shape (..., kept, d_model)
        Without a graph: a step of training holds the graph of one segment only.
    """
    memory_len = check_int("memory_len", memory_len)
    context = _context(hidden, memory, hidden.shape[-1])
    length = context.shape[-2]
    if is_exported(context):  # one graph for lengths below memory_len and above it
        newest = torch.arange(length - 1, -1, -1, device=context.device) < memory_len
        return context.index_select(-2, newest.nonzero()[:, 0]).detach()
    return context[..., max(length - memory_len, 0) :, :].detach()


def _context(hidden: Tensor, memory: Tensor | None, d_model: int) -> Tensor:
    """Return [SG(m) ∘ h], the memory without gradients, then the segment."""
    check_tensor("hidden", hidden, ("seq_len", d_model))
    if memory is None:
        return hidden
    check_floating("memory", memory)
    shape = (*hidden.shape[:-2], "memory_len", d_model)
    check_shape("memory", memory, shape, "batch and d_model as in hidden")
    return torch.cat([memory.detach().to(hidden.dtype), hidden], dim=-2)


def _distance_encoding(
    context: Tensor, k_len: int, known: int, clamp_len: int | None
) -> Tensor:
    """Encode the distances k_len - 1 … known, shape (k_len - known, d_model)."""
    wide = wide_dtype(torch, context.device)
    distances = torch.arange(
        k_len - 1, known - 1, -1, dtype=wide, device=context.device
    )
    if clamp_len is not None:
        distances = distances.clamp(max=clamp_len)
    encoding = sinusoidal_encoding(distances, context.shape[-1], layout="half")
    return encoding.to(context.dtype)


def _check_past(past: Any, memory: Tensor | None, bias: Tensor) -> None:
    """Raise unless `past` is three tensors of one length, and there is no memory."""
    if memory is not None:
        msg = "memory must be None beside past, got both: past holds the memory's keys"
        raise ValueError(msg)
    if not isinstance(past, tuple | list) or len(past) != 3:
        msg = f"past must be the three tensors that this module returned, got {past!r}"
        raise TypeError(msg)
    for part in past:
        check_tensor("past", part, (bias.shape[0], "past_len", bias.shape[1]))
    lengths = [part.shape[-2] for part in past]
    if len(set(lengths)) > 1:
        msg = f"past must hold three tensors of one length, got {lengths}"
        raise ValueError(msg)


def _check_sizes(d_model: int, num_heads: int) -> tuple[int, int]:
    num_heads = check_heads(num_heads)
    d_model = check_int("d_model", d_model, minimum=1)
    if d_model % num_heads or d_model % 2:
        msg = (
            f"d_model must be even and a multiple of num_heads = {num_heads}, got "
            f"{d_model}: heads share the features out, sines and cosines come in pairs"
        )
        raise ValueError(msg)
    return d_model, num_heads
