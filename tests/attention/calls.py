"""One right call of every public function and module, and values that are refused."""

import numpy as np

Q, K, V = (np.linspace(-1.0, 1.0, 48).reshape(2, 6, 4) + n for n in (0.0, 0.5, 1.0))
QKV = {"q": Q, "k": K, "v": V}
OPTIONS = {"scale": 0.5, "bias": np.ones((6, 6)), "mask": np.tril(np.ones((6, 6))) > 0}

FUNCTIONS = {
    "causal_mask": {"q_len": 6, "k_len": 6, "q_offset": 1, "xp": np, "device": None},
    "attention_weights": {"q": Q, "k": K, **OPTIONS},
    "scaled_dot_product_attention": {**QKV, **OPTIONS},
}
PLACES = {"q_offset": 0, "q_positions": np.arange(6), "k_positions": np.arange(6)}
MODS = {
    "causal_mask_mod": PLACES,
    "window_mask_mod": {"before": 2, "after": 1, **PLACES},
    "document_mask_mod": {
        "documents": np.asarray([0, 0, 1, 1, 1, 2]),
        "k_documents": np.asarray([0, 0, 1, 1, 1, 2]),
    },
}
MODULES = {
    "MultiHeadAttention": (
        {"d_model": 4, "num_heads": 2},
        {
            "x": Q,
            "context": K,
            "bias": np.ones((6, 6)),
            "mask": OPTIONS["mask"],
            "past": None,
            "use_cache": True,
        },
    ),
}

BOTH = "attention_weights scaled_dot_product_attention"
REFUSED = [
    (BOTH, {"q": np.ones((2, 1, 4))}, "bias must broadcast to the scores' shape"),
    (
        BOTH,
        {"q": Q[..., :0], "k": K[..., :0], "scale": None},
        "head_dim must be at least 1",
    ),
    ("MultiHeadAttention", {"num_heads": 3}, "d_model must be a multiple of num_heads"),
]
