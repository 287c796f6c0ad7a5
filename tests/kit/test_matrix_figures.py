import matplotlib.pyplot as plt
import numpy as np
import pytest

from posenc.kit.figures.matrix import draw_matrix
from posenc.kit.figures.themes import SMALLEST, drawn


@pytest.mark.parametrize(
    ("text", "narrow", "large"),
    [
        ("12", True, True),
        ("1.2", True, True),
        ("1234", True, False),
        ("12", False, False),
    ],
)
def test_cells_of_a_narrow_matrix_have_legible_letters_where_they_hold_them(
    text, narrow, large
):
    def draw():
        ax = plt.subplots(figsize=(4.1, 4.1))[1]
        return draw_matrix(np.ones((12, 12, 4)), np.full((12, 12), text), ax=ax)

    figure = drawn(draw, narrow=narrow)
    (size,) = {one.get_fontsize() for one in figure.axes[0].texts}
    assert (size == SMALLEST) == large
    assert size <= SMALLEST
    plt.close(figure)
