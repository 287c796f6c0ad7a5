"""The torch module of the chapter TITLE."""

import pytest
import torch

from posenc.SLUG.nn import CLASSEncoding


def test_it_adds_the_scaled_positions_along_its_direction():
    module = CLASSEncoding(3, scale=2)
    x = torch.randn(2, 4, 3)
    expected = x + 2 * torch.arange(4.0)[:, None] * module.direction
    torch.testing.assert_close(module(x), expected)


@pytest.mark.bad_input
def test_it_refuses_other_widths():
    with pytest.raises(ValueError, match="x must have shape"):
        CLASSEncoding(3)(torch.ones(2, 4, 5))
    with pytest.raises(ValueError, match="d_model must be an integer of at least 1"):
        CLASSEncoding(0)
