"""Figures of the chapter on T5: what they draw is what posenc computes."""

import hashlib

import figure_rules
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgba

from posenc import t5
from posenc.core.arrays import relative_positions
from posenc.kit.figures.palette import THEMES, contrast
from posenc.kit.figures.text import readable_ink, signed
from posenc.t5 import figures
from posenc.t5.figures import bucket_steps

SETTINGS = [
    {"num_buckets": count, "max_distance": distance, "bidirectional": both}
    for count, distance in [(4, 8), (12, 8), (16, 128), (32, 20), (32, 128), (64, 512)]
    for both in (True, False)
]

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "bias_matrix": [{"bias": np.eye(2)}],
    "bucket_matrix": [{"buckets": np.zeros((2, 2), int)}],
    "overview": [
        {},
        {"bias": figures.mpnet_head(num_buckets=16)},
        {"bidirectional": False, "q_len": 1, "k_len": 48},
    ],
    "trained_heads": [{"table": figures.mpnet_bias()}],
}


class TestSteps:
    @pytest.mark.parametrize("setting", SETTINGS, ids=str)
    def test_steps_hold_the_bucket_of_every_relative_position(self, setting):
        steps, _ = bucket_steps(**setting)
        reach = setting["max_distance"] + 5
        positions = np.arange(-reach, reach + 1 if setting["bidirectional"] else 1)
        buckets = np.full(positions.shape, -1)
        for bucket, first, last in steps:
            inside = (positions >= first) & (positions <= last)
            assert (buckets[inside] == -1).all()  # no position belongs to two steps
            buckets[inside] = bucket
        expected = t5.relative_position_bucket(positions, **setting)
        assert np.array_equal(buckets, expected)

    @pytest.mark.parametrize("setting", SETTINGS, ids=str)
    def test_every_bucket_is_a_step_or_empty(self, setting):
        steps, empty = bucket_steps(**setting)
        numbers = [bucket for bucket, _, _ in steps] + [bucket for bucket, _ in empty]
        assert sorted(numbers) == list(range(setting["num_buckets"]))

    @pytest.mark.parametrize("setting", SETTINGS, ids=str)
    def test_empty_buckets_lie_between_their_neighbors(self, setting):
        steps, empty = bucket_steps(**setting)
        edges = {first - 0.5 for _, first, _ in steps}
        edges |= {last + 0.5 for _, _, last in steps}
        assert {edge for _, edge in empty} <= edges


class TestMatrix:
    def test_cells_show_the_numbers(self):
        buckets = t5.relative_position_bucket(relative_positions(5, 7), num_buckets=8)
        ax = figures.bucket_matrix(buckets)
        placed = {text.get_position(): text.get_text() for text in ax.texts}
        expected = {(k, q): str(b) for (q, k), b in np.ndenumerate(buckets)}
        assert placed == expected

    def test_queries_down_keys_across(self):
        ax = figures.bucket_matrix(np.zeros((3, 5), int))
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("key", "query")
        assert ax.get_xlim() == (-0.5, 4.5)
        assert ax.get_ylim() == (2.5, -0.5)

    @pytest.mark.parametrize(
        ("draw", "dtype"), [(figures.bucket_matrix, int), (figures.bias_matrix, float)]
    )
    def test_hidden_keys_are_pale(self, draw, dtype):
        cells = draw(np.zeros((3, 3), dtype), causal=True).collections[0]
        hidden = np.triu(np.ones((3, 3), bool), k=1)
        raised = to_rgba(THEMES["light"]["raised"])
        assert np.array_equal((cells.get_array() == raised).all(axis=-1), hidden)

    def test_ink_can_be_read_on_every_color(self):
        for name in ("viridis", "coolwarm"):
            for shade in plt.get_cmap(name)(np.arange(256)):
                fill = "#" + "".join(f"{round(255 * c):02x}" for c in shade[:3])
                assert contrast(readable_ink(shade), fill) >= 4.5

    @pytest.mark.parametrize(
        ("value", "digits", "text"),
        [(-0.25, 2, "−0.25"), (3.0, 0, "+3"), (0, 1, "+0.0")],
    )
    def test_signed(self, value, digits, text):
        assert signed(value, digits) == text


