"""One right call of every public function and module: what tests of all of them use."""

import numpy as np

SETTING = {"bidirectional": True, "num_buckets": 8, "max_distance": 20}
BIAS = {
    "table": np.linspace(-1.0, 1.0, 16).reshape(8, 2),
    "q_len": 6,
    "k_len": 6,
    "bidirectional": True,
    "max_distance": 20,
    "q_offset": 1,
}

FUNCTIONS = {
    "bucket_starts": {**SETTING, "xp": np, "device": None},
    "relative_position_bucket": {"relative_position": np.arange(-9, 9), **SETTING},
    "relative_position_bias": BIAS,
    "relative_position_bias_full": BIAS,
    "relative_position_bias_at": {
        "table": BIAS["table"],
        "q_positions": np.arange(6),
        "k_positions": np.arange(6),
        "bidirectional": True,
        "max_distance": 20,
    },
}
MODS = {
    "score_mod": {
        "table": BIAS["table"],
        "bidirectional": True,
        "max_distance": 20,
        "q_offset": 0,
        "q_positions": np.arange(6),
        "k_positions": np.arange(6),
    },
}
MODULES = {
    "RelativePositionBias": (
        {"num_heads": 2, **SETTING},
        {"q_len": 6, "k_len": 6, "q_offset": 1},
    ),
}
