"""Figures of the chapter on rotation: what they draw is what posenc computes."""

import numpy as np

from posenc.rotation import position_similarity, shift_operator

MEASURED = {
    "8": {name: {"median": 2.0, "low": 1.0, "high": 3.0} for name in ("dense", "write")}
}

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
SWEPT = [
    {
        "d_model": d_model,
        "base": base,
        "trained": trained,
        "control": control,
        "beyond": [0.2, 0.4, 0.3 if trained == 8 else 0.9],
        "near": [0.6, 0.6, 0.9],
    }
    for d_model in (8, 16, 32, 64)
    for base in (2, 10_000)
    for trained in (8, 16)
    for control in ("", "longer")
]

ARGUMENTS = {
    "extrapolation_sweep": [{"heads": SWEPT}],
    "learned_matrices": [{"matrices": {"a": np.eye(4), "b": -np.eye(2)}}],
    "four_terms": [{"terms": {"a": np.eye(3)}}],
    "heat_map": [{"values": np.eye(3), "colors": "coolwarm"}],
    "overview": [{"t": 0, "offset": 2, "d_model": 4, "base": 10.0}],
    "previous_token": [{"curves": {"a": np.ones(5)}, "trained": 2}],
    "score_pair": [{"pictures": {"a": np.eye(3), "b": np.ones((3, 3))}}],
    "shift_cost": [
        {"milliseconds": MEASURED, "labels": {"dense": "matrix"}, "bound": "write"}
    ],
    "shift_matrix": [{"matrix": shift_operator(1, 4)}],
    "similarity_curves": [{"sizes": (8, 16), "longest": 20}],
    "similarity_matrix": [{"seq_len": 10, "d_model": 8}],
}

#: Arguments, and what the drawing must hold: see `figure_rules`.
TERM, SHIFT = np.arange(4.0).reshape(2, 2), shift_operator(3, 4, base=50.0)
OFFSETS = np.arange(12) - np.arange(12)[:, None]
SHOWS = {
    "shift_matrix": (
        {"matrix": SHIFT},
        [f"{x:.2f}".replace("-", "−") for x in SHIFT.ravel() if x],
    ),
    "similarity_matrix": (
        {"seq_len": 12, "d_model": 16, "base": 30.0},
        position_similarity(OFFSETS, 16, base=30.0) / 8,
    ),
    "similarity_curves": (
        {"sizes": (4, 8), "longest": 30, "base": 20.0},
        position_similarity(np.arange(31), 8, base=20.0) / 4,
    ),
    "four_terms": ({"terms": {"a": TERM}}, ["0.00", "1.00", "2.00", "3.00"]),
    "score_pair": ({"pictures": {"a": TERM, "b": TERM.T}}, TERM, TERM.T),
    "learned_matrices": ({"matrices": {"a": TERM}}, TERM),
    "heat_map": ({"values": TERM, "colors": "viridis"}, TERM),
    "extrapolation_sweep": (
        {"heads": SWEPT},  # means without the controls
        *(np.asarray([0.3, 0.5]), np.asarray([0.7, 0.7])),
    ),
    "previous_token": (
        {"curves": {"a": np.arange(9) ** 2}, "trained": 4},
        np.asarray([(n + 1, n**2) for n in range(9)]),
    ),
}
