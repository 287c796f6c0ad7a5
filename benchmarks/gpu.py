"""Fused kernels with a bias, on a GPU: their support for it, and its cost.

``python benchmarks/gpu.py`` needs a GPU, and writes ``book/data/bench_gpu.json``.
"""

import statistics
import warnings
from collections.abc import Callable
from typing import Any

import torch
from record import save
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.flex_attention import flex_attention
from torch.nn.functional import scaled_dot_product_attention as fused

from posenc.alibi import score_mod as alibi_mod
from posenc.t5 import relative_position_bias, score_mod

SEED = 0
HEADS, HEAD_DIM, BUCKETS = 8, 64, 32
LENGTHS = (128, 512, 1024, 2048, 4096, 8192)
COMPILED = (2048, 8192)  # a kernel of FlexAttention for each: some seconds
KERNELS = {
    "flash": SDPBackend.FLASH_ATTENTION,
    "memory-efficient": SDPBackend.EFFICIENT_ATTENTION,
    "cuDNN": SDPBackend.CUDNN_ATTENTION,
}
DTYPES = {
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
}
TIMED = ("float32", "bfloat16")


def tokens(length: int, dtype: torch.dtype) -> list[torch.Tensor]:
    """Draw queries, keys and values of one sequence."""
    shape = (1, HEADS, length, HEAD_DIM)
    return [torch.randn(shape, device="cuda", dtype=dtype) for _ in range(3)]


def tried(kernel: str, dtype: str, bias: str) -> str:
    """Return a kernel's result with a bias: "right", "wrong", or "refused"."""
    q, k, v = (tensor.requires_grad_() for tensor in tokens(256, DTYPES[dtype]))
    table = torch.randn(BUCKETS, HEADS, device="cuda")
    matrix = relative_position_bias(table, 256, 256)[None].clone()
    if bias == "none":
        matrix = torch.zeros_like(matrix)
    if "float32" not in bias:
        matrix = matrix.to(DTYPES[dtype])
    learned = [q, matrix.requires_grad_()] if "trained" in bias else [q]
    scores = q.float() @ k.float().mT / HEAD_DIM**0.5 + matrix.float()
    expected = torch.softmax(scores, dim=-1) @ v.float()
    gradient = torch.randn_like(expected)
    pairs = [expected, *torch.autograd.grad(expected, learned, gradient)]
    try:
        with sdpa_kernel(KERNELS[kernel]):
            out = fused(q, k, v, attn_mask=None if bias == "none" else matrix)
            results = [out, *torch.autograd.grad(out, learned, gradient.to(out.dtype))]
    except RuntimeError:
        return "refused"
    worst = max(
        float((tensor.float() - other.float()).abs().max() / other.float().abs().max())
        for tensor, other in zip(results, pairs, strict=True)
    )
    return "right" if worst < 0.05 else "wrong"


def times(length: int, dtype: str) -> dict[str, dict[str, float]]:
    """Measure the milliseconds of attention, by how the bias is given."""
    q, k, v = tokens(length, DTYPES[dtype])
    table = torch.randn(BUCKETS, HEADS, device="cuda", dtype=DTYPES[dtype])
    bias = relative_position_bias(table, length, length)[None]
    candidates: dict[str, Callable[[], Any]] = {
        "without": lambda: fused(q, k, v),
        "matrix": lambda: fused(q, k, v, attn_mask=bias),
    }
    if dtype == "bfloat16" and length in COMPILED:
        flex: Callable[..., Any] = torch.compile(flex_attention, dynamic=False)
        t5, alibi = score_mod(table), alibi_mod(HEADS, device="cuda")
        candidates |= {
            "flex without": lambda: flex(q, k, v),
            "flex t5": lambda: flex(q, k, v, score_mod=t5),
            "flex alibi": lambda: flex(q, k, v, score_mod=alibi),
        }
    for run in candidates.values():
        for _ in range(3):
            run()
    milliseconds: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(15):
        for name, run in candidates.items():
            milliseconds[name].append(_milliseconds(run))
    rows = {}
    for name, values in milliseconds.items():
        low, median, high = statistics.quantiles(values, n=4)
        rows[name] = {"median": median, "low": low, "high": high}
    return rows


def _milliseconds(run: Callable[[], Any], calls: int = 10) -> float:
    """Measure a call on the GPU, by its own clock."""
    event: Callable[..., Any] = torch.cuda.Event
    start, end = event(enable_timing=True), event(enable_timing=True)
    start.record()
    for _ in range(calls):
        run()
    end.record()
    torch.cuda.synchronize()
    return float(start.elapsed_time(end)) / calls


def measure() -> dict[str, Any]:
    """Measure what the chapters on RoPE and T5 say about a GPU."""
    kernels = {
        f"{kernel}, {dtype}": {
            bias: tried(kernel, dtype, bias)
            for bias in ("none", "fixed", "trained", "fixed float32")
        }
        for kernel in KERNELS
        for dtype in DTYPES
    }
    milliseconds = {}
    for dtype in TIMED:
        for length in LENGTHS:
            milliseconds[f"{dtype}, {length}"] = row = times(length, dtype)
            medians = {name: round(timing["median"], 3) for name, timing in row.items()}
            print(dtype, length, medians, flush=True)
    return {
        "gpu": torch.cuda.get_device_name(),
        "settings": {"num_heads": HEADS, "head_dim": HEAD_DIM, "num_buckets": BUCKETS},
        "kernels": kernels,
        "milliseconds": milliseconds,
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # torch says why it refuses a kernel
    torch.manual_seed(SEED)
    results = measure()
    for kernel, row in results["kernels"].items():
        print(kernel, row)
    save("gpu", results, seed=SEED)
