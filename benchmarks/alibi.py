"""Cost of ALiBi: its bias, and attention with it. ``python benchmarks/alibi.py``.

The bound of the bias is one write of the matrix, that of attention is causal attention
without a bias. All lengths are measured on one thread: with two, a busy neighbor makes
them wait for each other, and then the curve shows the neighbor.
"""

import math

import torch
from record import keep_memory, peer, round_robin, save, show

from posenc.alibi import alibi_bias, alibi_bias_full, alibi_slopes
from posenc.attention import causal_mask

NUM_HEADS, HEAD_DIM, SEED = 8, 64, 0
LENGTHS = (128, 256, 512, 1024, 2048, 4096)


def build(seq_len: int) -> dict[str, dict[str, float]]:
    """Time the making of the bias, as a matrix and as one row per head."""
    options = {"xp": torch, "dtype": torch.float32}
    slopes = alibi_slopes(NUM_HEADS, **options)
    candidates = {
        "write": lambda: torch.empty(NUM_HEADS, seq_len, seq_len).fill_(1.0),
        "full": lambda: alibi_bias_full(NUM_HEADS, seq_len, seq_len, **options),
        "diagonals": lambda: alibi_bias(NUM_HEADS, seq_len, seq_len, **options),
        "row": lambda: slopes[:, None, None] * torch.arange(1.0 - seq_len, 1.0),
    }
    if bloom := peer("transformers.models.bloom.modeling_bloom"):
        mask = torch.ones(1, seq_len)
        candidates["bloom"] = lambda: bloom.build_alibi_tensor(
            mask, NUM_HEADS, torch.float32
        )
    times = round_robin(candidates, repeats=7 if seq_len >= 2048 else 25)
    show(f"bias, L = {seq_len}", times, bound="write")
    return times


def attend(seq_len: int) -> dict[str, dict[str, float]]:
    """Time causal attention, without a bias and with one."""
    q, k, v = torch.randn(3, 1, NUM_HEADS, seq_len, HEAD_DIM)
    attention = torch.nn.functional.scaled_dot_product_attention
    future = ~causal_mask(seq_len, seq_len, xp=torch)
    bias = alibi_bias(NUM_HEADS, seq_len, seq_len, xp=torch, dtype=torch.float32)
    masked = bias.masked_fill(future, -math.inf)[None]
    times = round_robin(
        {
            "none": lambda: attention(q, k, v, is_causal=True),
            "mask": lambda: attention(q, k, v, attn_mask=~future),
            "ready": lambda: attention(q, k, v, attn_mask=masked),
        },
        repeats=7 if seq_len >= 2048 else 25,
    )
    show(f"attention, L = {seq_len}", times, bound="none")
    return times


def main() -> None:
    """Measure all lengths and write ``book/data/bench_alibi.json``."""
    torch.manual_seed(SEED)
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    results = {
        "settings": {"num_heads": NUM_HEADS, "head_dim": HEAD_DIM},
        "milliseconds": {str(length): build(length) for length in LENGTHS},
        "attention": {str(length): attend(length) for length in LENGTHS},
    }
    save("alibi", results, seed=SEED)


if __name__ == "__main__":
    keep_memory()
    main()
