"""The widget of the chapter on Swin on the side of Python."""

import numpy as np
from figure_rules import drawn

from posenc.swin.figures import MAX_SIDE, RULES, example_table, rows_by_rule
from posenc.swin.widgets import WindowIndex


def test_strides_turn_offsets_into_rows():
    strides = WindowIndex().strides
    assert list(strides) == list(RULES)
    for rule, by_height in strides.items():
        for h, by_width in enumerate(by_height, start=1):
            for w, stride in enumerate(by_width, start=1):
                rows = rows_by_rule(rule, h, w)
                np.testing.assert_array_equal(
                    rows, np.arange(2 * h - 1)[:, None] * stride + np.arange(2 * w - 1)
                )


def test_biases_are_the_made_up_ones():
    biases = WindowIndex().biases
    np.testing.assert_array_equal(biases, example_table(MAX_SIDE, MAX_SIDE))


def test_alt_and_picture_follow_the_choice():
    widget = WindowIndex(height=2, width=3, query=[1, 0], key=[0, 2])
    picture = widget.picture()
    assert "window of 2 × 3 cells" in picture.alt
    assert "Query minus key is (1, -2): row 10." in picture.alt
    other = WindowIndex(height=2, width=3, query=[1, 0], key=[0, 2], view="bias")
    assert "made-up biases" in other.picture().alt
    assert drawn(picture) != drawn(other.picture())


def test_cells_beyond_the_window_move_to_its_edge():
    alt = WindowIndex(height=2, width=2, query=[7, 0], key=[0, 7]).picture().alt
    assert "a query in cell (1, 0) and a key in cell (0, 1)" in alt
    # The rule decides about the row: without a factor it is 2 + 0.
    alt = WindowIndex(height=2, width=2, query=[7, 0], key=[0, 7], rule="added")
    assert alt.picture().alt.endswith("row 2.")
