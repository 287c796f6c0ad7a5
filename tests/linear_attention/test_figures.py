"""Figures of the chapter on linear attention: they draw what posenc computes."""

import math

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from posenc import linear_attention as la
from posenc.attention import attention_weights
from posenc.kit.figures.palette import THEMES
from posenc.linear_attention import figures

LIGHT = THEMES["light"]

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "states": [{"matrices": np.eye(2)[None].repeat(3, 0), "titles": "abc"}],
}


def cells(ax, role):
    """Rectangles in the color of a role."""
    found = [p for p in ax.patches if isinstance(p, Rectangle)]
    return [p for p in found if to_hex(p.get_facecolor()) == LIGHT[role]]


class TestData:
    def test_equal_weights_are_misplaced_as_far_as_softmax_is_uneven(self):
        found = figures.quality(8, seq_len=30)
        q, k = np.random.default_rng(0).normal(size=(2, 30, 8))
        for at, sharpness in enumerate(figures.SHARPNESS):
            softmax = attention_weights(sharpness * q, k)
            away = np.maximum(softmax - 1 / 30, 0).sum(-1)
            assert found["uniform"][at] == pytest.approx(away.mean())
            a, b = (la.elu_plus_one(sharpness**0.5 * x) for x in (q, k))
            weights = a @ b.T / (a @ b.T).sum(-1, keepdims=True)
            away = np.maximum(softmax - weights, 0).sum(-1)
            assert found["elu"][at] == pytest.approx(away.mean())
            scores = sharpness * q @ k.T / math.sqrt(8)
            kernel = ((scores + 1) ** 2 + 1) / 2
            away = np.maximum(softmax - kernel / kernel.sum(-1, keepdims=True), 0)
            assert found["taylor"][at] == pytest.approx(away.sum(-1).mean())

    def test_random_features_come_near_where_vectors_are_short(self):
        found = figures.quality(4, seq_len=64)
        assert found["random 1024"][0] < 0.03
        assert found["random 1024"][0] < found["random 64"][0] < found["uniform"][0]

    def test_recall_of_every_way(self):
        found = figures.recall(8, tries=1)
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
            assert found[name][at] == pytest.approx(share)

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


class TestOpening:
    @pytest.mark.parametrize(("seq_len", "features"), [(9, 2), (6, 3)])
    def test_cells_are_the_numbers_of_the_matrices(self, seq_len, features):
        ax = figures.opening(seq_len=seq_len, features=features)
        for role in ("query", "key", "value"):
            assert len(cells(ax, role)) == 2 * seq_len * features
        assert len(cells(ax, "muted")) == seq_len**2 + features**2


def test_states_show_their_numbers():
    matrices = np.asarray([[[0, 2], [1, 0.5]], [[4, -3], [0.25, 8]]])
    figure = figures.states(matrices, ["one", "two"])
    for ax, matrix in zip(figure.axes, matrices, strict=True):
        shown = [text.get_text() for text in ax.texts]
        assert shown == [f"{x:g}" for x in matrix.ravel()]


@pytest.mark.parametrize(("seq_len", "chunk"), [(12, 4), (7, 3)])
def test_chunk_map_writes_the_triangles_only(seq_len, chunk):
    ax = figures.chunk_map(seq_len, chunk)
    written = np.zeros((seq_len, seq_len), dtype=object)
    for text in ax.texts:
        x, y = text.get_position()
        written[int(y), int(x)] = text.get_text()
    for i, j in np.ndindex(seq_len, seq_len):
        if j > i:
            assert written[i, j] == ""
        else:
            assert written[i, j] == ("w" if i // chunk == j // chunk else "S")


@pytest.mark.parametrize("seq_len", [2, 4])
def test_the_corner_of_the_circulant_is_the_toeplitz_matrix(seq_len):
    ax = figures.circulant(seq_len)
    size = 2 * seq_len - 1
    shown = np.empty((size, size), dtype=int)
    for text in ax.texts:
        x, y = text.get_position()
        shown[int(y), int(x)] = int(text.get_text().replace("−", "-"))
    i, j = np.arange(size)[:, None], np.arange(size)
    np.testing.assert_array_equal((shown - (j - i)) % size, np.zeros((size, size)))
    corner = (j - i)[:seq_len, :seq_len]
    np.testing.assert_array_equal(shown[:seq_len, :seq_len], corner)


def test_curves_are_those_of_the_data():
    ax = figures.recall_curve()
    found = figures.recall()
    drawn = [line.get_ydata() for line in ax.lines[:4]]
    np.testing.assert_array_equal(
        drawn, [found[name] for name in ("softmax", "lift", "elu, more", "elu")]
    )
    above, below = figures.quality_curves((4, 8)).axes
    for axes, head_dim in ((above, 4), (below, 8)):
        found = figures.quality(head_dim)
        curves = [line.get_ydata() for line in axes.lines]
        names = ("uniform", "taylor", "elu", "random 64", "random 1024")
        np.testing.assert_array_equal(curves, [found[name] for name in names])


def test_the_zero_of_the_denominator_splits_one_curve_only():
    ax = figures.denominator()
    curves = [line.get_xydata() for line in ax.lines if len(line.get_xydata()) > 2]
    before, after, level = curves
    for curve in (before, after):
        expected = 1 / (1 + 2 * np.cos(np.radians(curve[:, 0])))
        np.testing.assert_allclose(curve[:, 1], expected, rtol=1e-6)
    assert before[-1, 1] > 50
    assert after[0, 1] < -50
    np.testing.assert_allclose(level[:, 1], np.full(len(level), 1 / 3))
