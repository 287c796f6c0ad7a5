"""One right call of every public function and module, and values that are refused."""

import numpy as np

Q, K, V = (np.linspace(-1.0, 1.0, 48).reshape(2, 6, 4) + n for n in (0.0, 0.5, 1.0))
QKV = {"q": Q, "k": K, "v": V}
TABLE = np.linspace(-1.0, 1.0, 20).reshape(5, 4)
TABLES = {"key_table": TABLE, "value_table": TABLE + 1}
WEIGHTS = {"weights": np.full((2, 6, 6), 1 / 6), "value_table": TABLE, "q_offset": 0}
POSITION = {"q": Q, "key_table": TABLE, "k_len": 6, "q_offset": 0}
MASK = np.tril(np.ones((6, 6))) > 0

FUNCTIONS = {
    "relative_position_index": {
        "q_len": 6,
        "k_len": 6,
        "max_distance": 1,
        "q_offset": 1,
        "xp": np,
        "device": None,
    },
    "position_scores": POSITION,
    "position_scores_batched": POSITION,
    "position_scores_broadcast": POSITION,
    "position_values": WEIGHTS,
    "position_values_batched": WEIGHTS,
    "position_values_broadcast": WEIGHTS,
    "attention_scores": {"q": Q, "k": K, "key_table": TABLE, "q_offset": 0},
    "attention_scores_blocked": {
        **{"q": Q, "k": K, "key_table": TABLE, "q_offset": 0},
        "rows": 2,
    },
    "relative_attention": {**QKV, **TABLES, "mask": MASK, "q_offset": 0},
    "graph_attention": {
        **QKV,
        "labels": np.arange(36).reshape(6, 6) % 5,
        **TABLES,
        "mask": MASK,
    },
}
MODS = {
    "score_mod": {
        "q": Q[None],
        "key_table": TABLE,
        "q_offset": 0,
        "q_positions": np.arange(6),
        "k_positions": np.arange(6),
    },
}
MODULES = {
    "ShawAttention": (
        {"num_heads": 2, "head_dim": 4, "max_distance": 2, "share_heads": False},
        {**QKV, "mask": MASK, "q_offset": 0, "past": None, "use_cache": True},
    ),
}

SCORES = "position_scores position_scores_batched position_scores_broadcast"
VALUES = "position_values position_values_batched position_values_broadcast"
REFUSED = [
    (SCORES, {"key_table": TABLE[:4]}, "odd number of rows, .* got 4 rows"),
    (VALUES, {"value_table": TABLE[:0]}, "value_table must have an odd number"),
    (
        "attention_scores attention_scores_blocked",
        {"q": Q[:, :0], "key_table": TABLE[:4]},
        "key_table must have an odd number",
    ),
    ("position_scores", {"key_table": np.ones((4, 5, 4))}, r"axes of key_table .* \(2"),
    ("position_values", {"value_table": np.ones((3, 5, 4))}, "axes of value_table"),
    ("position_scores_batched", {"key_table": np.ones((2, 5, 4))}, "be shared by"),
    ("position_values_batched", {"value_table": np.ones((2, 5, 4))}, "be shared by"),
    ("relative_attention", {"value_table": np.ones((7, 4))}, "have equally many rows"),
    ("graph_attention", {"labels": np.full((6, 6), -1)}, "in 0 … 4, got -1"),
    ("graph_attention", {"labels": np.full((6, 6), 5)}, "in 0 … 4, got 5"),
    ("*", {"max_distance": -1}, "max_distance .* got -1: 0 gives a single"),
    ("relative_position_index", {"q_offset": -1}, "it is k_len - q_len when"),
]
