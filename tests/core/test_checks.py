import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.core.checks import (
    broadcast_shape,
    check_batch,
    check_broadcast,
    check_finite,
    check_fits_scores,
    check_int,
    check_positions,
    check_range,
)

shapes = st.lists(st.sampled_from([0, 1, 2, 3]), max_size=4).map(tuple)


@given(first=shapes, second=shapes)
def test_shapes_broadcast_as_in_numpy(first, second):
    try:
        expected = np.broadcast_shapes(first, second)
    except ValueError:
        expected = None
    assert broadcast_shape(first, second) == expected


def test_batches_of_all_arguments_are_joined(xp):
    arrays = {"q": xp.ones((2, 1, 4, 3)), "k": xp.ones((5, 6, 3)), "v": xp.ones((6, 2))}
    assert check_broadcast(**arrays) == (2, 5)
    assert check_broadcast(1, q=arrays["q"]) == (2, 1, 4)


@pytest.mark.parametrize("shape", [(3, 7, 8), (2, 3, 7, 8), (7, 8), (1, 1, 7, 8)])
def test_a_batch_may_be_stretched(xp, shape):
    check_batch("table", xp.ones(shape), (2, 3), axes=2)


@pytest.mark.bad_input
@pytest.mark.parametrize("shape", [(2, 7, 8), (1, 2, 3, 7, 8), (3, 1, 7, 8)])
def test_a_batch_may_not_grow(xp, shape):
    message = r"the leading axes of table must broadcast to \(2, 3\) \(batch and heads"
    with pytest.raises(ValueError, match=message):
        check_batch("table", xp.ones(shape), (2, 3), axes=2)


@pytest.mark.parametrize("shape", [(), (5,), (4, 1), (2, 4, 5), (6, 1, 4, 5)])
def test_a_bias_may_add_batch_axes(xp, shape):
    check_fits_scores("bias", xp.ones(shape), (2, 4, 5))


@pytest.mark.bad_input
def test_values_are_read_where_there_are_any(xp):
    torch = pytest.importorskip("torch")
    bad = xp.asarray([0.0, float("nan")])
    with pytest.raises(ValueError, match="x must be finite, got nan"):
        check_finite("x", bad)
    with pytest.raises(ValueError, match=r"x must be in 0 … 1, got 2: count from 0"):
        check_range("x", xp.asarray([1, 2]), 0, 1, remedy="count from 0")
    check_finite("x", torch.ones(2, device="meta"))
    check_range("x", torch.ones(2, device="meta"), 5, 6, remedy="")


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, np.asarray])
def test_a_size_becomes_an_integer_of_python(kind):
    found = check_int("n", kind(7))
    assert type(found) is int
    assert found == 7


@pytest.mark.parametrize("dtype", ["int64", "float64", "float32", "int8"])
def test_positions_are_refused_where_they_cannot_be_told(xp, dtype):
    dtype = getattr(xp, dtype)
    if dtype == xp.int8:
        check_positions("m", xp.asarray([-128, 127], dtype=dtype), far=2**32)
        return
    for far in (2**32, 2**53):
        power = 24 if dtype == xp.float32 else far.bit_length() - 1
        check_positions(
            "m", xp.asarray([1 - 2**power, 2**power - 1], dtype=dtype), far=far
        )
        for large in (2**power, -(2 ** (power + 1))):
            with pytest.raises(
                ValueError,
                match=rf"m must lie between -2\*\*{power} and 2\*\*{power}, got",
            ):
                check_positions("m", xp.asarray([0, large], dtype=dtype), far=far)


@pytest.mark.bad_input
def test_the_largest_size_is_no_bound_of_a_length_that_is_kept_open():
    torch = pytest.importorskip("torch")
    from posenc.nn import ShawAttention

    length = torch.export.Dim("length", min=2)
    q = torch.ones(1, 2, 5, 8)
    shapes = ({2: length},) * 3
    module = ShawAttention(2, 8, 2).eval()
    exported = torch.export.export(
        module, (q, q, q), dynamic_shapes=shapes, strict=True
    )
    x = torch.randn(1, 2, 9, 8)
    torch.testing.assert_close(exported.module()(x, x, x), module(x, x, x))
