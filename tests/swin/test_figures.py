"""Figures of the chapter on Swin: what they draw is what posenc computes."""

import numpy as np
import pytest

from posenc import swin
from posenc.swin.figures import (
    RULES,
    rows_by_rule,
    rule_errors,
)

WINDOWS = [(1, 1), (1, 4), (4, 1), (2, 3), (3, 2), (4, 4)]

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "index_matrix": [{"index": np.arange(4).reshape(2, 2)}],
    "learned": [{"full": np.eye(3), "two": np.ones((3, 3))}],
    "line": [{"length": 3}],
    "offset_table": [{"height": 2, "width": 3}],
    "overview": [
        {"height": 3, "width": 4, "query": (2, 1), "key": (0, 3), "show_bias": bias}
        for bias in (False, True)
    ],
    "resized": [{"table": np.eye(9)[:, :1], "window": (2, 2), "new_window": (3, 4)}],
    "rules": [{"height": 2, "width": 3}],
    "seen_from_each": [{"height": 2, "width": 3}],
    "sign_rules": [{"height": 2, "width": 2}],
    "steps": [{"height": 2, "width": 2}],
}

#: Arguments, and what the drawing must hold: see `figure_rules`.
ADDED, RIGHT = rows_by_rule("added", 2, 3), swin.relative_position_index(2, 3)
SHOWS = {
    "index_matrix": ({"index": RIGHT}, [str(row) for row in RIGHT.ravel()]),
    "line": (
        {"length": 3},
        ["0", "+1", "+2", "−1", "0", "+1", "−2", "−1", "0"],
        [*"234123012"],
    ),
    "steps": (
        {"height": 2, "width": 3},
        *(["0: 0, 0", "5: 1, 2"], ["+1, −2"], ["2, 0"]),
        [str(row) for row in RIGHT.ravel()],
    ),
    "sign_rules": ({"height": 2, "width": 2}, [*"4310"], [*"4578"]),
    "offset_table": (
        {"height": 2, "width": 3, "rule": "added"},
        [str(row) for row in ADDED.ravel()],
    ),
    "overview": (ARGUMENTS["overview"][0], ["29"], [str(row) for row in range(35)]),
}


class TestRules:
    @pytest.mark.parametrize("window", WINDOWS)
    def test_the_right_rule_is_posencs(self, window):
        height, width = window
        index = swin.relative_position_index(*window)
        rows = rows_by_rule("width", *window)
        for q, k in np.ndindex(index.shape):
            row = q // width - k // width + height - 1
            column = q % width - k % width + width - 1
            assert rows[row, column] == index[q, k]

    @pytest.mark.parametrize("window", WINDOWS)
    def test_errors_are_counted_as_a_person_would(self, window):
        height, width = window
        for rule in RULES:
            rows = rows_by_rule(rule, height, width).ravel().tolist()
            shared = len([row for row in rows if rows.count(row) > 1])
            beyond = len([row for row in rows if row >= len(rows)])
            assert rule_errors(rule, height, width) == (shared, beyond)
