"""One right call of every public function and module, and values that are refused."""

import numpy as np

POSITIONS = np.arange(6.0)
OPTIONS = {"base": 100.0, "layout": "half", "frequencies": "paper"}
X = np.ones((2, 6, 4))

FUNCTIONS = {
    "normalized_position": {"positions": POSITIONS, "seq_len": 6},
    "binary_encoding": {"positions": np.arange(6), "num_bits": 5},
    "continuous_binary_encoding": {"positions": POSITIONS, "d_model": 4},
    "geometric_sine_encoding": {"positions": POSITIONS, "d_model": 4, "base": 100.0},
    "sinusoidal_encoding": {"positions": POSITIONS, "d_model": 4, **OPTIONS},
    "sinusoidal_table": {
        "seq_len": 6,
        "d_model": 4,
        **OPTIONS,
        "offset": 2,
        "xp": np,
        "dtype": None,
        "device": None,
    },
}
CALLED = {"x": X, "positions": np.arange(6), "offset": 1}
MODULES = {
    "LearnedEncoding": ({"max_len": 40, "d_model": 4}, CALLED),
    "SinusoidalEncoding": ({"d_model": 4, **OPTIONS}, CALLED),
}

REAL = (
    "normalized_position continuous_binary_encoding geometric_sine_encoding "
    "sinusoidal_encoding"
)
NO_POSITIONS, LONG = {"positions": None, "offset": 0}, np.ones((2, 41, 4))
OF_ROWS = r"offset \+ seq_len must be at most max_len = 40, got 41: a learned table"
REFUSED = [
    (REAL, {"positions": np.asarray([[0.0, np.nan]])}, "positions must be finite, got"),
    (
        "sinusoidal_encoding sinusoidal_table SinusoidalEncoding",
        {"d_model": 7},
        "d_model must be even, got 7: sines and cosines",
    ),
    ("binary_encoding", {"num_bits": 64}, "num_bits must be at most 63, got 64"),
    ("binary_encoding", {"positions": np.asarray([0, 32])}, "in 0 … 31, got 32: raise"),
    ("LearnedEncoding", NO_POSITIONS | {"x": LONG}, OF_ROWS),
    ("LearnedEncoding", {"positions": np.full(6, 40)}, "positions .* 0 … 39, got 40"),
    (
        "LearnedEncoding SinusoidalEncoding",
        {"positions": np.zeros((3, 6), int)},
        r"axes of positions must broadcast to \(2,\)",
    ),
]
