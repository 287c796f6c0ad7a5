"""One right call of every public function and module: what tests of all of them use."""

import numpy as np

from posenc.linear_attention import elu_plus_one

Q, K, V = (np.linspace(-1.0, 1.0, 48).reshape(2, 6, 4) + n for n in (0.0, 0.5, 1.0))
QKV = {"q": Q, "k": K, "v": V}
MASK = np.asarray([[True, True, True, True, False, False]])
OPTIONS = {
    "feature_map": elu_plus_one,
    "angles": np.linspace(0.0, 1.0, 12).reshape(6, 2),
    "layout": "half",
    "rotate_denominator": False,
    "decay": 0.9,
    "mask": MASK,
}
TOEPLITZ = {
    **{**QKV, "bias": np.linspace(0.5, 1.0, 11)},
    **{"feature_map": elu_plus_one, "mask": MASK},
}

FUNCTIONS = {
    "chunked_form": {**QKV, **OPTIONS, "chunk_size": 2},
    "recurrent_form": {**QKV, **OPTIONS},
    "quadratic_form": {**QKV, "causal": True, **OPTIONS},
    "linear_attention_with_state": {**QKV, "state": None, **OPTIONS, "chunk_size": 2},
    "linear_attention": {**QKV, "causal": True, **OPTIONS, "chunk_size": 2},
    "linear_attention_weights": {"q": Q, "k": K, "causal": True, **OPTIONS},
    "elu_plus_one": {"x": Q},
    "orthogonal_projection": {
        **{"num_features": 5, "head_dim": 4, "rng": np.random.default_rng(0)},
        **{"xp": np, "dtype": None, "device": None},
    },
    "polynomial_lift": {"x": Q},
    "positive_random_features": {"x": Q, "projection": np.ones((5, 4))},
    "toeplitz_linear_attention": TOEPLITZ,
    "toeplitz_linear_attention_full": TOEPLITZ,
}
MODULES = {
    "LinearAttention": (
        {
            **{"d_model": 8, "num_heads": 2, "causal": True, "base": 100.0},
            **{"feature_map": elu_plus_one, "layout": "half"},
            **{"rotate_denominator": False, "decay": None, "chunk_size": 2},
        },
        {
            **{"x": np.ones((2, 6, 8)), "positions": None, "mask": MASK},
            **{"past": None, "use_cache": False},
        },
    ),
}
