"""Array functions of the chapter TITLE against an oracle of plain loops."""

import numpy as np
import pytest

from posenc.SLUG import scaled_position
from posenc.SLUG.exercises import oracle


@pytest.mark.parametrize("scale", [0.25, 1, -3.5])
def test_each_position_is_multiplied(xp, scale):
    positions = np.asarray([-2.0, 0.0, 0.5, 7.0])
    out = scaled_position(xp.asarray(positions), scale=scale)
    np.testing.assert_allclose(np.asarray(out), oracle.scaled(positions, scale))


def test_whole_positions_give_floating_point(xp):
    out = scaled_position(xp.arange(3), scale=2)
    np.testing.assert_array_equal(np.asarray(out), [0.0, 2.0, 4.0])
    assert xp.isdtype(out.dtype, "real floating")
    assert scaled_position(np.arange(3)).tolist() == [0.0, 1.0, 2.0]


@pytest.mark.bad_input
def test_bad_input_is_refused():
    with pytest.raises(TypeError, match="positions must hold"):
        scaled_position(np.asarray([True]))
    with pytest.raises(ValueError, match=r"scale must be .*got nan"):
        scaled_position(np.arange(3), scale=float("nan"))
