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

    @pytest.mark.parametrize("q_offset", [0, 2])
    def test_relative_position_zero_is_marked(self, q_offset):
        ax = figures.bucket_matrix(np.zeros((4, 7), int), q_offset=q_offset)
        centers = {
            (patch.get_x() + patch.get_width() / 2, patch.get_y() + 0.4)
            for patch in ax.patches
        }
        assert {(round(x), round(y)) for x, y in centers} == {
            (q + q_offset, q) for q in range(4)
        }

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

    def test_text_too_small_to_read_is_left_out(self):
        assert figure_rules.texts(figures.bucket_matrix(np.zeros((60, 60), int))) == []

    def test_bias_scale_is_symmetric(self):
        ax = figures.bias_matrix(np.asarray([[0.5, -2.0]]), numbers=True)
        assert figure_rules.texts(ax) == ["+0.5", "−2.0"]
        bar = ax.figure.axes[1]
        assert bar.get_ylim() == (-2.0, 2.0)

    def test_a_bias_that_is_never_above_0_has_half_a_scale(self):
        ax = figures.bias_matrix(np.asarray([[0.0, -2.0]]), limit=4)
        assert ax.figure.axes[1].get_ylim() == (-4.0, 0.0)
        shades = plt.get_cmap("coolwarm")([0.5, 0.25])
        assert (ax.collections[0].get_array()[0] == shades).all()

    def test_hidden_keys_have_no_bias_written_in(self):
        ax = figures.bias_matrix(np.asarray([[1.0, 2.0], [3.0, 4.0]]), causal=True)
        assert [t for t in figure_rules.texts(ax) if t] == ["+1.0", "+3.0", "+4.0"]

    def test_bias_of_zeros_has_the_middle_color(self):
        cells = figures.bias_matrix(np.zeros((2, 2))).collections[0]
        assert (cells.get_array() == plt.get_cmap("coolwarm")(0.5)).all()

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

    def test_linear_axis(self):
        assert figures.staircase(logarithmic=False).get_xscale() == "linear"


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

    def test_words_say_where_distances_become_alike(self):
        words = figure_rules.texts(figures.three_ways())
        assert [w for w in words if "alike" in w] == [
            "all distances alike from 15 on",
            "all distances alike from 91 on",
        ]
        assert [w.split("(")[1] for w in words if "numbers" in w] == [
            "128 numbers)",
            "16 numbers)",
            "16 numbers)",
        ]


@pytest.mark.parametrize("draw", [figures.three_ways, figures.place_in_network])
def test_words_are_large_enough_on_a_phone(draw):
    ax = draw()
    shown = 320 / (72 * ax.figure.get_figwidth())  # pixels for a point, 320 in all
    sizes = [text.get_fontsize() for text in ax.texts if text.get_text()]
    assert min(sizes) * shown > 9


def test_the_bias_enters_every_self_attention_and_no_other():
    ax = figures.place_in_network()
    ink = to_rgba(THEMES["light"]["position"])
    boxes = [p for p in ax.patches if hasattr(p, "get_boxstyle")]
    names = {tuple(np.round(t.get_position(), 3)): t.get_text() for t in ax.texts}
    biased = []
    for box in boxes:
        x, y, width, height = box.get_bbox().bounds
        name = names[tuple(np.round((x + width / 2, y + height / 2), 3))]
        if to_rgba(box.get_edgecolor()) == ink:
            biased.append(name)
        else:
            assert name in ("cross-attention", "feed-forward")
    assert biased == ["self-attention"] * 6
    colored = [a for a in ax.texts if getattr(a, "arrow_patch", None) is not None]
    arrows = [a for a in colored if to_rgba(a.arrowprops["color"]) == ink]
    assert len(arrows) == 6 + 2  # and from each table to its bias


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

    def test_every_number_is_inside_its_panel(self):
        table = figures.mpnet_bias()
        panels = figures.trained_heads(table).axes
        assert len(panels) == 12
        for ax in panels:
            bottom, top = ax.get_ylim()
            strip = max(patch.get_y() + patch.get_height() for patch in ax.patches)
            drawn = np.concatenate([line.get_ydata() for line in ax.lines[2:]])
            assert drawn.size == 32
            assert bottom < strip < drawn.min()
            assert drawn.max() < top

    def test_labels_are_large_enough_on_a_phone(self):
        figure = figures.trained_heads(figures.mpnet_bias())
        shown = 320 / (72 * figure.get_figwidth())  # pixels for a point, 320 in all
        sizes = [text.get_fontsize() for text in figure.axes[-1].get_xticklabels()]
        assert min(sizes) * shown > 9
