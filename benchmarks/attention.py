"""Cost of attention against length. ``python benchmarks/attention.py``.

The bound is the two matrix products that the formula asks for, q kᵀ and weights times
v, without scale and softmax.
"""

import torch
from record import keep_memory, round_robin, save, show

from posenc.attention import scaled_dot_product_attention

NUM_HEADS, HEAD_DIM, SEED = 8, 64, 0


def measure(seq_len: int) -> dict[str, dict[str, float]]:
    """Return times for one sequence length, in milliseconds."""
    q, k, v = torch.randn(3, 1, NUM_HEADS, seq_len, HEAD_DIM)
    weights = torch.softmax(q @ k.mT, -1)
    fused = torch.nn.functional.scaled_dot_product_attention
    candidates = {
        "products": lambda: (q @ k.mT, weights @ v),
        "plain": lambda: scaled_dot_product_attention(q, k, v),
        "fused": lambda: fused(q, k, v),
    }
    return round_robin(candidates, repeats=7 if seq_len >= 2048 else 15)


def main() -> None:
    """Measure all lengths and write ``book/data/bench_attention.json``."""
    torch.manual_seed(SEED)
    torch.set_grad_enabled(False)
    results = {}
    for seq_len in (128, 256, 512, 1024, 2048, 4096):
        results[seq_len] = measure(seq_len)
        show(f"L = {seq_len}", results[seq_len], bound="products")
    settings = {"num_heads": NUM_HEADS, "head_dim": HEAD_DIM}
    save("attention", {"settings": settings, "milliseconds": results}, seed=SEED)


if __name__ == "__main__":
    keep_memory()
    main()
