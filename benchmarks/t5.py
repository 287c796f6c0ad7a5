"""Cost of the T5 bias: building it, and attending with it. ``python benchmarks/t5.py``.

The bound is one write of the matrix, into fresh memory like all the others.
"""

import torch
from record import keep_memory, peer, round_robin, save, show

from posenc.t5 import relative_position_bias, relative_position_bias_full

NUM_HEADS, HEAD_DIM, NUM_BUCKETS, SEED = 8, 64, 32, 0


def measure(seq_len: int) -> dict[str, dict[str, float]]:
    """Return times for one sequence length, in milliseconds."""
    table = torch.randn(NUM_BUCKETS, NUM_HEADS)
    q, k, v = torch.randn(3, 1, NUM_HEADS, seq_len, HEAD_DIM)
    attend = torch.nn.functional.scaled_dot_product_attention

    def with_bias() -> torch.Tensor:
        # The fused kernel needs the batch axis, too.
        bias = relative_position_bias(table, seq_len, seq_len)[None]
        return attend(q, k, v, attn_mask=bias, scale=1.0)

    candidates = {
        "write": lambda: torch.empty(NUM_HEADS, seq_len, seq_len).fill_(1.0),
        "distinct": lambda: relative_position_bias(table, seq_len, seq_len),
        "full": lambda: relative_position_bias_full(table, seq_len, seq_len),
        "attention": lambda: attend(q, k, v, scale=1.0),
        "attention_with_bias": with_bias,
    }
    if t5 := peer("transformers.models.t5.modeling_t5"):
        config = peer("transformers").T5Config(num_heads=NUM_HEADS, d_kv=HEAD_DIM)
        layer = t5.T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
        candidates["transformers"] = lambda: layer.compute_bias(seq_len, seq_len)
        candidates["transformers_contiguous"] = lambda: layer.compute_bias(
            seq_len, seq_len
        ).contiguous()
    return round_robin(candidates, repeats=9 if seq_len >= 2048 else 25)


def main() -> None:
    """Measure all lengths and write ``book/data/bench_t5.json``."""
    torch.manual_seed(SEED)
    torch.set_grad_enabled(False)
    results = {}
    for seq_len in (128, 256, 512, 1024, 2048, 4096):
        results[seq_len] = measure(seq_len)
        show(f"L = {seq_len}", results[seq_len], bound="write")
    settings = {
        "num_heads": NUM_HEADS,
        "head_dim": HEAD_DIM,
        "num_buckets": NUM_BUCKETS,
    }
    save("t5", {"settings": settings, "milliseconds": results}, seed=SEED)


if __name__ == "__main__":
    keep_memory()
    main()
