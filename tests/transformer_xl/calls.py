"""One right call of every public function and module, and values that are refused."""

import numpy as np

Q, K, V = (np.linspace(-1.0, 1.0, 48).reshape(2, 6, 4) + n for n in (0.0, 0.5, 1.0))
R, BIAS = K[0] - 1, np.ones(4)
SCORES = {"q": Q, "k": K, "r": R, "u": BIAS, "v": BIAS + 1}
MASK = np.ones((6, 6), dtype=bool)

FUNCTIONS = {
    "relative_shift": {"scores": Q @ Q.mT},
    "relative_shift_padded": {"scores": Q @ Q.mT},
    "position_scores": {"q": Q, "r": R, "v": BIAS},
    "attention_scores": SCORES,
    "score_terms": SCORES,
    "relative_attention": {
        **{"q": Q, "k": K, "v": V, "r": R},
        "content_bias": BIAS,
        "position_bias": BIAS,
        "mask": MASK,
    },
}
MODS = {"score_mod": SCORES | {"q": Q[None], "k": K[None]}}
MODULES = {
    "TransformerXLAttention": (
        {"d_model": 4, "num_heads": 2, "clamp_len": 3},
        {"hidden": Q, "memory": None, "mask": MASK, "past": None, "use_cache": True},
    ),
    "TransformerXLLayer": (
        {"d_model": 4, "num_heads": 2, "d_inner": 8, "clamp_len": 3},
        {"hidden": Q, "memory": None, "mask": MASK},
    ),
    "TransformerXL": (
        {
            **{"num_layers": 1, "d_model": 4, "num_heads": 2},
            "d_inner": 8,
            "memory_len": 2,
            "clamp_len": 3,
            "same_length": True,
        },
        {"hidden": Q, "memory": None},
    ),
}

SHIFTS, TERMS = "relative_shift relative_shift_padded", "attention_scores score_terms"
MODEL = "TransformerXL"
REFUSED = [
    (SHIFTS, {"scores": np.ones((2, 4, 3))}, r"k_len >= q_len.*got"),
    (SHIFTS, {"scores": np.ones(3)}, r"scores must have shape .* \(3,\)"),
    (TERMS, {"r": np.ones((7, 4))}, "as many keys as distances in r"),
    (TERMS, {"r": R[1:], "k": K[:, 1:]}, "r must have k_len >= q_len"),
    (TERMS, {"r": np.ones((3, 6, 4))}, "leading axes of r must broadcast"),
    (TERMS, {"v": np.ones((3, 4))}, "leading axes of v must broadcast"),
    ("*", {"num_heads": 3}, "a multiple of num_heads = 3, got 4"),
    ("*", {"d_model": 3, "num_heads": 3}, "d_model must be even"),
    (MODEL, {"memory_len": 0}, "at least 1 with same_length, got 0"),
]
