"""One right call of every public function and module, and values that are refused."""

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

FORMS = (
    "chunked_form recurrent_form quadratic_form linear_attention "
    "linear_attention_with_state linear_attention_weights"
)
IN_ANY_ORDER = "quadratic_form linear_attention linear_attention_weights"
TOEPLITZ_FORMS = "toeplitz_linear_attention toeplitz_linear_attention_full"
OF_DECAY = r"decay must be in \(0, 1\]"
OF_CACHE = "past and use_cache need causal=True"
REFUSED = [
    (IN_ANY_ORDER, {"causal": False}, "decay needs causal=True, got causal=False"),
    (FORMS, {"decay": 1.5}, OF_DECAY + ", got 1.5"),
    (FORMS, {"decay": 0.0}, OF_DECAY + ", got 0.0: a slope m"),
    (FORMS, {"decay": np.asarray([0.5, 1.1])}, OF_DECAY),
    (FORMS, {"decay": np.asarray([0.5, 0.0])}, OF_DECAY),
    ("linear_attention", {"chunk_size": 0}, "chunk_size must be .*got 0"),
    (FORMS, {"decay": np.asarray([0.5, np.nan])}, OF_DECAY),
    (
        FORMS,
        {"decay": np.ones((3, 1)) / 2},
        r"leading axes of decay must .* \(2,\) \(batch",
    ),
    (FORMS, {"decay": np.ones(1, int)}, "decay must hold floating-point numbers"),
    (FORMS, {"angles": np.ones((7, 2))}, r"angles .* \(..., 6, r / 2\).* one row per"),
    (FORMS, {"angles": np.ones((6, 4))}, "one column per pair of the 4 features"),
    (FORMS, {"q": Q[:, 1:]}, "causal needs as many queries as keys.* got 5 queries"),
    (
        IN_ANY_ORDER,
        {"q": Q[:, 1:], "causal": False, "decay": None},
        "angles needs as many queries as keys",
    ),
    ("*", {"feature_map": lambda x: x[..., 0]}, r"must turn \(..., n, head_dim\) into"),
    ("*", {"feature_map": lambda x: x[..., :0]}, "of at least 1, got shape"),
    ("*", {"feature_map": lambda x: x > 0}, r"feature_map\(x\) must hold"),
    (FORMS, {"mask": np.ones((6, 6), bool)}, r"one row .* got shape \(6, 6\): .*None"),
    ("*", {"mask": np.ones(5, bool)}, "mask must broadcast"),
    (TOEPLITZ_FORMS, {"bias": np.ones(12)}, r"bias must .* from -5 to 5"),
    (TOEPLITZ_FORMS, {"bias": np.ones((3, 11))}, "leading axes of bias must broadcast"),
    ("orthogonal_projection", {"rng": None}, r"rng must be a numpy\.random\.Generator"),
    ("positive_random_features", {"projection": np.ones((8, 3))}, "one column per"),
    ("LinearAttention", {"decay": [0.5] * 3}, r"decay must broadcast to \(2,"),
    ("LinearAttention", {"decay": [0.5] * 2, "causal": False}, "decay needs causal="),
    ("LinearAttention", {"causal": False, "use_cache": True}, OF_CACHE),
    ("LinearAttention", {"causal": False, "past": ()}, OF_CACHE),
    ("LinearAttention", {"num_heads": 3}, "d_model must be a multiple of num_heads=3"),
    ("LinearAttention", {"d_model": 6}, "head_dim must be even, got 3"),
    ("LinearAttention", {"positions": np.arange(4)}, r"positions .* shape \(..., 6\)"),
]
