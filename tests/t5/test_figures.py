"""Figures of the chapter on T5: what they draw is what posenc computes."""

import hashlib

import matplotlib.pyplot as plt
import numpy as np
import pytest

from posenc import t5
from posenc.core.arrays import relative_positions
from posenc.kit.figures.palette import contrast
from posenc.kit.figures.text import readable_ink
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

#: Arguments, and what the drawing must hold: see `figure_rules`.
BUCKETS = t5.relative_position_bucket(relative_positions(5, 7), num_buckets=8)
HEADS = np.random.default_rng(0).normal(size=(32, 12))
SHOWS = {
    "bucket_matrix": (
        {"buckets": BUCKETS},
        [str(bucket) for bucket in BUCKETS.ravel()],
    ),
    "trained_heads": ({"table": HEADS}, HEADS[15::-1, 5], HEADS[17:, 5]),
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


class TestMatrix:
    def test_ink_can_be_read_on_every_color(self):
        for name in ("viridis", "coolwarm"):
            for shade in plt.get_cmap(name)(np.arange(256)):
                fill = "#" + "".join(f"{round(255 * c):02x}" for c in shade[:3])
                assert contrast(readable_ink(shade), fill) >= 4.5


class TestTrainedBias:
    def test_the_table_is_the_published_one(self):
        table = figures.mpnet_bias().astype("<f4")
        assert table.shape == (32, 12)
        digest = "d5895cfdab59424c0d1118f7106bb08b614253604130093a7c4ce6439c78cc98"
        assert hashlib.sha256(table.tobytes()).hexdigest() == digest

    @pytest.mark.parametrize("setting", SETTINGS, ids=str)
    def test_a_bucket_of_another_setting_has_the_bias_of_its_nearest_distance(
        self, setting
    ):
        column, bias = figures.mpnet_bias()[:, 7], figures.mpnet_head(**setting)
        assert bias.shape == (setting["num_buckets"],)
        for bucket, first, last in bucket_steps(**setting)[0]:
            nearest = np.asarray(first if first > 0 else last).astype(int)
            assert bias[bucket] == column[t5.relative_position_bucket(nearest)]
