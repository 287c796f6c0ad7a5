"""The widget of the chapter TITLE on the side of Python."""

import numpy as np

from posenc.SLUG import scaled_position
from posenc.SLUG.widgets import CLASSLine


def test_its_lines_are_those_of_posenc():
    widget = CLASSLine()
    for scale, line in zip(widget.choices["scale"], widget.lines, strict=True):
        expected = scaled_position(np.arange(len(line)), scale=scale)
        np.testing.assert_array_equal(line, expected)
