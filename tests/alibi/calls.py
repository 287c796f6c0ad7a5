"""One right call of every public function and module, and values that are refused."""

import numpy as np

LIBRARY = {"xp": np, "dtype": None, "device": None}
BIAS = {
    **{"num_heads": 9, "q_len": 6, "k_len": 6, "q_offset": 1, "symmetric": True},
    **LIBRARY,
}
QKV = {name: np.linspace(-1.0, 1.0, 48).reshape(2, 6, 4) for name in "qkv"}

FUNCTIONS = {
    "alibi_slopes": {"num_heads": 3, **LIBRARY},
    "alibi_bias": BIAS,
    "alibi_bias_full": BIAS,
    "alibi_reach": {"slope": 0.5, "share": 0.5, "k_len": 9, "score_bound": 1.0},
    "alibi_bias_at": {
        "num_heads": 9,
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

NO_CACHE = "past and use_cache need symmetric=False, got symmetric=True"
REFUSED = [
    ("alibi_bias alibi_bias_full", {"q_offset": -1}, "it is k_len - q_len when"),
    ("alibi_reach", {"share": 1.0}, "share must be above 0 and below 1, got 1.0"),
    ("AlibiAttention", {"num_heads": 3}, r"q must have shape \(..., 3, q_len"),
    ("AlibiAttention", {"symmetric": True}, NO_CACHE),
    ("AlibiAttention", {"symmetric": True, "use_cache": False, "past": ()}, NO_CACHE),
]
