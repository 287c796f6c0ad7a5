"""Half precision turned in blocks that stay in the processor's cache.

A rotation in float32 writes four tensors of twice the size of `x`. For long texts they
go through main memory; in blocks they do not. For torch tensors alone.
"""

from functools import cache
from typing import Any

from posenc.core.dtypes import is_plain

#: Numbers in a block; two blocks in float32 are 2 MiB. Smaller ones cost more calls.
BLOCK = 1 << 18


def gain(x: Any, table: tuple[Any, ...]) -> bool:
    """Return True if blocks save time for `x`, and torch need not see the steps."""
    import torch  # loaded already, since x is a tensor

    return (
        x.dtype in (torch.bfloat16, torch.float16)
        and x.numel() > BLOCK
        and x.device.type == "cpu"
        and not any(rows.requires_grad for rows in table)
        and all(_has_memory(array) for array in (x, *table))
    )


def _has_memory(array: Any) -> bool:
    """Return True for an array of numbers, False for one wrapped by a transform."""
    if not is_plain(array):
        return False
    try:
        array.data_ptr()
    except RuntimeError:
        return False
    return True


def turn_halves(x: Any, cos: Any, sin: Any) -> Any:
    """Return ``x * cos + x.roll(D / 2) * sin`` with float32 tables (..., L, D)."""
    return _differentiable().apply(x, cos, sin)


def _in_blocks(x: Any, cos: Any, sin: Any) -> Any:
    """Compute `turn_halves` without a gradient."""
    import torch

    length, half = x.shape[-2], x.shape[-1] // 2
    step = max(1, BLOCK * length // x.numel())
    out = torch.empty_like(x)
    wide = x.new_empty((*x.shape[:-2], step, x.shape[-1]), dtype=torch.float32)
    swapped = torch.empty_like(wide)
    for start in range(0, length, step):
        rows = slice(start, min(start + step, length))
        turned = wide[..., : rows.stop - start, :].copy_(x[..., rows, :])
        other = swapped[..., : rows.stop - start, :]
        other[..., :half] = turned[..., half:]
        other[..., half:] = turned[..., :half]
        turned.mul_(cos[..., rows, :]).addcmul_(other, sin[..., rows, :])
        out[..., rows, :] = turned
    return out


@cache
def _differentiable() -> Any:
    """Return `_in_blocks` for autograd: linear in `x`, its gradient turns back."""
    import torch

    from .turns import rotate_table

    class Turned(torch.autograd.Function):
        forward = staticmethod(_in_blocks)

        @staticmethod
        def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
            _, cos, sin = inputs
            ctx.save_for_backward(cos, sin)
            ctx.save_for_forward(cos, sin)

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            cos, sin = ctx.saved_tensors
            return rotate_table(gradient, (cos, -sin), "half"), None, None

        @staticmethod
        def jvp(ctx: Any, tangent: Any, *_: Any) -> Any:
            return rotate_table(tangent, ctx.saved_tensors, "half")

    return Turned
