"""Cost of linear attention. ``python benchmarks/linear_attention.py [--quick]``.

The bound is the four matrix products of each chunk of 64 and nothing else. (Our default
of 128 means half as much again to do, but in half as many steps.) Curves over length
are measured one process each, for one head. Training is compared with `split_loop`, the
same chunks written down plainly.
"""

from functools import partial
from typing import Any

import torch
from record import Work, main, round_robin, show

from posenc.linear_attention import (
    linear_attention,
    linear_attention_with_state,
    recurrent_form,
    toeplitz_linear_attention,
)
from posenc.linear_attention.state import CHUNK_SIZE
from posenc.rope import rotary_angles

HEADS, HEAD_DIM, BOUND_CHUNK, SEED = 8, 64, 64, 0
LENGTHS = (1024, 2048, 4096, 8192, 16384)


def inputs(length: int, num_heads: int) -> tuple[torch.Tensor, ...]:
    """Return queries, keys and values, all of them leaves."""
    torch.manual_seed(SEED)
    shape = (1, num_heads, length, HEAD_DIM)
    return tuple(torch.randn(shape, requires_grad=True) for _ in range(3))


def softmax(length: int, num_heads: int = 1) -> Work:
    """Compute causal softmax attention with torch's fused kernel: no L × L matrix."""
    q, k, v = inputs(length, num_heads)
    attend = torch.nn.functional.scaled_dot_product_attention
    return lambda: attend(q, k, v, is_causal=True)


def softmax_matrix(length: int, num_heads: int = 1) -> Work:
    """Run causal softmax attention as the formula reads, with all L × L weights."""
    q, k, v = inputs(length, num_heads)

    def run() -> torch.Tensor:
        later = torch.ones(length, length, dtype=torch.bool).triu(1)
        scores = (q @ k.mT / HEAD_DIM**0.5).masked_fill(later, -torch.inf)
        return torch.softmax(scores, dim=-1) @ v

    return run


def linear(length: int, num_heads: int = 1) -> Work:
    """Let all queries attend to all keys with two products."""
    q, k, v = inputs(length, num_heads)
    return lambda: linear_attention(q, k, v)


def linear_causal(length: int, num_heads: int = 1) -> Work:
    """Run the chunked form, which `linear_attention` uses when causal."""
    q, k, v = inputs(length, num_heads)
    return lambda: linear_attention(q, k, v, causal=True)


def alibi_decay(length: int, num_heads: int = 1) -> Work:
    """Run the chunked form with ALiBi's slopes as a decay of the state."""
    q, k, v = inputs(length, num_heads)
    decay = torch.exp(-(2.0 ** -torch.arange(1, num_heads + 1)))
    return lambda: linear_attention(q, k, v, causal=True, decay=decay)


def rotated(length: int, num_heads: int = 1) -> Work:
    """Run the causal form with rotated features in the numerator."""
    q, k, v = inputs(length, num_heads)
    angles = rotary_angles(torch.arange(length, dtype=torch.float32), HEAD_DIM)
    return lambda: linear_attention(q, k, v, causal=True, angles=angles)


def toeplitz_fft(length: int, num_heads: int = 1) -> Work:
    """Apply any bias of the offset, in both directions, by fast Fourier transforms."""
    q, k, v = inputs(length, num_heads)
    bias = torch.randn(2 * length - 1)
    return lambda: toeplitz_linear_attention(q, k, v, bias)


def recurrent(length: int, num_heads: int = 1) -> Work:
    """Process one token after the other."""
    q, k, v = inputs(length, num_heads)
    return lambda: recurrent_form(q, k, v)


def products(length: int, num_heads: int = 1) -> Work:
    """Run the four matrix products of each chunk."""
    q, k, v = inputs(length, num_heads)
    state = torch.zeros(1, num_heads, HEAD_DIM, HEAD_DIM)

    def run() -> None:
        for start in range(0, length, BOUND_CHUNK):
            a, b, c = (x[..., start : start + BOUND_CHUNK, :] for x in (q, k, v))
            _ = (a @ b.mT) @ c, a @ state, b.mT @ c

    return run


