"""Cost of relative logits with vectors. ``python benchmarks/shaw.py [--quick]``.

The bound is two matrix products, ``q @ k.T`` and ``q @ table.T``; no form can do with
less. Curves over length are measured one process each, for one head.
"""

import argparse

import torch
from record import Work, keep_memory, round_robin, run_alone, save, scaling, show

from posenc import music_transformer, shaw

SHAPE, CLIP, SEED = (1, 8, 2048, 64), 16, 0
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)
LONGEST = {"batched": 4096}  # it makes a tensor of L × L × 64 numbers


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


def batched(length: int, num_heads: int = 1) -> Work:
    """Shaw as in tensor2tensor: one product a query position."""
    q, k, _, table = tensors(length, num_heads)
    return lambda: q @ k.mT + shaw.position_scores_batched(q, table, length)


MAKERS = {
    "skew": skewed,
    "blocked_skew": skewed_in_blocks,
    "clipped": clipped,
    "batched": batched,
}


def main() -> None:
    """Measure and write ``book/data/bench_shaw.json``."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--alone", nargs=2, metavar=("NAME", "LENGTH"))
    parser.add_argument("--backward", action="store_true")
    parser.add_argument("--quick", action="store_true", help="no curves over length")
    options = parser.parse_args()
    if options.alone:
        name, length = options.alone
        run_alone(MAKERS[name], int(length), backward=options.backward)
        return
    torch.set_grad_enabled(False)
    heads, length = SHAPE[1], SHAPE[2]
    q, k, table, _ = tensors(length, heads)
    candidates: dict[str, Work] = {
        "two_products": lambda: (q @ k.mT, q @ table.mT),
        **{name: make(length, heads) for name, make in MAKERS.items()},
    }
    times = round_robin(candidates, repeats=9)
    show(f"logits for {SHAPE}", times, bound="two_products")
    results = {"settings": {"shape": SHAPE, "clip": CLIP}, "milliseconds": times}
    if not options.quick:
        results["scaling"] = scaling(__file__, MAKERS, LENGTHS, longest=LONGEST)
    save("shaw", results, seed=SEED)


if __name__ == "__main__":
    keep_memory()
    main()
