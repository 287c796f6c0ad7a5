"""Figures of the chapter on Swin: from two cells to a row of the table."""

from .cells import shades_of
from .index_of_offsets import index_matrix, line, sign_rules, steps
from .made_up_table import BIAS_COLORS, example_table
from .opening_picture import opening
from .patches import hierarchy
from .rules_for_rows import (
    MAX_SIDE,
    ROW_COLORS,
    RULES,
    rows_by_rule,
    rule_errors,
    stride,
)
from .shifted_windows import windows
from .tables_of_offsets import (
    learned,
    offset_table,
    resized,
    rules,
    seen_from_each,
)
from .widget_picture import overview

__all__ = [
    "BIAS_COLORS",
    "MAX_SIDE",
    "ROW_COLORS",
    "RULES",
    "example_table",
    "hierarchy",
    "index_matrix",
    "learned",
    "line",
    "offset_table",
    "opening",
    "overview",
    "resized",
    "rows_by_rule",
    "rule_errors",
    "rules",
    "seen_from_each",
    "shades_of",
    "sign_rules",
    "steps",
    "stride",
    "windows",
]
