"""Cost of TITLE: ``python benchmarks/SLUG.py``.

The bound is one write of the result, into fresh memory like the others.
"""

import torch
from record import keep_memory, round_robin, save, show

from posenc.SLUG import scaled_position

LENGTHS, SEED = (1024, 65536), 0


def measure(seq_len: int) -> dict[str, dict[str, float]]:
    """Times for one sequence length, in milliseconds."""
    positions = torch.arange(float(seq_len))
    candidates = {
        "write": lambda: torch.empty(seq_len).fill_(1.0),
        "scaled": lambda: scaled_position(positions, scale=0.5),
    }
    times = round_robin(candidates)
    show(f"L = {seq_len}", times, bound="write")
    return times


def main() -> None:
    """Measure all lengths and write ``book/data/bench_SLUG.json``."""
    keep_memory()
    results = {"milliseconds": {length: measure(length) for length in LENGTHS}}
    save("SLUG", results, seed=SEED)


if __name__ == "__main__":
    main()
