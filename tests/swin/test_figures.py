"""Figures of the chapter on Swin: what they draw is what posenc computes."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from posenc import swin
from posenc.kit.figures.palette import THEMES
from posenc.swin import figures
from posenc.swin.exercises import oracle
from posenc.swin.figures import (
    MAX_SIDE,
    RULES,
    example_table,
    images,
    rows_by_rule,
    rule_errors,
    shades_of,
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


def grid(ax):
    """Texts of an Axes by the row and column of their cell."""
    return {
        (round(y), round(x)): text.get_text()
        for text in ax.texts
        for x, y in [text.get_position()]
    }


def boxes(ax, **wanted):
    """Row and column of the cells with a frame of the given color or line style."""
    found = []
    for patch in ax.patches:
        color = to_hex(patch.get_edgecolor())
        style = "-" if patch.get_linestyle() in ("-", "solid") else "dashed"
        if {"color": color, "style": style}.items() >= wanted.items():
            center = patch.get_x() + patch.get_width() / 2
            middle = patch.get_y() + patch.get_height() / 2
            found.append((round(middle), round(center)))
    return found


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

    def test_numbers_that_the_chapter_tells(self):
        assert rule_errors("added", 2, 3) == (13, 0)
        assert rule_errors("height", 2, 3) == (8, 0)
        assert rule_errors("height", 3, 2) == (0, 6)


class TestTable:
    def test_smaller_windows_show_the_center(self):
        largest = example_table(MAX_SIDE, MAX_SIDE)
        assert largest.shape == (15, 15)
        np.testing.assert_array_equal(example_table(2, 3), largest[6:9, 5:10])
        np.testing.assert_array_equal(example_table(1, 1), [[largest[7, 7]]])

    def test_near_cells_outweigh_far_ones(self):
        table = example_table(MAX_SIDE, MAX_SIDE)
        assert table[7, 7] == table.max()
        assert table[7, 8] > table[7, 6]  # the key to the left before that to the right


class TestMatrices:
    def test_index_matrix_shows_the_printed_table(self):
        placed = grid(figures.index_matrix(swin.relative_position_index(2, 2)))
        want = np.asarray([[4, 3, 1, 0], [5, 4, 2, 1], [7, 6, 4, 3], [8, 7, 5, 4]])
        assert placed == {place: str(n) for place, n in np.ndenumerate(want)}

    def test_line_shows_key_minus_query_and_the_same_shifted(self):
        left, right = figures.line(3).axes
        assert [grid(left)[0, k] for k in range(3)] == ["0", "+1", "+2"]
        assert [grid(left)[2, k] for k in range(3)] == ["−2", "−1", "0"]
        assert [grid(right)[1, k] for k in range(3)] == ["1", "2", "3"]

    def test_steps_lead_from_coordinates_to_the_index(self):
        first, second, third, fourth = (grid(ax) for ax in figures.steps(2, 3).axes)
        assert first[1, 2] == "5: 1, 2"
        # Query 3 is cell (1, 0), key 2 is cell (0, 2).
        assert second[3, 2] == "+1, −2"
        assert third[3, 2] == "2, 0"
        index = np.asarray(oracle.sorted_index(2, 3, sign=1))
        assert fourth == {place: str(n) for place, n in np.ndenumerate(index)}

    def test_sign_rules_are_transposes(self):
        ours, theirs = (grid(ax) for ax in figures.sign_rules(2, 2).axes)
        assert theirs == {(q, k): ours[k, q] for q, k in ours}
        assert ours[0, 1] == "3"


class TestOffsets:
    @pytest.mark.parametrize("rule", RULES)
    def test_cells_show_their_row(self, rule):
        placed = grid(figures.offset_table(2, 3, rule=rule))
        rows = rows_by_rule(rule, 2, 3)
        assert placed == {place: str(n) for place, n in np.ndenumerate(rows)}

    def test_axes_count_offsets(self):
        ax = figures.offset_table(2, 3)
        assert [t.get_text() for t in ax.get_xticklabels()] == [
            "−2", "−1", "0", "+1", "+2",
        ]  # fmt: skip
        assert [t.get_text() for t in ax.get_yticklabels()] == ["−1", "0", "+1"]

    @pytest.mark.parametrize("rule", RULES)
    @pytest.mark.parametrize("window", WINDOWS)
    def test_what_is_wrong_has_a_dashed_frame(self, rule, window):
        rows = rows_by_rule(rule, *window)
        flat = rows.ravel().tolist()
        wrong = {
            place
            for place, row in np.ndenumerate(rows)
            if flat.count(row) > 1 or row >= rows.size
        }
        ax = figures.offset_table(*window, rule=rule)
        assert set(boxes(ax, style="dashed")) == wrong

    def test_rules_tell_what_each_does_wrong(self):
        titles = [ax.get_title(loc="left") for ax in figures.rules(3, 2).axes]
        assert titles[0].endswith("0 of 15 offsets share a row")
        assert titles[2].endswith("0 of 15 offsets share a row, 6 beyond the table")

    def test_biases_take_the_place_of_rows(self):
        table = example_table(2, 2)
        placed = grid(figures.offset_table(2, 2, bias=table))
        assert placed[1, 1] == f"+{table[1, 1]:.1f}"


class TestMaps:
    def test_each_map_is_the_bias_of_its_query(self):
        table = example_table(2, 3)
        bias = swin.relative_position_bias(table.reshape(-1, 1), 2, 3)[0]
        limit = float(np.abs(table).max())
        for n, ax in enumerate(figures.seen_from_each(2, 3).axes):
            shades = ax.collections[0].get_array()
            expected = shades_of(bias[n].reshape(2, 3), limit=limit)
            np.testing.assert_array_equal(shades, expected)

    def test_resized_shows_the_table_before_and_after(self):
        table = example_table(2, 2).reshape(-1, 1)
        _, after = figures.resized(table, (2, 2), (3, 4)).axes
        limit = float(np.abs(table).max())
        new = swin.resize_table(table, (2, 2), (3, 4)).reshape(5, 7)
        np.testing.assert_array_equal(
            after.collections[0].get_array(), shades_of(new, limit=limit)
        )

    def test_learned_shows_both_tables_each_on_its_own_scale(self):
        tables = np.random.default_rng(0).normal(size=(2, 3, 5))
        for table, ax in zip(tables, figures.learned(*tables).axes, strict=True):
            shades = ax.collections[0].get_array()
            np.testing.assert_array_equal(shades, shades_of(table))

    def test_overview_frames_the_offset_of_its_cells(self):
        left, right = figures.overview(3, 4, (2, 1), (0, 3)).axes
        framed = boxes(right, color=THEMES["light"]["position"])
        assert framed == [(4, 1)]  # offset (+2, -2)
        assert left.texts[3].get_text() == right.texts[29].get_text() == "29"

    def test_a_wrong_rule_shows_the_biases_that_it_reads(self):
        stored = example_table(2, 3).ravel()
        rows = rows_by_rule("added", 2, 3)
        left, right = figures.overview(
            2, 3, (1, 1), (0, 1), rule="added", show_bias=True
        ).axes
        words = {
            place: f"{stored[row]:+.1f}".replace("-", "−")
            for place, row in np.ndenumerate(rows)
        }
        shown = grid(right)
        assert {place: shown[place] for place in words} == words
        assert shown[1, 3] == shown[2, 2]  # offsets (0, +1) and (+1, 0) share row 4
        above = left.texts[1].get_text()  # the key straight above the query
        assert above == shown[2, 2]

    def test_beyond_the_table_there_is_no_bias(self):
        _, right = figures.overview(
            3, 2, (1, 1), (0, 1), rule="height", show_bias=True
        ).axes
        rows = rows_by_rule("height", 3, 2)
        shown = grid(right)
        unknown = {place for place in np.ndindex(rows.shape) if shown[place] == "?"}
        assert unknown == {p for p, row in np.ndenumerate(rows) if row >= rows.size}


class TestWindows:
    def test_pieces_of_the_shifted_windows_are_where_the_roll_takes_them_from(self):
        _, shifted, rolled = figures.windows().axes
        assert [text.get_text() for text in rolled.texts] == list("ABCDEFGHI")
        places = {t.get_text(): t.get_position() for t in shifted.texts}
        # The whole window lies in the middle; what was rolled comes from the corner.
        assert [places[c] for c in "AIB"] == [(3.5, 3.5), (0.5, 0.5), (6.5, 3.5)]

    def test_a_cell_of_the_hierarchy_is_the_mean_of_its_pixels(self):
        image = np.arange(64.0).reshape(8, 8)
        means = images.mean_of_blocks(image, 4)
        want = [[image[a : a + 4, b : b + 4].mean() for b in (0, 4)] for a in (0, 4)]
        np.testing.assert_array_equal(means, want)

    def test_opening_marks_the_same_pair_twice(self):
        left, right = figures.opening().axes
        # Query (1, 2) minus key (3, 0) is (-2, +2); offset zero is cell (3, 3).
        assert boxes(right, color=THEMES["light"]["key"]) == [(1, 5)]
        lit = left.collections[0].get_array()[:4, :4]
        table = right.collections[0].get_array()
        np.testing.assert_array_equal(lit, table[1:5, 2:6][::-1, ::-1])
