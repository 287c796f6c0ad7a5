"""Still pictures of the widgets on linear attention: they draw what posenc computes."""

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

#: Arguments, and what the drawing must hold: see `figure_rules`.
STEP = figures.state_step(3, 0.0)
SHOWS = {
    "state_overview": (
        {"t": 3, "slope": 0.0},
        [str(round(number)) for number in STEP.added.ravel()],
        [str(round(number)) for number in STEP.state.ravel()],
    ),
    "cost_overview": (COST, np.asarray([1.5, 3.0]), np.asarray([5.0])),
}


class TestLift:
    def test_the_ellipse_is_the_cut(self):
        points = figures.ellipse()
        heights = polynomial_lift(points) @ figures.ellipse_plane()
        np.testing.assert_allclose(heights, 1, rtol=1e-12)
        lengths = np.hypot(*points.T)
        assert (lengths.min(), lengths.max()) == pytest.approx((0.6, 1.2), abs=1e-3)
