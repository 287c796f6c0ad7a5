"""One right call of every public function and module, and values that are refused."""

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

SCORES = "position_scores attention_scores attention_scores_blocked relative_attention"
LOCAL = "local_attention local_position_scores"
OTHER_LENGTH = {"causal": False, "k": np.ones((2, 7, 4)), "v": np.ones((2, 7, 4))}
AS_LONG = "k_len must be seq_len = 6 if not causal"
CAUSAL, BOTH_SIDES = {"causal": True}, {"causal": False}
REFUSED = [
    ("skew", {"scores": np.ones((2, 4, 3))}, r"as many columns as rows .* \(2, 4, 3\)"),
    ("skew_unmasked", {"scores": np.ones((4, 8))}, r"2 \* seq_len - 1 = 7 columns, "),
    ("skew_unmasked", {"scores": np.ones((0, 1))}, "= 0 columns"),
    ("skew skew_unmasked", {"scores": np.ones(3)}, r"scores must have shape .* \(3,\)"),
    (SCORES, CAUSAL | {"table": TABLE[:5]}, "table must have at least 6 rows"),
    (SCORES, BOTH_SIDES | {"table": TABLE[:9]}, "table must have at least 11 rows"),
    (SCORES, BOTH_SIDES | {"table": TABLE[:12]}, "table must have an odd .* got 12"),
    ("position_scores", {"k_len": 5}, "at least 6, got 5: the queries are"),
    ("position_scores", {"k_len": 7, "causal": False}, AS_LONG),
    ("relative_attention", OTHER_LENGTH | {"mask": None}, AS_LONG),
    (LOCAL, {"block": 4}, "divide seq_len = 6, got 4: pad the"),
    (LOCAL, {"table": TABLE[:3]}, "table must have at least 4 rows"),
    ("MusicGlobalAttention", {"causal": False}, "past and use_cache need causal=True"),
    ("MusicGlobalAttention", {"max_len": 5}, "table must have at least 6 rows"),
]
