"""One right call of every public function and module: what tests of all of them use."""

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
