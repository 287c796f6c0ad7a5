"""Cost of a sinusoidal table. ``python benchmarks/sinusoidal.py``.

The bound is one write of the table. ``usual`` is the code found in most projects:
angles in float32, whose error is reported beside its time.
"""

import math

import torch
from record import keep_memory, round_robin, save, show

from posenc.sinusoidal import sinusoidal_encoding, sinusoidal_table

SEQ_LEN, D_MODEL, SEED = 4096, 1024, 0


def usual() -> torch.Tensor:
    """Table with float32 angles, filled column by column."""
    table = torch.empty(SEQ_LEN, D_MODEL)
    steps = torch.arange(0, D_MODEL, 2).float()
    angles = torch.arange(SEQ_LEN).float()[:, None] * torch.exp(
        steps * (-math.log(10_000.0) / D_MODEL)
    )
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


def largest_error(table: torch.Tensor) -> float:
    """Largest distance from the table computed in float64 throughout."""
    positions = torch.arange(SEQ_LEN, dtype=torch.float64)
    exact = sinusoidal_encoding(positions, D_MODEL)
    return float((table.double() - exact).abs().max())


def main() -> None:
    """Measure and write ``book/data/bench_sinusoidal.json``."""
    positions = torch.arange(SEQ_LEN, dtype=torch.float32)
    candidates = {
        "write": lambda: torch.empty(SEQ_LEN, D_MODEL).fill_(1.0),
        "angle_addition": lambda: sinusoidal_table(SEQ_LEN, D_MODEL, xp=torch),
        "plain": lambda: sinusoidal_encoding(positions, D_MODEL),
        "numpy_angle_addition": lambda: sinusoidal_table(SEQ_LEN, D_MODEL),
        "usual": usual,
    }
    times = round_robin(candidates, repeats=25)
    show(f"table {SEQ_LEN} × {D_MODEL}", times, bound="write")
    errors = {
        name: largest_error(torch.as_tensor(candidates[name]()))
        for name in ("angle_addition", "plain", "usual")
    }
    print("largest errors:", errors)
    settings = {"seq_len": SEQ_LEN, "d_model": D_MODEL}
    results = {"settings": settings, "milliseconds": times, "largest_error": errors}
    save("sinusoidal", results, seed=SEED)


if __name__ == "__main__":
    keep_memory()
    main()