def split_loop(
    length: int, num_heads: int, dtype: torch.dtype, *, causal: bool
) -> Work:
    """Write the same sums as a loop over chunks of `split` with a running state.

    Half precision is widened to float32 chunk by chunk, as ours is. There is no check,
    and a denominator of zero is not looked for.
    """
    q, k, v = (x.detach().to(dtype).requires_grad_() for x in inputs(length, num_heads))
    within = torch.ones(CHUNK_SIZE, CHUNK_SIZE).tril()

    def lift(x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.elu(x.float()) + 1

    def read(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return a.mT @ b.float(), a.sum(dim=-2).unsqueeze(-1)

    def run() -> torch.Tensor:
        queries, keys, values = (x.split(CHUNK_SIZE, dim=-2) for x in (q, k, v))
        sums = torch.zeros(()), torch.zeros(())
        outputs = []
        if not causal:
            for b, c in zip(keys, values, strict=True):
                sums = tuple(x + y for x, y in zip(sums, read(lift(b), c), strict=True))
            for a in map(lift, queries):
                outputs.append(((a @ sums[0]) / (a @ sums[1])).to(dtype))
            return torch.cat(outputs, dim=-2)
        for a, b, c in zip(map(lift, queries), map(lift, keys), values, strict=True):
            weights = (a @ b.mT) * within
            top, bottom = weights @ c.float(), weights.sum(dim=-1, keepdim=True)
            if outputs:
                top, bottom = top + a @ sums[0], bottom + a @ sums[1]
            outputs.append((top / bottom).to(dtype))
            sums = tuple(x + y for x, y in zip(sums, read(b, c), strict=True))
        return torch.cat(outputs, dim=-2)

    return training(run, q, k, v)


def ours(length: int, num_heads: int, dtype: torch.dtype, *, causal: bool) -> Work:
    """Run `linear_attention`, forward and backward."""
    q, k, v = (x.detach().to(dtype).requires_grad_() for x in inputs(length, num_heads))
    return training(lambda: linear_attention(q, k, v, causal=causal), q, k, v)


def training(run: Work, *leaves: torch.Tensor) -> Work:
    """Return `run` with the gradients of the sum of its result."""

    def both() -> None:
        with torch.enable_grad():
            torch.autograd.grad(run().sum(), leaves)

    return both


def train() -> dict[str, Any]:
    """Time forward and backward against `split_loop`, on one thread.

    Lengths of chunks are compared at 4,096 tokens.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    times: dict[str, Any] = {}
    for dtype in (torch.float32, torch.bfloat16):
        for length in (4096, 8192, 16384):
            candidates = {
                f"{name}_{kind}": make(length, HEADS, dtype, causal=kind == "causal")
                for kind in ("causal", "all_keys")
                for name, make in (("split_loop", split_loop), ("ours", ours))
            }
            name = str(dtype).removeprefix("torch.")
            row = round_robin(candidates, repeats=5, warm_up=1)
            times.setdefault(name, {})[length] = row
            show(f"training, {name}, L = {length}", row, bound="split_loop_causal")
    torch.set_num_threads(threads)
    return times


def chunk_sizes() -> dict[str, Any]:
    """Time the chunked form by size of chunk, forward alone and with backward."""
    q, k, v = inputs(4096, HEADS)
    forward = {
        str(size): partial(linear_attention, q, k, v, causal=True, chunk_size=size)
        for size in (32, 64, 128, 256)
    }
    both = {size: training(run, q, k, v) for size, run in forward.items()}
    times = {}
    for name, candidates in (("forward", forward), ("training", both)):
        times[name] = round_robin(candidates, repeats=7)
        show(f"chunks, {name}", times[name], bound="128")
    return times


def decode() -> dict[str, Any]:
    """Time one token after 4,096: the state, against fused softmax and its cache."""
    q, k, v = inputs(4096, HEADS)
    state = linear_attention_with_state(q, k, v)[1]
    new = [x[..., -1:, :] for x in (q, k, v)]
    attend = torch.nn.functional.scaled_dot_product_attention
    candidates: dict[str, Work] = {
        "ours": lambda: linear_attention_with_state(*new, state),
        "softmax": lambda: attend(new[0], k, v),
    }
    times = round_robin(candidates, repeats=200, warm_up=20)
    show("one token after 4,096", times, bound="ours")
    return times


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
    """Time the causal forms for all heads at two lengths; `products` is the bound."""
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
    return {
        "settings": settings | {"chunk_size": CHUNK_SIZE},
        "milliseconds": times,
        "training": train(),
        "chunk_sizes": chunk_sizes(),
        "decode": decode(),
    }


if __name__ == "__main__":
    main(__file__, __doc__, measure, CURVES, LENGTHS, longest=LONGEST, seed=SEED)
