"""One right call of every public function and module, and values that are refused."""

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

NO_SIDE = "must be an integer of at least 1, got 0"
TABLES = "relative_position_bias resize_table"
REFUSED = [
    ("*", {"key_window": (0, 1)}, "key_window height must be .* 1, got 0"),
    ("*", {"key_window": 4}, "key_window must be a pair"),
    ("relative_position_bias", {"key_window": (4, 4)}, r"shape \(25, num_heads\), got"),
    ("shift_regions", {"shift": (1, 2)}, "less than the window's side of 2 cells, got"),
    ("shift_regions", {"shift": (-1, 0)}, "shift must be an integer of at least 0"),
    ("shift_regions", {"columns": 5}, "must divide the image, got 4 x 5 cells"),
    ("shift_regions", {"window": (2, 0)}, f"window width {NO_SIDE}"),
    ("resize_table", {"window": (0, 2)}, NO_SIDE),
    ("resize_table", {"new_window": (2, 0)}, NO_SIDE),
    (TABLES, {"table": np.ones((25, 2))}, r"shape \(9, num_heads\), got shape .* has"),
    (TABLES, {"table": np.ones(9)}, r"table must have shape \(9, num_heads\), got"),
    (TABLES, {"table": np.ones((1, 9, 2))}, r"table must have shape \(9, num_heads\)"),
    ("window_partition", {"x": np.ones((4, 5, 1))}, "divide the image, got 4 x 5"),
    ("window_partition", {"x": np.ones((4, 4))}, "x must have shape"),
    ("window_merge", {"rows": 3}, "must divide the image, got 3 x 4 cells"),
    ("window_merge", {"windows": np.ones((3, 4, 1))}, "windows .* must fill the image"),
    ("WindowAttention", {"num_heads": 3}, "d_model must be a multiple of num_heads=3"),
    ("WindowAttention", {"x": np.ones((1, 5, 4))}, "one row per cell of a window"),
    ("WindowAttention", {"context": None}, r"context must have shape \(..., 9, 4\)"),
    ("WindowAttention", {"context": np.ones((2, 4, 4))}, r"shape \(..., 9, 4\)"),
]
