"""Still pictures of the widgets on linear attention: they draw what posenc computes."""

import figure_rules
import numpy as np
import pytest

from posenc.linear_attention import figures, polynomial_lift

Q, K = (1.1, 0.5), (0.4, 1.0)
CELLS = {
    "1024": {"fast": {"ms": 1.5, "mib": 2.0}, "slow": {"ms": 5.0, "mib": 80.0}},
    "2048": {"fast": {"ms": 3.0, "mib": 4.0}},
}
NAMES = {"fast": "the fast one", "slow": "the slow one"}


PAIR = {"q": Q, "k": K}
LIFT = PAIR | {"cloud": True, "azimuth": -45, "elevation": 15}
COST = {"cells": CELLS, "names": NAMES, "what": "ms", "chosen": ("slow", "fast")}
COST |= {"log": True, "length": 1024}

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "cost_overview": [COST],
    "flat_plane": [PAIR],
    "lift_overview": [LIFT],
    "lifted_cone": [PAIR],
    "order_bars": [{"seq_len": 64, "head_dim": 8}],
    "order_shapes": [{"seq_len": 64, "head_dim": 8}],
    "orders_overview": [{"seq_len": 1024, "head_dim": 64}],
    "state_overview": [{"t": 3, "slope": 0.25}],
}


def lift(**options):
    return figures.lift_overview(**LIFT | options)


def cost(**options):
    return figures.cost_overview(**COST | options)


class TestLift:
    def test_the_ellipse_is_the_cut(self):
        points = figures.ellipse()
        heights = polynomial_lift(points) @ figures.ellipse_plane()
        np.testing.assert_allclose(heights, 1, rtol=1e-12)
        lengths = np.hypot(*points.T)
        assert (lengths.min(), lengths.max()) == pytest.approx((0.6, 1.2), abs=1e-3)

    def test_all_points_are_there_before_and_after(self):
        left, right = lift().axes
        inside = polynomial_lift(figures.cloud()) @ figures.ellipse_plane() < 1
        for ax, points in (
            (left, figures.cloud()),
            (right, figures.project(polynomial_lift(figures.cloud()), -45, 15)[:, :2]),
        ):
            lines = [line for line in ax.lines if len(line.get_xydata())]
            for marker, which in (("o", inside), ("s", ~inside)):
                (drawn,) = (line for line in lines if line.get_marker() == marker)
                np.testing.assert_allclose(drawn.get_xydata(), points[which])

    def test_both_products_are_written(self):
        left, right = lift().axes
        assert left.get_title().endswith("= 0.8836$")
        assert right.get_title().endswith("= 0.8836$")


class TestOrders:
    @pytest.mark.parametrize(("seq_len", "head_dim"), [(64, 16), (16, 64)])
    def test_rectangles_are_to_scale(self, seq_len, head_dim):
        ax = figures.order_shapes(seq_len, head_dim)
        shapes = [(p.get_height(), p.get_width()) for p in ax.patches]
        L, d = seq_len, head_dim
        tall, flat = (L, d), (d, L)
        wanted = [tall, flat, (L, L), tall, tall, (d, d), flat, tall]
        np.testing.assert_allclose(shapes, np.asarray(wanted) / max(L, d))

    def test_bars_are_to_scale(self):
        ax = figures.order_bars(256, 64)
        widths = [patch.get_width() for patch in ax.patches]
        np.testing.assert_allclose(widths, [1, 1 / 4, 1, 1 / 16])
        assert [t for t in figure_rules.texts(ax) if t[-1].isdigit()] == [
            f"{n:,}" for n in (2 * 256**2 * 64, 2 * 256 * 64**2, 256**2, 64**2)
        ]


class TestState:
    def test_the_numbers_are_the_steps(self):
        figure = figures.state_overview(3, 0.0)
        step = figures.state_step(3, 0.0)
        for ax, matrix in zip(
            figure.axes, (step.decayed, step.added, step.state), strict=False
        ):
            assert figure_rules.texts(ax) == [str(round(x)) for x in matrix.ravel()]
        outputs = [float(words) for words in figure_rules.texts(figure.axes[4])]
        np.testing.assert_allclose(outputs, step.output, atol=5.1e-3)

    def test_weights_are_bars_and_later_tokens_have_none(self):
        ax = figures.state_overview(2, 0.25).axes[3]
        widths = [patch.get_width() for patch in ax.patches]
        np.testing.assert_array_equal(widths, figures.state_step(2, 0.25).weights)
        assert widths[3:] == [0, 0, 0]


class TestCost:
    def test_curves_are_the_cells(self):
        left, _ = cost().axes
        fast, slow, _ = left.lines
        np.testing.assert_array_equal(fast.get_xydata(), [[1024, 1.5], [2048, 3.0]])
        np.testing.assert_array_equal(slow.get_xydata(), [[1024, 5.0]])

    def test_bars_hold_the_values_at_one_length(self):
        _, right = cost(length=2048).axes
        assert [patch.get_width() for patch in right.patches] == [3.0, 0]
