"""One right call of every public function and module: what tests of all of them use."""

import numpy as np

LIBRARY = {"xp": np, "dtype": None, "device": None}
BIAS = {
    **{"num_heads": 2, "q_len": 6, "k_len": 6, "q_offset": 1, "symmetric": True},
    **LIBRARY,
}
QKV = {name: np.linspace(-1.0, 1.0, 48).reshape(2, 6, 4) for name in "qkv"}

FUNCTIONS = {
    "alibi_slopes": {"num_heads": 3, **LIBRARY},
    "alibi_bias": BIAS,
    "alibi_bias_full": BIAS,
    "alibi_reach": {"slope": 0.5, "share": 0.5, "k_len": 9, "score_bound": 1.0},
    "alibi_bias_at": {
        "num_heads": 2,
        "q_positions": np.arange(6),
        "k_positions": np.arange(6),
        "symmetric": False,
        "dtype": None,
    },
}
MODS = {
    "score_mod": {
        "num_heads": 2,
        "symmetric": False,
        "q_offset": 0,
        "q_positions": np.arange(6),
        "k_positions": np.arange(6),
        "device": None,
    },
}
MODULES = {
    "AlibiAttention": (
        {"num_heads": 2, "symmetric": False},
        {
            **QKV,
            "mask": np.tril(np.ones((6, 6))) > 0,
            "q_offset": 0,
            "past": None,
            "use_cache": True,
        },
    ),
}
