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
    def test_points_are_inside_or_outside_with_room_between(self):
        widget = KernelLift()
        heights = polynomial_lift(np.asarray(widget.points)) @ np.asarray(widget.plane)
        assert heights.shape == (48,)
        assert (heights[:24] < 0.85).all()
        assert (heights[24:] > 1.2).all()

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


@pytest.mark.parametrize(("seq_len", "head_dim"), [(3, 2), (2, 3)])
def test_multiplications_are_those_of_the_products(seq_len, head_dim):
    first, second = 2 * seq_len**2 * head_dim, 2 * seq_len * head_dim**2
    assert figures.multiplications(seq_len, head_dim) == (first, second)
    assert figures.numbers_between(seq_len, head_dim) == (seq_len**2, head_dim**2)


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
