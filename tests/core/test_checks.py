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
    check_mask,
    check_namespace,
    check_positions,
    check_range,
    check_real,
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
@pytest.mark.parametrize("shape", [(4,), (5, 4), (3, 4, 5), (0, 5)])
def test_a_bias_may_not_stretch_the_scores(xp, shape):
    message = r"bias must broadcast to the scores' shape \(2, 4, 5\) \(\.\.\., q_len"
    with pytest.raises(ValueError, match=message):
        check_fits_scores("bias", xp.ones(shape), (2, 4, 5))
    one = xp.ones((1, 1))
    with pytest.raises(ValueError, match="bias must broadcast"):  # not one query to 3
        check_fits_scores("bias", xp.ones((3, 1)), one.shape)


@pytest.mark.bad_input
def test_a_mask_is_boolean(xp):
    scores = xp.ones((2, 3))
    check_mask(scores > 0, scores.shape)
    with pytest.raises(TypeError, match=r"mask must be boolean \(True = may attend\)"):
        check_mask(scores, scores.shape)


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


@pytest.mark.bad_input
@pytest.mark.parametrize("name", ["bool", "complex64"])
def test_real_numbers_are_integers_or_floating(xp, name):
    for good in (xp.int64, xp.float32, xp.float16):
        check_real("x", xp.ones(2, dtype=good))
    dtype = getattr(xp, name, bool)
    with pytest.raises(TypeError, match="x must hold integers or floating-point"):
        check_real("x", xp.ones(2, dtype=dtype))


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, np.asarray])
def test_a_size_becomes_an_integer_of_python(kind):
    found = check_int("n", kind(7))
    assert type(found) is int
    assert found == 7


@pytest.mark.bad_input
@pytest.mark.parametrize(
    "value", [True, np.True_, 7.0, "7", None, [7], np.ones(2, int)]
)
def test_what_is_no_integer_is_no_size(value):
    with pytest.raises(TypeError, match="n must be an integer of at least 0, got "):
        check_int("n", value)


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


def test_arrays_of_two_libraries_are_told_apart():
    torch = pytest.importorskip("torch")
    message = "q, k must be arrays of one library, got numpy, torch: convert them first"
    with pytest.raises(TypeError, match=message):
        check_namespace(q=np.ones(2), mask=None, k=torch.ones(2))


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
