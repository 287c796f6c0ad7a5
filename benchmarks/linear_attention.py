"""Cost of linear attention. ``python benchmarks/linear_attention.py [--quick]``.

The bound is the four matrix products of each chunk of 64 and nothing else. (Our default
of 128 means half as much again to do, but in half as many steps.) Curves over length
are measured one process each, for one head.
"""

from typing import Any

import torch
from record import Work, main, round_robin, show

from posenc.linear_attention import (
    linear_attention,
    recurrent_form,
    toeplitz_linear_attention,
)
from posenc.rope import rotary_angles

HEADS, HEAD_DIM, BOUND_CHUNK, SEED = 8, 64, 64, 0
LENGTHS = (1024, 2048, 4096, 8192, 16384)


def inputs(length: int, num_heads: int) -> tuple[torch.Tensor, ...]:
    """Queries, keys and values, all of them leaves."""
    torch.manual_seed(SEED)
    shape = (1, num_heads, length, HEAD_DIM)
    return tuple(torch.randn(shape, requires_grad=True) for _ in range(3))


def softmax(length: int, num_heads: int = 1) -> Work:
    """Causal softmax attention, torch's fused kernel: no L × L matrix in memory."""
    q, k, v = inputs(length, num_heads)
    attend = torch.nn.functional.scaled_dot_product_attention
    return lambda: attend(q, k, v, is_causal=True)


def softmax_matrix(length: int, num_heads: int = 1) -> Work:
    """The same as the formula reads: with all L × L weights."""
    q, k, v = inputs(length, num_heads)

    def run() -> torch.Tensor:
        later = torch.ones(length, length, dtype=torch.bool).triu(1)
        scores = (q @ k.mT / HEAD_DIM**0.5).masked_fill(later, -torch.inf)
        return torch.softmax(scores, dim=-1) @ v

    return run


def linear(length: int, num_heads: int = 1) -> Work:
    """All queries see all keys: two products."""
    q, k, v = inputs(length, num_heads)
    return lambda: linear_attention(q, k, v)


def linear_causal(length: int, num_heads: int = 1) -> Work:
    """The chunked form, which `linear_attention` uses when causal."""
    q, k, v = inputs(length, num_heads)
    return lambda: linear_attention(q, k, v, causal=True)


def alibi_decay(length: int, num_heads: int = 1) -> Work:
    """The same with ALiBi's slopes as a decay of the state."""
    q, k, v = inputs(length, num_heads)
    decay = torch.exp(-(2.0 ** -torch.arange(1, num_heads + 1)))
    return lambda: linear_attention(q, k, v, causal=True, decay=decay)


def rotated(length: int, num_heads: int = 1) -> Work:
    """The causal form with rotated features in the numerator."""
    q, k, v = inputs(length, num_heads)
    angles = rotary_angles(torch.arange(length, dtype=torch.float32), HEAD_DIM)
    return lambda: linear_attention(q, k, v, causal=True, angles=angles)


def toeplitz_fft(length: int, num_heads: int = 1) -> Work:
    """Any bias of the offset, in both directions, by fast Fourier transforms."""
    q, k, v = inputs(length, num_heads)
    bias = torch.randn(2 * length - 1)
    return lambda: toeplitz_linear_attention(q, k, v, bias)


def recurrent(length: int, num_heads: int = 1) -> Work:
    """One token after the other."""
    q, k, v = inputs(length, num_heads)
    return lambda: recurrent_form(q, k, v)


def products(length: int, num_heads: int = 1) -> Work:
    """The four matrix products of each chunk."""
    q, k, v = inputs(length, num_heads)
    state = torch.zeros(1, num_heads, HEAD_DIM, HEAD_DIM)

    def run() -> None:
        for start in range(0, length, BOUND_CHUNK):
            a, b, c = (x[..., start : start + BOUND_CHUNK, :] for x in (q, k, v))
            _ = (a @ b.mT) @ c, a @ state, b.mT @ c

    return run


CURVES = {
    "softmax": softmax,
    "softmax_matrix": softmax_matrix,
    "linear": linear,
    "linear_causal": linear_causal,
    "alibi_decay": alibi_decay,
    "toeplitz_fft": toeplitz_fft,
}
LONGEST = {"softmax_matrix": 4096, "toeplitz_fft": 4096}  # they need much memory
ONCE = {
    "products": products,
    "linear_causal": linear_causal,
    "alibi_decay": alibi_decay,
    "rotated": rotated,
    "recurrent": recurrent,
    "softmax": softmax,
}


def measure() -> dict[str, Any]:
    """The causal forms for all heads at two lengths; the bound is `products`."""
    times = {}
    for length in (4096, 16384):
        candidates = {
            name: make(length, HEADS)
            for name, make in ONCE.items()
            if name != "recurrent" or length == 4096  # each token is a step of Python
        }
        times[length] = round_robin(candidates, repeats=5)
        show(f"L = {length}", times[length], bound="products")
    settings = {"num_heads": HEADS, "head_dim": HEAD_DIM, "bound_chunk": BOUND_CHUNK}
    return {"settings": settings, "milliseconds": times}


if __name__ == "__main__":
    main(__file__, __doc__, measure, CURVES, LENGTHS, longest=LONGEST, seed=SEED)
