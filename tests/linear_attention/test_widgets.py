"""The widgets on linear attention draw the numbers of posenc."""

import math

import numpy as np
import pytest

from posenc.core.running_example import K, Q, V
from posenc.linear_attention import (
    elu_plus_one,
    figures,
    linear_attention_weights,
    polynomial_lift,
    quadratic_form,
)
from posenc.linear_attention.widgets import CausalState, KernelLift

SLOPES = [slope for slope, _ in CausalState().slopes]


class TestLift:
    def test_the_ellipse_has_its_axes(self):
        plane, turn = figures.ellipse_plane(2.0, 0.5, 40.0), math.radians(40)
        long = 2 * np.asarray([math.cos(turn), math.sin(turn)])
        short = 0.5 * np.asarray([-math.sin(turn), math.cos(turn)])
        heights = polynomial_lift(np.stack([long, short, -long, 0.9 * long])) @ plane
        np.testing.assert_allclose(heights, [1, 1, 1, 0.81], rtol=1e-12)

    def test_points_are_inside_or_outside_with_room_between(self):
        widget = KernelLift()
        heights = polynomial_lift(np.asarray(widget.points)) @ np.asarray(widget.plane)
        assert heights.shape == (48,)
        assert (heights[:24] < 0.85).all()
        assert (heights[24:] > 1.2).all()

    def test_the_viewer_sees_lengths_and_angles_as_they_are(self):
        rng = np.random.default_rng(0)
        lifted = rng.normal(size=(5, 3))
        for azimuth, elevation in rng.uniform(-180, 180, (4, 2)):
            seen = figures.project(lifted, azimuth, elevation)
            np.testing.assert_allclose(seen @ seen.T, lifted @ lifted.T, atol=1e-12)

    def test_views_from_the_side_and_from_above(self):
        lifted = polynomial_lift(np.asarray([[0.6, 0.8], [2.0, 0.0]]))
        side, above = figures.project(lifted, 0, 0), figures.project(lifted, 0, 90)
        np.testing.assert_allclose(side[:, 1], [1 / 2**0.5, 4 / 2**0.5])
        # From above, an angle is doubled and a length squared: a point at angle 0 and
        # one at twice the angle of (0.6, 0.8).
        np.testing.assert_allclose(above[1, :2], [4 / 2**0.5, 0], atol=1e-12)
        double = 2 * math.atan2(0.8, 0.6)
        expected = np.asarray([math.cos(double), math.sin(double)]) / 2**0.5
        np.testing.assert_allclose(above[0, :2], expected, atol=1e-12)


class TestOrders:
    @pytest.mark.parametrize(("seq_len", "head_dim"), [(3, 2), (2, 3), (4, 4)])
    def test_multiplications_are_those_of_the_products(self, seq_len, head_dim):
        """Counted one by one, in loops over rows, columns and terms."""

        def product(a, b):
            (rows, inner), (same, columns) = a, b
            assert inner == same
            count = sum(1 for _ in np.ndindex(rows, columns, inner))
            return (rows, columns), count

        tall, flat = (seq_len, head_dim), (head_dim, seq_len)
        weights, first = product(tall, flat)
        _, second = product(weights, tall)
        state, third = product(flat, tall)
        _, fourth = product(tall, state)
        sums = first + second, third + fourth
        assert figures.multiplications(seq_len, head_dim) == sums
        sizes = math.prod(weights), math.prod(state)
        assert figures.numbers_between(seq_len, head_dim) == sizes


class TestState:
    @pytest.mark.parametrize("slope", SLOPES)
    def test_states_follow_the_recurrence_and_give_the_output(self, slope):
        rows = list(figures.ORDER)
        decay = math.exp(-slope)
        q, k, v = Q[rows], K[rows], V[rows]
        outputs = quadratic_form(q, k, v, causal=True, decay=decay)
        weights = linear_attention_weights(q, k, causal=True, decay=decay)
        before = np.zeros((4, 5))
        for t in range(len(rows)):
            step = figures.state_step(t, slope)
            np.testing.assert_allclose(step.decayed, decay * before, atol=1e-12)
            new = np.outer(elu_plus_one(k[t]), [*v[t], 1])
            np.testing.assert_array_equal(step.added, new)
            np.testing.assert_allclose(step.state, decay * before + new, atol=1e-12)
            top = elu_plus_one(q[t]) @ step.state
            np.testing.assert_allclose(top[:4] / top[4], outputs[t], atol=1e-12)
            np.testing.assert_allclose(step.output, outputs[t], atol=1e-12)
            np.testing.assert_array_equal(step.weights, weights[t])
            before = step.state

    def test_no_state_is_above_the_end_of_the_color_scale(self):
        limit = CausalState().limit
        highest = [
            figures.state_step(t, m).state.max() for t in range(6) for m in SLOPES
        ]
        assert limit == max(highest)
