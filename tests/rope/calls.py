"""One right call of every public function and module: what tests of all of them use."""

import numpy as np

X = np.linspace(-1.0, 1.0, 48).reshape(2, 6, 4)
ANGLES = np.linspace(0.0, 1.0, 12).reshape(6, 2)
POSITIONS = np.arange(6.0)
BASE = {"head_dim": 4, "base": 100.0}
ROTARY = {"x": X, "angles": ANGLES, "layout": "half", "pair_scale": np.ones((6, 2))}
SCALING = {
    **BASE,
    "scale": 4.0,
    "method": "yarn",
    "trained_len": 64,
    "alpha": 1.0,
    "beta": 32.0,
}
LIBRARY = {"xp": np, "device": None}

FUNCTIONS = {
    "apply_rotary": ROTARY,
    "apply_rotary_real": ROTARY,
    "apply_rotary_complex": {
        "x": X,
        "factors": np.exp(1j * ANGLES),
        "layout": "half",
    },
    "axial_angles": {"rows": POSITIONS, "columns": POSITIONS, **BASE},
    "decay_bound": {
        **{"q": X, "k": X, "distance": POSITIONS[:, None, None]},
        **{"base": 100.0, "layout": "half"},
    },
    "layout_permutation": {
        **{"head_dim": 4, "source": "half", "target": "interleaved"},
        **LIBRARY,
    },
    "mean_partial_sum": {"distance": POSITIONS, **BASE},
    "rotary_angles": {
        **{"positions": POSITIONS, **BASE},
        **{"frequencies": None, "dtype": None},
    },
    "rotary_factors": {"angles": ANGLES, "pair_scale": np.ones((6, 2))},
    "rotation_matrix": {
        **{"position": 2, **BASE, "layout": "half"},
        **LIBRARY,
        "dtype": None,
    },
    "scaled_angles": {"positions": POSITIONS, **SCALING},
    "scaled_frequencies": {**SCALING, **LIBRARY},
    "xpos_scale": {
        **{"positions": POSITIONS, "head_dim": 4},
        **{"gamma": 0.4, "scale_base": 512.0},
    },
    "yarn_attention_factor": {"scale": 4.0, "mscale": 1.0, "mscale_all_dim": 0.5},
    "apply_partial_rotary": {"x": X, "angles": ANGLES[:, :1], "layout": "half"},
    "axial_angles_3d": {
        **{"frames": POSITIONS, "rows": POSITIONS, "columns": POSITIONS},
        **{"head_dim": 12, "sections": (2, 2, 2), "base": 100.0},
    },
    "dynamic_ntk_frequencies": {
        **{"seq_len": 100, "scale": 4.0, "trained_len": 64},
        **BASE,
        **LIBRARY,
    },
    "llama3_frequencies": {
        **{"scale": 4.0, "trained_len": 64, **BASE},
        **{"low_freq_factor": 1.0, "high_freq_factor": 4.0},
        **LIBRARY,
    },
    "longrope_attention_factor": {"scale": 4.0, "trained_len": 64},
    "longrope_frequencies": {
        **{"seq_len": 100, "trained_len": 64, **BASE},
        **{"short_factors": [1.0, 2.0], "long_factors": [2.0, 4.0]},
        **LIBRARY,
    },
    "multimodal_angles": {
        "positions": np.ones((3, 5)),
        **{"head_dim": 12, "sections": (2, 2, 2), "interleaved": False},
        **{"base": 100.0, "frequencies": None},
    },
    "proportional_frequencies": {"fraction": 0.5, "scale": 2.0, **BASE, **LIBRARY},
    "yarn_frequencies": {
        **{"scale": 4.0, "trained_len": 64, **BASE, "alpha": 1.0, "beta": 32.0},
        **{"ramp": "turns", "truncate": True},
        **LIBRARY,
    },
}
MODULES = {
    "RotaryEmbedding": (
        {
            **BASE,
            **{"layout": "half", "frequencies": None, "rotary_dim": 4},
            **{"attention_factor": 1.0, "table_len": 64},
        },
        {"x": X[None], "positions": None, "offset": 1},
    ),
    "RotaryAttention": (
        {
            **{"d_model": 8, "num_heads": 2, "base": 100.0, "layout": "half"},
            **{"causal": True, "rotary": None},
        },
        {"x": np.ones((2, 6, 8)), "positions": None, "mask": None, "past": None},
    ),
}
