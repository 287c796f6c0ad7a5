"""Cost of a sinusoidal table. ``python benchmarks/sinusoidal.py``.

The bound is one write of the table. ``usual`` is the code found in most projects:
angles in float32, whose error is reported beside its time. The curve over length is of
the same four ways.
"""

import math

import torch
from record import Work, keep_memory, round_robin, save, show

from posenc.sinusoidal import sinusoidal_encoding, sinusoidal_table

SEQ_LEN, D_MODEL, SEED = 4096, 1024, 0
LENGTHS = (256, 1024, 4096, 16384)


def usual(seq_len: int) -> torch.Tensor:
    """Return a table with float32 angles, filled column by column."""
    table = torch.empty(seq_len, D_MODEL)
    steps = torch.arange(0, D_MODEL, 2).float()
    angles = torch.arange(seq_len).float()[:, None] * torch.exp(
        steps * (-math.log(10_000.0) / D_MODEL)
    )
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


def largest_error(table: torch.Tensor) -> float:
    """Return the largest distance from the table computed in float64 throughout."""
    positions = torch.arange(SEQ_LEN, dtype=torch.float64)
    exact = sinusoidal_encoding(positions, D_MODEL)
    return float((table.double() - exact).abs().max())


def ways(seq_len: int) -> dict[str, Work]:
    """Return the bound and the ways to make a table in torch, by name."""
    positions = torch.arange(seq_len, dtype=torch.float32)
    return {
        "write": lambda: torch.empty(seq_len, D_MODEL).fill_(1.0),
        "angle_addition": lambda: sinusoidal_table(seq_len, D_MODEL, xp=torch),
        "plain": lambda: sinusoidal_encoding(positions, D_MODEL),
        "usual": lambda: usual(seq_len),
    }


def main() -> None:
    """Measure and write ``book/data/bench_sinusoidal.json``."""
    candidates = ways(SEQ_LEN)
    candidates["numpy_angle_addition"] = lambda: sinusoidal_table(SEQ_LEN, D_MODEL)
    times = round_robin(candidates, repeats=25)
    show(f"table {SEQ_LEN} × {D_MODEL}", times, bound="write")
    errors = {
        name: largest_error(torch.as_tensor(candidates[name]()))
        for name in ("angle_addition", "plain", "usual")
    }
    print("largest errors:", errors)
    curve = {}
    for length in LENGTHS:
        curve[str(length)] = round_robin(ways(length), repeats=25)
        show(f"table {length} × {D_MODEL}", curve[str(length)], bound="write")
    results = {
        "settings": {"seq_len": SEQ_LEN, "d_model": D_MODEL},
        "milliseconds": times,
        "milliseconds_by_length": curve,
        "largest_error": errors,
    }
    save("sinusoidal", results, seed=SEED)


if __name__ == "__main__":
    keep_memory()
    main()
