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


@pytest.mark.parametrize("kernel", [3, 4])
def test_equals_the_layers_that_fairseq_stacks(rng, kernel):
    torch = pytest.importorskip("torch")
    x, weight, bias = map(torch.from_numpy, arrays(rng, 2, 7, 6, kernel, 2))
    conv = torch.nn.Conv1d(6, 6, kernel, padding=kernel // 2, groups=2).double()
    conv = torch.nn.utils.parametrizations.weight_norm(conv, name="weight", dim=2)
    length = torch.rand(kernel, dtype=torch.float64)
    conv.parametrizations.weight.original0.data = length.reshape(1, 1, kernel)
    conv.parametrizations.weight.original1.data = weight
    conv.bias.data = bias
    stacked = conv(x.transpose(1, 2))
    if kernel % 2 == 0:
        stacked = stacked[:, :, :-1]
    stacked = torch.nn.functional.gelu(stacked).transpose(1, 2)
    out = convolutional_encoding(x, normalized_weight(weight, length), bias, groups=2)
    torch.testing.assert_close(out, stacked)


# --- properties -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kernel", "first", "last"),
    [(128, -64, 63), (127, -63, 63), (2, -1, 0), (3, -1, 1), (1, 0, 0)],
)
def test_receptive_field(xp, kernel, first, last):
    # The frames that see an impulse at frame 100 have it in their window.
    impulse = np.zeros((1, 201, 1))
    impulse[0, 100] = 1
    impulse, weight = xp.asarray(impulse), xp.ones((1, 1, kernel), dtype=xp.float64)
    bias = xp.zeros(1, dtype=xp.float64)  # and GELU keeps 0 at 0
    out = convolutional_encoding(impulse, weight, bias, groups=1)
    offsets = 100 - np.flatnonzero(np.asarray(out)[0, :, 0])
    np.testing.assert_array_equal(np.sort(offsets), np.arange(first, last + 1))


def test_groups_do_not_see_each_other(xp, rng):
    x, weight, bias = arrays(rng, 1, 9, 6, 4, 3)
    changed = x.copy()
    changed[:, :, 2:4] += 1  # the second of three groups
    before, after = (
        np.asarray(
            convolutional_encoding(*map(xp.asarray, (a, weight, bias)), groups=3)
        )
        for a in (x, changed)
    )
    differs = (before != after).any(axis=(0, 1))
    np.testing.assert_array_equal(differs, [False, False, True, True, False, False])


def test_relative_inside_and_absolute_at_the_ends(xp, rng):
    _, weight, bias = arrays(rng, 1, 1, 4, 5, 2)
    constant = np.ones((1, 12, 4))
    out = np.asarray(
        convolutional_encoding(*map(xp.asarray, (constant, weight, bias)), groups=2)
    )
    inside = np.broadcast_to(out[:, 5:6], (1, 8, 4))
    np.testing.assert_allclose(out[:, 2:10], inside, rtol=0, atol=1e-14)
    ends = [0, 1, 10, 11]  # the zeros beyond give them away
    assert (abs(out[:, ends] - out[:, 5:6]) > 1e-3).any(axis=-1).all()


def test_normalized_weight_has_the_lengths_it_is_given(xp, rng):
    direction, length = rng.normal(size=(6, 2, 5)), rng.uniform(1, 2, size=5)
    weight = np.asarray(normalized_weight(xp.asarray(direction), xp.asarray(length)))
    np.testing.assert_allclose(np.linalg.norm(weight, axis=(0, 1)), length)
    ratio = weight / direction  # one positive factor per place
    np.testing.assert_allclose(ratio, np.broadcast_to(ratio[0, 0], ratio.shape))
    assert (ratio > 0).all()


# --- gradients, tracing, the module ---------------------------------------------------


# --- bad input ------------------------------------------------------------------------


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
