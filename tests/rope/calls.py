"""One right call of every public function and module, and values that are refused."""

import numpy as np

X = np.linspace(-1.0, 1.0, 48).reshape(2, 6, 4)
ANGLES = np.linspace(0.0, 1.0, 12).reshape(6, 2)
POSITIONS = np.arange(6.0)
BASE = {"head_dim": 4, "base": 100.0}
ROTARY = {"x": X, "angles": ANGLES, "layout": "half", "pair_scale": 1 + ANGLES}
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
    "apply_rotary_complex": {"x": X, "factors": np.exp(1j * ANGLES), "layout": "half"},
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
    "rotary_factors": {"angles": ANGLES, "pair_scale": 1 + ANGLES},
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

NAN = np.asarray([0.0, np.nan] * 3)
OF_POSITIONS = "rotary_angles scaled_angles xpos_scale"
SCALED = "scaled_angles scaled_frequencies"
TURNS = "apply_rotary apply_rotary_real"
HEADS = {"x": np.ones((2, 3, 5, 8)), "pair_scale": None}
#: Shapes of angles that do not fit those tokens.
SHAPES = [(6, 4), (1, 4), (5, 8), (4,), (3, 5, 4), (2, 2, 5, 4), (1, 2, 3, 5, 4)]
FITTING = r"must have shape \(5, 4\), or as many axes"
#: As many heads as sequences: plain broadcasting would turn head b like sequence b.
SQUARE = {"x": np.ones((2, 2, 2, 4)), "angles": np.ones((2, 2, 2)), "pair_scale": None}
OF_SEQUENCES = np.ones((2, 1, 2, 2))
FAR = np.asarray([0.0, 37_000.0], np.float32)
POSITIVE = "long_factors must hold finite numbers above 0"
MODEL = "RotaryAttention"
REFUSED = [
    ("*", {"head_dim": 7}, "head_dim must be "),
    ("*", {"scale": 0.99}, "scale must be a finite number of at least 1"),
    (OF_POSITIONS, {"positions": NAN}, "positions must be finite, got nan"),
    ("mean_partial_sum decay_bound", {"distance": NAN}, "distance must be finite"),
    ("*", {"columns": NAN}, "columns must be finite"),
    ("*", {"rows": NAN}, "rows must be finite"),
    *((TURNS, HEADS | {"angles": np.ones(shape)}, FITTING) for shape in SHAPES),
    *(
        ("apply_rotary_complex", {"x": HEADS["x"], "factors": 1j * np.ones(n)}, FITTING)
        for n in SHAPES
    ),
    (TURNS, SQUARE, r"an axis for the heads, positions\[:, None"),
    (
        TURNS,
        SQUARE | {"angles": OF_SEQUENCES, "pair_scale": SQUARE["angles"]},
        "pair_scale must have shape",
    ),
    ("apply_partial_rotary", {"angles": np.ones((6, 3))}, "angles must have 1 to 2"),
    ("apply_rotary_complex", {"factors": ANGLES}, r"complex .* rotary_factors\(angles"),
    ("decay_bound", {"k": np.ones((2, 6, 6))}, "the key needs the head_dim of the"),
    (SCALED, {"head_dim": 2, "method": "ntk"}, "head_dim .* at least 4, got 2"),
    (SCALED, {"trained_len": None}, "trained_len must be an integer .* got None"),
    (SCALED, {"alpha": 1, "beta": 1}, "alpha must be below beta=1, got 1"),
    ("xpos_scale", {"positions": FAR}, "subtract one number from the positions"),
    ("axial_angles", {"head_dim": 6}, "head_dim must be a multiple of 4, got 6"),
    ("axial_angles", {"rows": np.arange(3.0)}, r"one shape, got \(3,\) and \(6,\)"),
    ("axial_angles_3d", {"head_dim": 8, "sections": None}, "a multiple of 6, got 8"),
    ("axial_angles_3d", {"head_dim": 8}, "sections must add up to the 4 pairs"),
    ("axial_angles_3d", {"sections": [3, 3]}, "sections must be three"),
    ("axial_angles_3d", {"columns": np.arange(2.0)}, "frames and columns must have"),
    ("multimodal_angles", {"sections": [4, 2, 2]}, r"up to the 6 .* got \[4, 2, 2\]"),
    ("multimodal_angles", {"sections": [3, 3]}, r"one row for each of the 2 .*\(3, 5"),
    ("multimodal_angles", {"sections": 6}, "sections must be a sequence of integers"),
    ("multimodal_angles", {"sections": [-1, 3, 4]}, "each of the sections must be"),
    (
        "multimodal_angles",
        {"sections": [1, 2, 3], "interleaved": True},
        "section 2 would end beyond the last of 6",
    ),
    ("yarn_frequencies", {"ramp": "pairs", "base": 1.0}, "base must be above 1, got 1"),
    ("yarn_frequencies", {"ramp": "pairs", "alpha": 0}, "alpha must be above 0, got 0"),
    ("llama3_frequencies", {"low_freq_factor": 4.0}, r"below high_freq_factor=4\.0,"),
    ("dynamic_ntk_frequencies", {"head_dim": 2}, "head_dim must be .* at least 4"),
    ("longrope_frequencies", {"long_factors": [1.0] * 3}, "of the 2 pairs .*, got 3"),
    ("longrope_frequencies", {"long_factors": [1.0, 0.0]}, POSITIVE),
    ("longrope_attention_factor", {"trained_len": 1}, "trained_len must .* at least 2"),
    ("proportional_frequencies", {"fraction": 2}, "fraction must be at most 1, got 2"),
    ("rotary_angles", {"frequencies": np.ones(3)}, r"must have shape \(2,\).*\(3,\)"),
    ("rotary_angles", {"frequencies": [1.0, np.nan]}, "must be finite, got nan"),
    ("RotaryEmbedding", {"rotary_dim": 6}, "rotary_dim must be at most head_dim=4"),
    ("RotaryEmbedding", {"rotary_dim": 3}, "rotary_dim must be even, got 3"),
    ("RotaryEmbedding", {"x": np.ones((2, 1, 6, 6))}, r"x must have shape .*4\)"),
    ("RotaryEmbedding", {"positions": np.zeros((3, 2), int)}, r"positions must have"),
    (MODEL, {"d_model": 6}, "head_dim must be even, got 3"),
    (MODEL, {"num_heads": 3}, "d_model must be a multiple of num_heads=3"),
    (MODEL, {"mask": np.ones((4, 4), bool)}, "mask must broadcast"),
    (MODEL, {"mask": np.ones((6, 6))}, "mask must be boolean"),
]
