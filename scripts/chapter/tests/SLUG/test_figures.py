"""Figures of the chapter TITLE: what they draw is what posenc computes."""

import numpy as np

from posenc.SLUG.figures import opening


def test_opening():
    first, second = opening(scale=0.25).lines
    np.testing.assert_array_equal(first.get_ydata(), np.arange(10))
    np.testing.assert_array_equal(second.get_ydata(), np.arange(10) / 4)
