"""Cost of the T5 bias: building it, and attending with it. ``python benchmarks/t5.py``.

Fresh outputs of 32 MiB or more are bound by page faults, which would hide the work
itself; so every candidate, the plain write included, makes a fresh output.
"""

import torch
from record import round_robin, save

from posenc.t5 import relative_position_bias, relative_position_bias_full

NUM_HEADS, HEAD_DIM, NUM_BUCKETS, SEED = 8, 64, 32, 0


def measure(seq_len: int) -> dict[str, dict[str, float]]:
    """Times for one sequence length, in milliseconds."""
    table = torch.randn(NUM_BUCKETS, NUM_HEADS)
    q, k, v = torch.randn(3, 1, NUM_HEADS, seq_len, HEAD_DIM)
    attend = torch.nn.functional.scaled_dot_product_attention

    def write() -> torch.Tensor:
        return torch.empty(NUM_HEADS, seq_len, seq_len).fill_(1.0)

    def with_bias() -> torch.Tensor:
        bias = relative_position_bias(table, seq_len, seq_len)[
            None
        ]  # fused needs 4 axes
        return attend(q, k, v, attn_mask=bias, scale=1.0)

    return round_robin(
        {
            "write": write,
            "distinct": lambda: relative_position_bias(table, seq_len, seq_len),
            "full": lambda: relative_position_bias_full(table, seq_len, seq_len),
            "attention": lambda: attend(q, k, v, scale=1.0),
            "attention_with_bias": with_bias,
        },
        repeats=9 if seq_len >= 2048 else 25,
    )


def main() -> None:
    """Measure all lengths and write ``book/data/bench_t5.json``."""
    torch.manual_seed(SEED)
    torch.set_grad_enabled(False)
    results = {}
    for seq_len in (128, 256, 512, 1024, 2048, 4096):
        results[seq_len] = measure(seq_len)
        line = "  ".join(f"{k} {v['median']:.2f}" for k, v in results[seq_len].items())
        print(f"L = {seq_len}: {line} ms")
    settings = {
        "num_heads": NUM_HEADS,
        "head_dim": HEAD_DIM,
        "num_buckets": NUM_BUCKETS,
    }
    print(save("bench_t5", {"settings": settings, "milliseconds": results}, seed=SEED))


if __name__ == "__main__":
    main()
