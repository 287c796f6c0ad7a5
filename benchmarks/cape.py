"""Cost of CAPE's encodings in training. ``python benchmarks/cape.py``.

The bound is adding a finished table to the input. All lengths are measured on one
thread: with two, a busy neighbor makes them wait for each other, and then the curve
shows the neighbor.
"""

import numpy as np
import torch
from record import keep_memory, round_robin, save, show

from posenc.cape import augmented_positions
from posenc.sinusoidal import sinusoidal_encoding

BATCH, D_MODEL, SEED = 8, 256, 0
LENGTHS = (128, 256, 512, 1024, 2048)
NOISE = {"max_global_shift": 5.0, "max_local_shift": 0.5, "max_scale": 1.03}


def add(seq_len: int) -> dict[str, dict[str, float]]:
    """Time several ways to add an encoding to a batch of sequences."""
    x = torch.randn(BATCH, seq_len, D_MODEL)
    positions = torch.arange(seq_len, dtype=torch.float64)
    batch = positions.expand(BATCH, seq_len)
    table = sinusoidal_encoding(positions, D_MODEL).to(x.dtype)
    rng = np.random.default_rng(SEED)

    def moved() -> torch.Tensor:
        places: torch.Tensor = augmented_positions(batch, rng=rng, **NOISE)
        return places

    times = round_robin(
        {
            "table": lambda: x + table,
            "sines": lambda: x + sinusoidal_encoding(positions, D_MODEL).to(x.dtype),
            "positions": moved,
            "cape": lambda: x + sinusoidal_encoding(moved(), D_MODEL).to(x.dtype),
        },
        repeats=7 if seq_len >= 1024 else 15,
    )
    show(f"L = {seq_len}", times, bound="table")
    return times


def main() -> None:
    """Measure all lengths and write ``book/data/bench_cape.json``."""
    torch.manual_seed(SEED)
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    results = {
        "settings": {"batch": BATCH, "d_model": D_MODEL, **NOISE},
        "milliseconds": {str(length): add(length) for length in LENGTHS},
    }
    save("cape", results, seed=SEED)


if __name__ == "__main__":
    keep_memory()
    main()
