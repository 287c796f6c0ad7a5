"""Cost of causal linear attention. ``python benchmarks/linear_attention.py [--quick]``.

The bound is the four matrix products of each chunk of 64 and nothing else. (Our default
of 128 means half as much again to do, but in half as many steps.) Curves over length
are measured one process each.
"""

from typing import Any

import torch
from record import Work, main, round_robin, show

from posenc.linear_attention import linear_attention, recurrent_form

HEADS, HEAD_DIM, BOUND_CHUNK, SEED = 8, 64, 64, 0
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)


def inputs(length: int) -> tuple[torch.Tensor, ...]:
    """Queries, keys and values, all of them leaves."""
    torch.manual_seed(SEED)
    shape = (1, HEADS, length, HEAD_DIM)
    return tuple(torch.randn(shape, requires_grad=True) for _ in range(3))


def chunked(length: int) -> Work:
    """The form that `linear_attention` uses when causal."""
    q, k, v = inputs(length)
    return lambda: linear_attention(q, k, v, causal=True)


def decayed(length: int) -> Work:
    """The same with ALiBi's slopes as a decay of the state."""
    q, k, v = inputs(length)
    decay = torch.exp(-(2.0 ** -torch.arange(1, HEADS + 1)))
    return lambda: linear_attention(q, k, v, causal=True, decay=decay)


def recurrent(length: int) -> Work:
    """One token after the other."""
    q, k, v = inputs(length)
    return lambda: recurrent_form(q, k, v)


def softmax(length: int) -> Work:
    """Softmax attention, torch's fused kernel."""
    q, k, v = inputs(length)
    attend = torch.nn.functional.scaled_dot_product_attention
    return lambda: attend(q, k, v, is_causal=True)


def products(length: int) -> Work:
    """The four matrix products of each chunk."""
    q, k, v = inputs(length)
    state = torch.zeros(1, HEADS, HEAD_DIM, HEAD_DIM)

    def run() -> None:
        for start in range(0, length, BOUND_CHUNK):
            a, b, c = (x[..., start : start + BOUND_CHUNK, :] for x in (q, k, v))
            _ = (a @ b.mT) @ c, a @ state, b.mT @ c

    return run


MAKERS = {
    "chunked": chunked,
    "decayed": decayed,
    "recurrent": recurrent,
    "softmax": softmax,
}
LONGEST = {"recurrent": 4096}  # slow, not large: each token is a step of Python


def measure() -> dict[str, Any]:
    """All forms at two lengths; the bound is `products`."""
    times = {}
    for length in (4096, 16384):
        candidates = {
            name: make(length)
            for name, make in {"products": products, **MAKERS}.items()
            if length <= LONGEST.get(name, length)
        }
        times[length] = round_robin(candidates, repeats=5)
        show(f"L = {length}", times[length], bound="products")
    settings = {"num_heads": HEADS, "head_dim": HEAD_DIM, "bound_chunk": BOUND_CHUNK}
    return {"settings": settings, "milliseconds": times}


if __name__ == "__main__":
    main(__file__, __doc__, measure, MAKERS, LENGTHS, longest=LONGEST, seed=SEED)
