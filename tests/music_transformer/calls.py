"""One right call of every public function and module: what tests of all of them use."""

import numpy as np

Q, K, V = (np.linspace(-1.0, 1.0, 48).reshape(2, 6, 4) + n for n in (0.0, 0.5, 1.0))
QKV = {"q": Q, "k": K, "v": V}
TABLE = np.linspace(-1.0, 1.0, 244).reshape(61, 4)
MASK = np.tril(np.ones((6, 6))) > 0

FUNCTIONS = {
    "position_scores": {"q": Q, "table": TABLE, "causal": True, "k_len": 6},
    "attention_scores": {"q": Q, "k": K, "table": TABLE, "causal": True},
    "attention_scores_blocked": {  # causal, it has garbage of its own
        **{"q": Q, "k": K, "table": TABLE, "causal": False},
        "rows": 2,
    },
    "relative_attention": {**QKV, "table": TABLE, "causal": True, "mask": MASK},
    "local_attention": {**QKV, "table": TABLE, "block": 2},
    "local_mask": {"num_blocks": 6, "block": 2, "xp": np, "device": None},
    "local_position_scores": {"q": Q, "table": TABLE, "block": 2},
    "skew": {"scores": Q @ Q.mT},
    "skew_unmasked": {"scores": np.ones((3, 5))},
}
MODS = {"score_mod": {"q": Q[None], "table": TABLE, "causal": True}}
MODULES = {
    "MusicGlobalAttention": (
        {"num_heads": 2, "head_dim": 4, "max_len": 40, "causal": True},
        {**QKV, "mask": MASK, "past": None, "use_cache": True},
    ),
    "MusicLocalAttention": (
        {"num_heads": 2, "head_dim": 4, "block": 2},
        {**QKV, "past": None, "use_cache": False},
    ),
}
