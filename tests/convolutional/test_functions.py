import numpy as np
import pytest

from posenc.convolutional import (
    convolutional_encoding,
    gelu,
    grouped_convolution,
    normalized_weight,
)
from posenc.convolutional.exercises import oracle

SHAPES = [  # batch, seq_len, channels, kernel, groups
    (2, 7, 6, 3, 2),
    (2, 7, 6, 4, 3),
    (1, 3, 4, 8, 1),
    (1, 3, 4, 9, 4),
    (2, 5, 3, 1, 1),
    (1, 1, 2, 2, 2),
]


def arrays(rng, batch, seq_len, channels, kernel, groups):
    x = rng.normal(size=(batch, seq_len, channels))
    weight = rng.normal(size=(channels, channels // groups, kernel))
    return x, weight, rng.normal(size=channels)


# --- both forms against the formula ---------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_matches_the_formula(xp, rng, shape):
    x, weight, bias = arrays(rng, *shape)
    expected = oracle.encoding(x, weight, bias, groups=shape[-1])
    x, weight, bias = (xp.asarray(array) for array in (x, weight, bias))
    fast = convolutional_encoding(x, weight, bias, groups=shape[-1])
    plain = gelu(grouped_convolution(x, weight, groups=shape[-1]) + bias)
    for out in (fast, plain):
        assert out.dtype == xp.float64
        np.testing.assert_allclose(np.asarray(out), expected, rtol=0, atol=1e-12)


def test_normalized_weight_has_the_lengths_it_is_given(xp, rng):
    direction, length = rng.normal(size=(6, 2, 5)), rng.uniform(1, 2, size=5)
    weight = np.asarray(normalized_weight(xp.asarray(direction), xp.asarray(length)))
    np.testing.assert_allclose(np.linalg.norm(weight, axis=(0, 1)), length)
    ratio = weight / direction  # one positive factor per place
    np.testing.assert_allclose(ratio, np.broadcast_to(ratio[0, 0], ratio.shape))
    assert (ratio > 0).all()


def test_taps_that_are_all_zero_stay_zero(xp):
    direction = xp.asarray([[[3.0, 0.0], [4.0, 0.0]]])
    result = normalized_weight(direction, xp.asarray([5.0, 2.0]))
    np.testing.assert_allclose(np.asarray(result), [[[3.0, 0.0], [4.0, 0.0]]])


# --- padding --------------------------------------------------------------------------


@pytest.mark.parametrize("left", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_masked_padding_is_read_as_zeros(xp, rng, shape, left):
    x, weight, bias = arrays(rng, *shape)
    garbage = np.full((shape[0], 3, shape[2]), np.nan)
    parts = [garbage, x] if left else [x, garbage]
    mask = np.arange(shape[1] + 3)
    mask = mask >= 3 if left else mask < shape[1]
    arguments = (np.concatenate(parts, axis=1), weight, bias)
    result = convolutional_encoding(
        *map(xp.asarray, arguments), groups=shape[-1], mask=xp.asarray(mask)
    )
    expected = oracle.encoding(x, weight, bias, groups=shape[-1])
    np.testing.assert_allclose(np.asarray(result)[:, mask], expected, atol=1e-12)
    assert (np.asarray(result)[:, ~mask] == 0).all()
