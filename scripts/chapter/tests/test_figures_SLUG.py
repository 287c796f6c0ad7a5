"""Figures of the chapter TITLE: what they draw is what posenc computes."""

import figure_rules
import numpy as np

from posenc.figures.SLUG import opening


def test_opening():
    first, second = opening().lines
    np.testing.assert_array_equal(first.get_ydata(), np.arange(10))
    np.testing.assert_array_equal(second.get_ydata(), np.arange(10) / 2)
    assert figure_rules.comes_in_two_themes(opening)
    assert figure_rules.draws_where_it_is_told(opening)
