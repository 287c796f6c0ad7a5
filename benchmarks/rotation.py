"""Cost of shifting a table: matrix, pairs, or anew. ``python benchmarks/rotation.py``.

The bound is one write of the shifted table. ``dense`` multiplies by the whole matrix,
which is mostly zeros; ``pairs`` turns each pair of features by itself, with one sine
and one cosine for each clock; ``anew`` computes the encoding at the new positions. The
matrix, the sines and the cosines are there before the clock starts, and no arguments
are checked. All on one thread: small tables are not worth a second one.
"""

import torch
from record import keep_memory, round_robin, save, show

from posenc.core import angles as _angles
from posenc.rope import rotary_factors
from posenc.rope.turns import rotate_table
from posenc.rotation import shift_operator
from posenc.sinusoidal import sinusoidal_encoding

SEQ_LEN, OFFSET, SEED = 512, 7, 0


def measure(d_model: int) -> dict[str, dict[str, float]]:
    """Return times for one number of features, in milliseconds."""
    positions = torch.arange(SEQ_LEN, dtype=torch.float32)
    table = sinusoidal_encoding(positions, d_model)
    matrix = shift_operator(OFFSET, d_model, xp=torch)
    theta = _angles.frequencies(d_model, xp=torch)
    back = rotary_factors(-(OFFSET * theta).to(torch.float32))  # clockwise
    candidates = {
        "write": lambda: torch.empty(SEQ_LEN, d_model).fill_(1.0),
        "dense": lambda: table @ matrix.T,
        "pairs": lambda: rotate_table(table, (back,), "interleaved"),
        "anew": lambda: sinusoidal_encoding(positions + OFFSET, d_model),
    }
    for name in ("dense", "pairs"):
        difference = (candidates[name]() - candidates["anew"]()).abs().max()
        assert difference < 1e-5, (name, difference)
    return round_robin(candidates, repeats=101 if d_model < 1024 else 41)


def main() -> None:
    """Measure all sizes and write ``book/data/bench_rotation.json``."""
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    results = {}
    for d_model in (64, 128, 256, 512, 1024, 2048, 4096):
        results[d_model] = measure(d_model)
        show(f"d = {d_model}", results[d_model], bound="write")
    settings = {"seq_len": SEQ_LEN, "offset": OFFSET}
    save("rotation", {"settings": settings, "milliseconds": results}, seed=SEED)


if __name__ == "__main__":
    keep_memory()
    main()
