"""Cost of relative logits with vectors. ``python benchmarks/shaw.py [--quick]``.

The bound is two matrix products, ``q @ k.T`` and ``q @ table.T``; no form can do with
less. Curves over length are measured one process each, for one head. With ``--memory``
nothing is measured but the memory at one length, for one head and for eight, and with
``--again forward LENGTH`` (or ``backward``) nothing but the curves at that length; the
rest of the record stays.
"""

import json
import os
import statistics
import subprocess
import sys
from functools import partial
from typing import Any

import torch
from record import ALLOCATOR, DATA, Work, alone, machine, main, round_robin, show

from posenc import music_transformer, shaw

#: At 4,096 tokens a tensor of L × L × 64 numbers is as large as the threshold of the
#: other benchmarks: it would be faulted in anew, page by page, by every call.
ALLOCATOR.update(dict.fromkeys(ALLOCATOR, str(2**40)))
RECORD = DATA / "bench_shaw.json"
SHAPE, CLIP, SEED = (1, 8, 2048, 64), 16, 0
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)
LONGEST = {"batched": 4096, "broadcast": 2048}  # they make L × L × 64 numbers


def tensors(length: int, num_heads: int = 1) -> tuple[torch.Tensor, ...]:
    """Return queries, keys, a causal table and a clipped table, all of them leaves."""
    torch.manual_seed(SEED)
    shapes = (
        (1, num_heads, length, SHAPE[-1]),
        (1, num_heads, length, SHAPE[-1]),
        (length, SHAPE[-1]),
        (2 * CLIP + 1, SHAPE[-1]),
    )
    return tuple(torch.randn(shape, requires_grad=True) for shape in shapes)


def skewed(length: int, num_heads: int = 1) -> Work:
    """Skew as the Music Transformer does: pad, reshape, slice."""
    q, k, table, _ = tensors(length, num_heads)
    return lambda: music_transformer.attention_scores(q, k, table)


def skewed_in_blocks(length: int, num_heads: int = 1) -> Work:
    """Run the scores of `skewed`, 128 rows at a time."""
    q, k, table, _ = tensors(length, num_heads)
    return lambda: music_transformer.attention_scores_blocked(q, k, table)


def clipped(length: int, num_heads: int = 1) -> Work:
    """Compute Shaw's scores with clipping: a band and two constants a row."""
    q, k, _, table = tensors(length, num_heads)
    return lambda: shaw.attention_scores(q, k, table)


def clipped_in_blocks(length: int, num_heads: int = 1) -> Work:
    """Run the scores of `clipped`, a block of rows at a time."""
    q, k, _, table = tensors(length, num_heads)
    return lambda: shaw.attention_scores_blocked(q, k, table)


def broadcast(length: int, num_heads: int = 1) -> Work:
    """Compute Shaw's formula literally: a product of vectors per query and key."""
    q, k, _, table = tensors(length, num_heads)
    return lambda: q @ k.mT + shaw.position_scores_broadcast(q, table, length)


def batched(length: int, num_heads: int = 1) -> Work:
    """Compute Shaw's scores as in tensor2tensor: one product a query position."""
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
#: The same with all heads of `SHAPE`, for the table of memory alone: no curves.
IN_HEADS = {
    f"{name}_in_heads": partial(make, num_heads=SHAPE[1])
    for name, make in MAKERS.items()
}
ALL = MAKERS | IN_HEADS
LONGEST.update(dict.fromkeys(IN_HEADS, 0))


def memory(repeats: int = 3) -> dict[str, Any]:
    """Return the peak beyond the inputs at one length, forward, in MiB."""
    length = SHAPE[2]
    peaks: dict[str, dict[str, float]] = {}
    for name in MAKERS:
        for heads, candidate in ((1, name), (SHAPE[1], f"{name}_in_heads")):
            runs = [_peak(candidate, length) for _ in range(repeats)]
            peaks.setdefault(name, {})[str(heads)] = statistics.median(runs)
        print(f"  memory {name}: {peaks[name]}", flush=True)
    settings = {"length": length, "head_dim": SHAPE[3], "clip": CLIP}
    return {"settings": settings, "machine": machine(), "mib": peaks}


def _peak(name: str, length: int) -> float:
    """Measure memory alone: one process, with the default allocator."""
    command = [sys.executable, __file__, "--alone", name, str(length)]
    plain = {k: v for k, v in os.environ.items() if k not in ALLOCATOR}
    peak: float = json.loads(subprocess.check_output(command, env=plain))["mib"]
    return peak


def replace_memory() -> None:
    """Measure the memory again, and leave the rest of the record as it is."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    record["results"]["memory"] = memory()
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def replace_row(direction: str, length: str) -> None:
    """Measure all forms at one length again, and leave the rest of the record."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    row = record["results"]["scaling"][direction][length]
    for name, old in row.items():
        row[name] = alone(__file__, name, int(length), backward=direction == "backward")
        print(f"  {direction} {length} {name}: {old} is now {row[name]}", flush=True)
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def measure() -> dict[str, Any]:
    """Measure all forms but the plainest: it needs too much memory at this size."""
    heads, length = SHAPE[1], SHAPE[2]
    q, k, table, _ = tensors(length, heads)
    candidates: dict[str, Work] = {
        "two_products": lambda: (q @ k.mT, q @ table.mT),
        **{n: make(length, heads) for n, make in MAKERS.items() if n != "broadcast"},
    }
    times = round_robin(candidates, repeats=9)
    show(f"logits for {SHAPE}", times, bound="two_products")
    return {
        "settings": {"shape": SHAPE, "clip": CLIP},
        "milliseconds": times,
        "memory": memory(),
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["--memory"]:
        replace_memory()
    elif sys.argv[1:2] == ["--again"]:
        replace_row(*sys.argv[2:])
    else:
        main(__file__, __doc__, measure, ALL, LENGTHS, longest=LONGEST, seed=SEED)
