"""One right call of every public function and module, and values that are refused."""

import numpy as np

X = np.linspace(-1.0, 1.0, 24).reshape(6, 4)

FUNCTIONS = {
    "shift_operator": {
        "offset": 2,
        "d_model": 4,
        "base": 100.0,
        "xp": np,
        "dtype": None,
        "device": None,
    },
    "position_similarity": {"distance": np.arange(6.0), "d_model": 4, "base": 100.0},
    "score_terms": {
        "content": X,
        "position": X + 1,
        "w_query": np.ones((4, 2)),
        "w_key": np.eye(4, 2),
    },
}

REFUSED = [
    ("*", {"d_model": 3}, "d_model must be even, got 3"),
    ("shift_operator", {"offset": np.inf}, "offset must be a finite number, got inf"),
    ("position_similarity", {"distance": np.full(6, np.nan)}, "must be finite, got"),
]
