"""Cost of relative logits with vectors. ``python benchmarks/shaw.py [--quick]``.

The bound is two matrix products, ``q @ k.T`` and ``q @ table.T``; no form can do with
less. Curves over length are measured one process each, for one head.
"""

from typing import Any

import torch
from record import Work, main, round_robin, show

from posenc import music_transformer, shaw

SHAPE, CLIP, SEED = (1, 8, 2048, 64), 16, 0
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)
LONGEST = {"batched": 4096, "broadcast": 2048}  # they make L × L × 64 numbers


def tensors(length: int, num_heads: int = 1) -> tuple[torch.Tensor, ...]:
    """Queries, keys, a causal table and a clipped table, all of them leaves."""
    torch.manual_seed(SEED)
    shapes = (
        (1, num_heads, length, SHAPE[-1]),
        (1, num_heads, length, SHAPE[-1]),
        (length, SHAPE[-1]),
        (2 * CLIP + 1, SHAPE[-1]),
    )
    return tuple(torch.randn(shape, requires_grad=True) for shape in shapes)


def skewed(length: int, num_heads: int = 1) -> Work:
    """Music Transformer: pad, reshape, slice."""
    q, k, table, _ = tensors(length, num_heads)
    return lambda: music_transformer.attention_scores(q, k, table)


def skewed_in_blocks(length: int, num_heads: int = 1) -> Work:
    """The same, 128 rows at a time."""
    q, k, table, _ = tensors(length, num_heads)
    return lambda: music_transformer.attention_scores_blocked(q, k, table)


def clipped(length: int, num_heads: int = 1) -> Work:
    """Shaw with clipping: a band and two constants a row."""
    q, k, _, table = tensors(length, num_heads)
    return lambda: shaw.attention_scores(q, k, table)


def clipped_in_blocks(length: int, num_heads: int = 1) -> Work:
    """The same, a block of rows at a time."""
    q, k, _, table = tensors(length, num_heads)
    return lambda: shaw.attention_scores_blocked(q, k, table)


def broadcast(length: int, num_heads: int = 1) -> Work:
    """Shaw as the formula reads: a product of vectors for every query and key."""
    q, k, _, table = tensors(length, num_heads)
    return lambda: q @ k.mT + shaw.position_scores_broadcast(q, table, length)


def batched(length: int, num_heads: int = 1) -> Work:
    """Shaw as in tensor2tensor: one product a query position."""
    q, k, _, table = tensors(length, num_heads)
    return lambda: q @ k.mT + shaw.position_scores_batched(q, table, length)


MAKERS = {
    "skew": skewed,
    "blocked_skew": skewed_in_blocks,
    "clipped": clipped,
    "blocked_clipped": clipped_in_blocks,
    "batched": batched,
    "broadcast": broadcast,
}


def measure() -> dict[str, Any]:
    """All forms once, but the plainest: it needs too much memory at this size."""
    heads, length = SHAPE[1], SHAPE[2]
    q, k, table, _ = tensors(length, heads)
    candidates: dict[str, Work] = {
        "two_products": lambda: (q @ k.mT, q @ table.mT),
        **{n: make(length, heads) for n, make in MAKERS.items() if n != "broadcast"},
    }
    times = round_robin(candidates, repeats=9)
    show(f"logits for {SHAPE}", times, bound="two_products")
    return {"settings": {"shape": SHAPE, "clip": CLIP}, "milliseconds": times}


if __name__ == "__main__":
    main(__file__, __doc__, measure, MAKERS, LENGTHS, longest=LONGEST, seed=SEED)
