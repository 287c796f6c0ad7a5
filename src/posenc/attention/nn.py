"""Torch module for multi-head attention: the frame that the encodings fit into."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from posenc.core.checks import (
    check_flag,
    check_heads,
    check_int,
    check_pair,
    check_tensor,
    check_weights_dtype,
)

from .dot_product import attend

__all__ = ["MultiHeadAttention"]


class MultiHeadAttention(nn.Module):
    """`posenc.attention.scaled_dot_product_attention` between four projections.

    Parameters
    ----------
    d_model : int
        Features of a token; a multiple of `num_heads`.
    num_heads : int
        Attention heads, of ``d_model / num_heads`` features each.

    Attributes
    ----------
    query, key, value, output : Linear
        Square projections of `d_model` features, without an additive bias.
    """

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        num_heads = check_heads(num_heads)
        d_model = check_int("d_model", d_model, minimum=1)
        if d_model % num_heads:
            msg = f"d_model must be a multiple of num_heads={num_heads}, got {d_model}"
            raise ValueError(msg)
        self.d_model, self.num_heads = d_model, num_heads
        self.query, self.key, self.value, self.output = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(
        self,
        x: Float[Tensor, "... q_len d_model"],
        context: Float[Tensor, "... k_len d_model"] | None = None,
        *,
        bias: Float[Tensor, "..."] | None = None,
        mask: Bool[Tensor, "..."] | None = None,
        past: tuple[Tensor, Tensor] | None = None,
        use_cache: bool = False,
    ) -> (
        Float[Tensor, "... q_len d_model"]
        | tuple[Float[Tensor, "... q_len d_model"], tuple[Tensor, Tensor]]
    ):
        """Attend from the tokens of `x` to those of `context`, by default `x` itself.

        Parameters
        ----------
        x : tensor of shape (..., q_len, d_model)
            Tokens that ask.
        context : tensor of shape (..., k_len, d_model), optional
            Tokens that are asked, for cross-attention.
        bias, mask : tensor that broadcasts to (..., num_heads, q_len, k_len), optional
            As in `posenc.attention.attention_weights`: a padding mask of shape (batch,
            k_len) goes in as ``mask[:, None, None, :]``. The keys of `past` count.
        past : pair of tensors (..., num_heads, past_len, head_dim), optional
            Keys and values of earlier calls, which go before those of this one.
        use_cache : bool, default False
            True to return the pair to pass as `past` next, too.

        Returns
        -------
        tensor of shape (..., q_len, d_model), with `use_cache` and the pair
            Token by token, with the whole call's bias and causal mask a row at a time,
            this gives what the whole call gives.
        """
        check_flag("use_cache", use_cache)
        q, k, v = self.project(x, context)
        k, v = extend_cache(past, k, v)
        out = self.merge(attend(q, k, v, bias=bias, mask=mask))
        return (out, (k, v)) if use_cache else out

    def project(
        self,
        x: Float[Tensor, "... q_len d_model"],
        context: Float[Tensor, "... k_len d_model"] | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return q, k and v: (..., num_heads, seq_len, head_dim) each."""
        check_tensor("x", x, ("q_len", self.d_model))
        if context is None:
            context = x
        check_tensor("context", context, ("k_len", self.d_model))
        check_weights_dtype("x", x, self.query)
        check_weights_dtype("context", context, self.key)
        projected = (self.query(x), self.key(context), self.value(context))
        q, k, v = (split_heads(tokens, self.num_heads) for tokens in projected)
        return q, k, v

    def merge(
        self, heads: Float[Tensor, "... num_heads seq_len head_dim"]
    ) -> Float[Tensor, "... seq_len d_model"]:
        """Lay the heads side by side, and project."""
        merged: Tensor = self.output(merge_heads(heads))
        return merged

    def extra_repr(self) -> str:
        """Return the arguments shown by ``print(module)``."""
        return f"{self.d_model}, num_heads={self.num_heads}"


def check_cache(
    causal: bool, past: object, use_cache: bool, *, required: str = "causal=True"
) -> None:
    """Raise unless `use_cache` is a flag, and a cache, if any, goes with an order.

    `required` is the module's argument that gives it an order.
    """
    check_flag("use_cache", use_cache)
    if not causal and (past is not None or use_cache):
        name, _, value = required.partition("=")
        msg = (
            f"past and use_cache need {required}, got {name}={value != 'True'}: "
            "without an order, later tokens change the outputs of earlier ones"
        )
        raise ValueError(msg)


#: Remedy for a cache that holds the position of its keys.
OLD_END = "drop keys at the old end only, part[..., -window:, :]"


def extend_cache(
    past: tuple[Tensor, Tensor] | None, k: Tensor, v: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the keys and values of earlier calls, followed by those of this one."""
    if past is None:
        return k, v
    old_k, old_v = check_pair("past", past)
    for part, new in ((old_k, k), (old_v, v)):
        shape = (*new.shape[:-2], "past_len", new.shape[-1])
        check_tensor("past", part, shape, "pass what this module returned")
    old_k, old_v = old_k.to(k.dtype), old_v.to(v.dtype)
    return torch.cat([old_k, k], dim=-2), torch.cat([old_v, v], dim=-2)


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Reshape (..., L, num_heads * head_dim) to (..., num_heads, L, head_dim)."""
    shape = (*x.shape[:-1], num_heads, x.shape[-1] // num_heads)
    return x.reshape(shape).transpose(-3, -2)


def merge_heads(x: Tensor) -> Tensor:
    """Reshape (..., num_heads, L, head_dim) to (..., L, num_heads * head_dim)."""
    return x.transpose(-3, -2).flatten(-2)
