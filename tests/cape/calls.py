"""One right call of every public function and module: what tests of all of them use."""

import numpy as np

MAXIMA = {"max_global_shift": 2.0, "max_local_shift": 0.5, "max_scale": 1.5}
MASK = np.ones((2, 6), dtype=bool)

FUNCTIONS = {
    "augmented_positions": {
        "positions": np.arange(12.0).reshape(2, 6),
        **MAXIMA,
        "rng": np.random.default_rng(0),
        "mask": MASK,
        "center": True,
    },
}
MODULES = {
    "CapeEncoding": (
        {"d_model": 4, **MAXIMA, "center": True, "base": 100.0, "rng": None},
        {"x": np.ones((2, 6, 4)), "positions": np.arange(6.0), "mask": MASK},
    ),
}
