"""Cost of rotating queries. ``python benchmarks/rope.py``.

The bound is one copy of the queries. Angles, factors and tables of cosines are made
beforehand, for ours and for the others. The curves over length are those of
`LENGTHS`, with the other axes of `SHAPE`.
"""

import numpy as np
import torch
from record import keep_memory, peer, round_robin, save, show

from posenc.rope import (
    apply_rotary,
    apply_rotary_complex,
    apply_rotary_real,
    rotary_angles,
    rotary_factors,
)

SHAPE, SEED = (1, 16, 4096, 64), 0
LENGTHS = (128, 256, 512, 1024, 2048, 4096, 8192)


def main() -> None:
    """Measure and write ``book/data/bench_rope.json``."""
    torch.manual_seed(SEED)
    torch.set_grad_enabled(False)
    x = torch.randn(SHAPE)
    angles = rotary_angles(torch.arange(SHAPE[-2], dtype=torch.float32), SHAPE[-1])
    factors = rotary_factors(angles)
    x_numpy, angles_numpy = x.numpy(), angles.numpy()
    factors_numpy = rotary_factors(angles_numpy).astype(np.complex64)
    candidates = {
        "copy": lambda: x.clone(),
        "complex": lambda: apply_rotary_complex(x, factors),
        "from_angles": lambda: apply_rotary(x, angles),
        "real": lambda: apply_rotary_real(x, angles),
        "real_half": lambda: apply_rotary_real(x, angles, layout="half"),
        "numpy_complex": lambda: apply_rotary_complex(x_numpy, factors_numpy),
        "numpy_real": lambda: apply_rotary_real(x_numpy, angles_numpy),
    }
    half = torch.cat([angles, angles], dim=-1)
    cos, sin = half.cos()[None], half.sin()[None]
    if llama := peer("transformers.models.llama.modeling_llama"):
        key = x[:, :1, :1]  # its function rotates a key as well: give it next to none
        candidates["transformers"] = lambda: llama.apply_rotary_pos_emb(
            x, key, cos, sin
        )
    if embedding := peer("rotary_embedding_torch"):
        twice = angles.repeat_interleave(2, dim=-1)
        candidates["rotary-embedding-torch"] = lambda: embedding.apply_rotary_emb(
            twice, x
        )
    if other := peer("x_transformers.x_transformers"):
        candidates["x-transformers"] = lambda: other.apply_rotary_pos_emb(x, half[None])
    times = round_robin(candidates, repeats=25)
    show(f"x of shape {SHAPE}", times, bound="copy")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    lengths = {str(length): by_length(length) for length in LENGTHS}
    torch.set_num_threads(threads)
    results = {
        "settings": {"shape": SHAPE, "threads_of_lengths": 1},
        "milliseconds": times,
        "lengths": lengths,
    }
    save("rope", results, seed=SEED)


def by_length(length: int) -> dict[str, dict[str, float]]:
    """Times of the ways that the chapter draws, on one thread, for one length.

    With two threads a busy neighbor makes them wait for each other, at some lengths and
    not at others, and then the curve shows the neighbor.
    """
    x = torch.randn(*SHAPE[:2], length, SHAPE[-1])
    angles = rotary_angles(torch.arange(length, dtype=torch.float32), SHAPE[-1])
    factors = rotary_factors(angles)
    times = round_robin(
        {
            "copy": lambda: x.clone(),
            "complex": lambda: apply_rotary_complex(x, factors),
            "real": lambda: apply_rotary_real(x, angles),
        },
        repeats=25,
    )
    show(f"{length} tokens", times, bound="copy")
    return times


if __name__ == "__main__":
    keep_memory()
    main()
