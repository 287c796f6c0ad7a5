"""Content of the widget of the chapter on Swin, computed by posenc."""

import numpy as np

from posenc import swin
from posenc.kit.figures.text import signed_offset
from posenc.swin.figures import example_table, rows_by_rule, rule_errors
from posenc.swin.widgets import WindowIndex


def cell(down, right):
    return f"({signed_offset(down)}, {signed_offset(right)})"


def window_index(w):
    sides = w.height, w.width
    query, key = (np.minimum(cell, np.subtract(sides, 1)) for cell in (w.query, w.key))
    rows = rows_by_rule(w.rule, *sides)
    offset, zero = query - key, np.subtract(sides, 1)
    row, opposite = (int(rows[*(zero + sign * offset)]) for sign in (1, -1))
    if w.rule == "width":
        index = swin.relative_position_index(*sides)
        assert index[query @ [w.width, 1], key @ [w.width, 1]] == row
    shared, beyond = rule_errors(w.rule, *sides)
    numbers = {"rows": rows.ravel(), "query": query, "key": key, "row": row}
    pair = f"query ({query[0]}, {query[1]}) − key ({key[0]}, {key[1]})"
    return numbers, {
        f"{pair} = offset {cell(*offset)} → row {row} of {rows.size}": True,
        "The same row as": (rows == row).sum() > 1,
        f"key − query, gives row {opposite}.": True,
        f"{shared} of {rows.size} offsets share": shared > 0,
        f"✗{beyond} offset": beyond > 0,
        "✓": shared == beyond == 0,
    }


def table(w):
    h, width = w.height, w.width
    bias, size = example_table(h, width), (2 * h - 1) * (2 * width - 1)
    return [
        [
            cell(r - h + 1, c - width + 1).replace(" ", "\N{NO-BREAK SPACE}"),
            f"({r},\N{NO-BREAK SPACE}{c})",
            str(row),
            str(size - 1 - row),
            float(bias[r, c]),
        ]
        for (r, c), row in np.ndenumerate(rows_by_rule("width", h, width))
    ]


SHOWN = {WindowIndex: window_index}
TABLES = {WindowIndex: table}
