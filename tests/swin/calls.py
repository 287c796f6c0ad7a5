"""One right call of every public function and module: what tests of all of them use."""

import numpy as np

TABLE = np.linspace(-1.0, 1.0, 18).reshape(9, 2)

FUNCTIONS = {
    "relative_position_index": {
        **{"height": 2, "width": 2, "key_window": (2, 2)},
        **{"xp": np, "device": None},
    },
    "relative_position_bias": {
        **{"table": TABLE, "height": 2, "width": 2, "key_window": None},
    },
    "resize_table": {"table": TABLE, "window": (2, 2), "new_window": (2, 3)},
    "window_partition": {"x": np.ones((4, 4, 2)), "height": 2, "width": 2},
    "window_merge": {
        "windows": np.ones((4, 4, 2)),
        **{"height": 2, "width": 2, "rows": 4, "columns": 4},
    },
    "shift_regions": {
        **{"rows": 4, "columns": 4, "window": (2, 2), "shift": (1, 1)},
        "xp": np,
        "device": None,
    },
}
MODS = {"score_mod": {"table": TABLE, "height": 2, "width": 2, "key_window": (2, 2)}}
MODULES = {
    "WindowAttention": (
        {"d_model": 4, "num_heads": 2, "window": (2, 2), "key_window": (3, 3)},
        {
            **{"x": np.ones((2, 4, 4)), "context": np.ones((2, 9, 4))},
            "mask": np.ones((4, 9), dtype=bool),
        },
    ),
}
