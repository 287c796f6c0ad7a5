import numpy as np
import pytest

from posenc.SLUG import scaled_position


@pytest.mark.parametrize("scale", [0.25, 1, -3.5])
def test_each_position_is_multiplied(xp, scale):
    positions = xp.asarray([-2.0, 0.0, 0.5, 7.0])
    expected = [scale * p for p in (-2.0, 0.0, 0.5, 7.0)]
    out = scaled_position(positions, scale=scale)
    np.testing.assert_allclose(np.asarray(out), expected)


def test_whole_positions_give_floating_point(xp):
    out = scaled_position(xp.arange(3), scale=0.5)
    np.testing.assert_array_equal(np.asarray(out), [0.0, 0.5, 1.0])
    assert scaled_position(np.arange(3)).tolist() == [0.0, 1.0, 2.0]


@pytest.mark.bad_input
def test_bad_input_is_refused():
    with pytest.raises(TypeError, match="positions must hold"):
        scaled_position(np.asarray([True]))
    with pytest.raises(ValueError, match=r"scale must be .*got nan"):
        scaled_position(np.arange(3), scale=float("nan"))
