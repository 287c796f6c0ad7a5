"""One right call of every public function and module, and values that are refused."""

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

NO_NUMBERS = np.full((2, 6), np.nan)
REFUSED = [
    ("*", {"max_scale": 0.9}, "max_scale .* at least 1, got 0.9: positions"),
    ("*", {"positions": NO_NUMBERS}, "positions must be finite, got nan: mark"),
    ("augmented_positions", {"positions": np.arange(6)}, "must hold floating-point"),
    ("augmented_positions", {"positions": NO_NUMBERS, "mask": None}, "finite, got nan"),
    ("CapeEncoding", {"d_model": 5}, "d_model must be even"),
    ("CapeEncoding", {"x": np.ones((2, 6, 6))}, r"x must have shape \(..., seq_len, 4"),
]
