"""Figures of the chapter on linear attention: they draw what posenc computes."""

import math

import numpy as np
import pytest

from posenc import linear_attention as la
from posenc.attention import attention_weights
from posenc.linear_attention import figures

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "states": [{"matrices": np.eye(2)[None].repeat(3, 0), "titles": "abc"}],
}

#: Arguments, and what the drawing must hold: see `figure_rules`.
SHOWS = {
    "states": (
        {
            "matrices": np.asarray([[[0, 2], [1, 0.5]], [[4, -3], [0.25, 8]]]),
            "titles": "ab",
        },
        *(["0", "2", "1", "0.5"], ["4", "-3", "0.25", "8"]),
    ),
    "chunk_map": ({"seq_len": 4, "chunk": 2}, [*"wwwSSwSSww"]),
    "circulant": ({"seq_len": 2}, ["0", "+1", "−1", "−1", "0", "+1", "+1", "−1", "0"]),
    "recall_curve": ({}, *(np.asarray(figures.recall()[n]) for n in ("lift", "elu"))),
    "quality_curves": (
        {"head_dims": (4, 8)},
        *(np.asarray(figures.quality(d)["taylor"]) for d in (4, 8)),
    ),
}


class TestData:
    def test_equal_weights_are_misplaced_as_far_as_softmax_is_uneven(self):
        result = figures.quality(8, seq_len=30)
        q, k = np.random.default_rng(0).normal(size=(2, 30, 8))
        for at, sharpness in enumerate(figures.SHARPNESS):
            softmax = attention_weights(sharpness * q, k)
            away = np.maximum(softmax - 1 / 30, 0).sum(-1)
            assert result["uniform"][at] == pytest.approx(away.mean())
            a, b = (la.elu_plus_one(sharpness**0.5 * x) for x in (q, k))
            weights = a @ b.T / (a @ b.T).sum(-1, keepdims=True)
            away = np.maximum(softmax - weights, 0).sum(-1)
            assert result["elu"][at] == pytest.approx(away.mean())
            scores = sharpness * q @ k.T / math.sqrt(8)
            kernel = ((scores + 1) ** 2 + 1) / 2
            away = np.maximum(softmax - kernel / kernel.sum(-1, keepdims=True), 0)
            assert result["taylor"][at] == pytest.approx(away.sum(-1).mean())

    def test_recall_of_every_way(self):
        result = figures.recall(8, tries=1)
        at = figures.PAIRS.index(32)
        rng = np.random.default_rng(0)
        k, v = rng.normal(size=(32, 8)), rng.choice([-1.0, 1.0], size=(32, 8))
        mixed = la.elu_plus_one(k @ rng.normal(size=(8, 36)) / math.sqrt(8))
        for name, kernel in (
            ("elu, more", mixed @ mixed.T),
            ("softmax", np.exp(k @ k.T / math.sqrt(8))),
            ("lift", (k @ k.T) ** 2),
            ("elu", la.elu_plus_one(k) @ la.elu_plus_one(k).T),
        ):
            share = (np.sign(kernel @ v) == v).mean()
            assert result[name][at] == pytest.approx(share)

    def test_negative_share_counts_the_signs_of_turned_products(self):
        q, k = np.random.default_rng(0).normal(size=(2, 20, 2))
        a, b = (la.elu_plus_one(x) @ [1, 1j] for x in (q, k))
        turn = np.exp(1j * (np.arange(20)[:, None] - np.arange(20)))
        products = (a[:, None] * np.conj(b) * turn).real
        share = figures.negative_share(20, 2, la.elu_plus_one)
        assert share == (products < 0).mean()

    @pytest.mark.parametrize("others", [1, 2, 5])
    def test_weight_of_the_own_value(self, others):
        angles = np.asarray([0.1, 1.0, 3.0])
        plain = figures.last_weight(angles, others=others)
        np.testing.assert_allclose(plain, np.full(3, 1 / (others + 1)))
        both = figures.last_weight(angles, others=others, rotated=True)
        np.testing.assert_allclose(both, 1 / (1 + others * np.cos(angles)))
