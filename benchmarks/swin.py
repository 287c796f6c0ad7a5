"""Cost of attention in windows against attention to all. ``python benchmarks/swin.py``.

The bound is one pass over the image: read every number, write it elsewhere.
"""

import torch
from record import keep_memory, round_robin, save, show

from posenc.swin import relative_position_bias, window_merge, window_partition

NUM_HEADS, HEAD_DIM, WINDOW, SEED = 4, 32, 8, 0
SIDES = (8, 16, 24, 32, 48, 64, 96)

attend = torch.nn.functional.scaled_dot_product_attention


def heads(x: torch.Tensor) -> torch.Tensor:
    """Reshape (windows, cells, d_model) to (windows, num_heads, cells, head_dim)."""
    return x.unflatten(-1, (NUM_HEADS, HEAD_DIM)).transpose(-3, -2)


def measure(side: int) -> dict[str, dict[str, float]]:
    """Return times for one square image, in milliseconds."""
    table = torch.randn((2 * WINDOW - 1) ** 2, NUM_HEADS)
    images = torch.randn(3, 1, side, side, NUM_HEADS * HEAD_DIM)

    def windows() -> torch.Tensor:
        bias = relative_position_bias(table, WINDOW, WINDOW)
        q, k, v = (
            heads(window_partition(x, WINDOW, WINDOW).flatten(0, 1)) for x in images
        )
        mixed = attend(q, k, v, attn_mask=bias[None])
        mixed = mixed.transpose(-3, -2).flatten(-2)[None]
        return window_merge(mixed, WINDOW, WINDOW, rows=side, columns=side)

    def everywhere() -> torch.Tensor:
        q, k, v = (heads(x.flatten(1, 2)) for x in images)
        return attend(q, k, v).transpose(-3, -2).flatten(-2)

    candidates = {
        "copy": lambda: images[0].clone(),
        "bias": lambda: relative_position_bias(table, WINDOW, WINDOW),
        "windows": windows,
        "global": everywhere,
    }
    return round_robin(candidates, repeats=7 if side >= 64 else 15)


def main() -> None:
    """Measure all sides and write ``book/data/bench_swin.json``."""
    torch.manual_seed(SEED)
    torch.set_grad_enabled(False)
    # A busy neighbor makes two threads wait for each other; then the curve shows that.
    torch.set_num_threads(1)
    results = {}
    for side in SIDES:
        results[side] = measure(side)
        show(f"{side} x {side} cells", results[side], bound="copy")
    settings = {"num_heads": NUM_HEADS, "head_dim": HEAD_DIM, "window": WINDOW}
    save("swin", {"settings": settings, "milliseconds": results}, seed=SEED)


if __name__ == "__main__":
    keep_memory()
    main()
