"""One right call of every public function and module, and values that are refused."""

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

CAUSAL = {"bidirectional": False}
REFUSED = [
    ("*", {"num_buckets": 2}, "num_buckets must be an integer of at least 4, got 2"),
    ("*", {"num_buckets": 33}, "num_buckets must be even, got 33"),
    ("*", CAUSAL | {"num_buckets": 1}, "at least 2, got 1"),
    ("*", {"max_distance": 2}, "max_distance must be an integer of at least 3, got 2"),
    ("*", CAUSAL | {"max_distance": 4}, "max_distance must .* at least 5, got 4"),
    ("*", {"table": np.ones(8)}, r"table must have .* got shape \(8,\)"),
    ("*", {"table": np.ones((1, 8, 2))}, "exactly two axes"),
    ("relative_position_bias", {"q_offset": -1}, "it is k_len - q_len when"),
]