class TestStaircase:
    @pytest.mark.parametrize("setting", SETTINGS, ids=str)
    def test_a_tile_for_every_step(self, setting):
        ax = figures.staircase(**setting)
        steps, empty = bucket_steps(**setting)
        limit = ax.get_xlim()[0]
        tiles = [
            (round(patch.get_y() + 0.46), patch.get_x())
            for patch in ax.patches
            if patch.get_height() < 1  # not the band behind them
        ]
        assert tiles == [(b, max(first - 0.5, limit)) for b, first, _ in steps]
        circles = [line for line in ax.lines if line.get_marker() == "o"]
        drawn = [b for line in circles for b in line.get_ydata()]
        assert drawn == [bucket for bucket, _ in empty]

    def test_legend_says_where_the_last_bucket_begins(self):
        labels = figures.staircase(num_buckets=32).get_legend().get_texts()
        words = [label.get_text() for label in labels]
        assert words == [
            "a bucket each",
            "max distance 128",
            "last begins at 91",
            "never used: 16",
        ]


def test_the_opening_has_a_box_for_every_bucket():
    numbers = [text for text in figure_rules.texts(figures.opening()) if text.isdigit()]
    assert sorted(map(int, numbers)) == sorted([*range(32), 0])  # and the ruler's 0


class TestThreeWays:
    def boxes(self, length):
        """First and last distance of each box, strip by strip from the top."""
        strips = {}
        for patch in figures.three_ways(length=length).patches:
            end = round(0.5 - patch.get_x()) - 1
            start = end - round(patch.get_width()) + 1
            strips.setdefault(patch.get_y(), []).append((start, end))
        return [strips[y] for y in sorted(strips)]

    def test_each_way_groups_all_distances(self):
        everything, clipped, buckets = self.boxes(128)
        assert everything == [(n, n) for n in range(128)]
        assert clipped == [*((n, n) for n in range(15)), (15, 127)]
        starts = t5.bucket_starts().tolist()
        ends = [*(n - 1 for n in starts[1:]), 127]
        assert buckets == list(zip(starts, ends, strict=True))


class TestTrainedBias:
    def test_the_table_is_the_published_one(self):
        table = figures.mpnet_bias().astype("<f4")
        assert table.shape == (32, 12)
        digest = "d5895cfdab59424c0d1118f7106bb08b614253604130093a7c4ce6439c78cc98"
        assert hashlib.sha256(table.tobytes()).hexdigest() == digest

    def test_the_bucket_that_no_pair_uses_is_nearly_zero(self):
        table = figures.mpnet_bias()
        assert np.abs(table[16]).max() < 0.006
        assert np.abs(np.delete(table, 16, axis=0)).max(axis=1).min() > 0.4

    def test_a_head_in_its_own_setting_is_its_column(self):
        for head in (0, 11):
            column = figures.mpnet_bias()[:, head]
            assert np.array_equal(figures.mpnet_head(head=head), column)

    @pytest.mark.parametrize("setting", SETTINGS, ids=str)
    def test_a_bucket_of_another_setting_has_the_bias_of_its_nearest_distance(
        self, setting
    ):
        column, bias = figures.mpnet_bias()[:, 7], figures.mpnet_head(**setting)
        assert bias.shape == (setting["num_buckets"],)
        for bucket, first, last in bucket_steps(**setting)[0]:
            nearest = np.asarray(first if first > 0 else last).astype(int)
            assert bias[bucket] == column[t5.relative_position_bucket(nearest)]

    def test_each_panel_has_the_curve_of_its_head(self):
        table = np.random.default_rng(0).normal(size=(32, 12))
        panels = figures.trained_heads(table).axes
        for head, ax in enumerate(panels):
            assert ax.get_title() == f"head {head}"
            curves = [
                line.get_ydata() for line in ax.lines if len(line.get_xdata()) > 2
            ]
            before, after = (np.asarray(curve) for curve in curves)
            assert np.array_equal(before, table[15::-1, head])
            assert np.array_equal(after, table[17:, head])
            (unused,) = [
                line
                for line in ax.lines
                if line.get_marker() == "o" and len(line.get_xdata()) == 1
            ]
            assert unused.get_xydata().tolist() == [[16, table[16, head]]]
