"""The errata of the chapter on linear attention: each claim tested, and the truth."""

import math

import numpy as np
import pytest

from posenc import alibi
from posenc import linear_attention as la
from posenc.attention import attention_weights
from posenc.pages import errata
from posenc.rope import apply_rotary, rotary_angles

BY_ID = {e.id: e for e in errata.load()}


@pytest.fixture
def qkv():
    return np.random.default_rng(0).normal(size=(3, 60, 8))


def test_linear_additive(qkv):
    q, k, v = qkv
    kernel = la.elu_plus_one(q) @ la.elu_plus_one(k).T
    bias = alibi.alibi_bias(4, 60, 60)[1]
    slope = 2.0**-4
    steps = np.arange(60.0)
    factors = np.exp(-slope * steps)[:, None] * np.exp(slope * steps)[None, :]
    np.testing.assert_allclose(np.tril(factors), np.tril(np.exp(bias)), rtol=1e-12)
    weights = np.tril(np.exp(bias)) * kernel
    expected = weights @ v / weights.sum(1, keepdims=True)
    # The state decays by exp(-m) at each step.
    for form in (la.recurrent_form, la.chunked_form):
        np.testing.assert_allclose(
            form(q, k, v, decay=math.exp(-slope)), expected, atol=1e-12
        )

    # Both directions: a state that walks forward and one that walks backward.
    def walk(q, k, v, state=0.0):
        for a, b, c in zip(q, k, v, strict=True):
            state = math.exp(-slope) * state + np.outer(b, c)
            yield a @ state

    a, b = la.elu_plus_one(q), la.elu_plus_one(k)
    ones = np.column_stack([v, np.ones(60)])  # the last column is the normalizer
    back = list(walk(a[::-1], b[::-1], ones[::-1]))[::-1]
    own = (a * b).sum(1, keepdims=True) * ones
    sums = np.asarray(list(walk(a, b, ones))) + np.asarray(back) - own
    both = np.exp(-slope * np.abs(steps[:, None] - steps)) * kernel
    expected = both @ v / both.sum(1, keepdims=True)
    np.testing.assert_allclose(sums[:, :-1] / sums[:, -1:], expected, atol=1e-12)


def test_linear_denominator(qkv):
    q, k, v = qkv
    angles = rotary_angles(np.arange(60.0), 8)
    features = [la.elu_plus_one(x) for x in (q, k)]
    turned = [apply_rotary(x, angles) for x in features]
    top, bottom = turned[0] @ turned[1].T, (features[0] @ features[1].T).sum(1)
    paper = top @ v / bottom[:, None]
    np.testing.assert_allclose(la.linear_attention(q, k, v, angles=angles), paper)
    # Rotated products have both signs, and a rotated denominator can be 0.
    assert (top < 0).any()
    assert (top > 0).any()
    ones = np.ones((3, 2))
    angle = math.acos(-0.5)
    turned = apply_rotary(ones, np.asarray([[angle], [angle], [0.0]]))
    assert (turned @ turned.T)[2].sum() == pytest.approx(0, abs=1e-12)
    assert (ones @ ones.T)[2].sum() == 6


def test_linear_lift_first(qkv):
    q, k, _ = qkv

    def weights(shift):
        angles = rotary_angles(np.arange(60.0) + shift, 8)
        a, b = (la.elu_plus_one(apply_rotary(x, angles)) for x in (q, k))
        turned_first = a @ b.T / (a @ b.T).sum(1, keepdims=True)
        return turned_first, la.linear_attention_weights(q, k, angles=angles)

    (first, right), (first_moved, right_moved) = weights(0), weights(1)
    np.testing.assert_allclose(right_moved, right, atol=1e-13)
    assert np.abs(first_moved / first - 1).max() > 0.1  # the claim

    def lifted(shift):  # a kernel of q · k alone: turned first
        angles = rotary_angles(np.arange(60.0) + shift, 8)
        turned = (apply_rotary(x, angles) for x in (q, k))
        return la.linear_attention_weights(*turned, feature_map=la.polynomial_lift)

    np.testing.assert_allclose(lifted(1), lifted(0), atol=1e-13)
    assert lifted(0).min() >= 0
    np.testing.assert_allclose(lifted(0).sum(1), 1)


class Counted(float):
    """A number that counts the products it takes part in."""

    products = 0

    def __mul__(self, other):
        Counted.products += 1
        return float(self) * float(other)


def test_linear_cost():
    def spent(length, width):
        shape = (length, width)
        q = k = v = np.asarray([[Counted(1.0)] * width] * length, dtype=object)
        Counted.products = 0
        state = np.matmul(k.T, v)
        out = np.matmul(q, state)
        np.testing.assert_array_equal(out.astype(float), np.full(shape, length * width))
        return Counted.products

    for length, width in ((8, 2), (8, 3), (16, 3)):
        assert spent(length, width) == 2 * length * width**2
    # Twice as long, twice the work: with L^d, d = 3, it would be eight times.
    assert spent(16, 3) == 2 * spent(8, 3)
    assert "$O(L d^2)$" in BY_ID["linear-cost"].truth


def test_linear_scale(qkv):
    q, k, v = qkv
    right = attention_weights(q, k) @ v
    inside = np.exp(q @ k.T / math.sqrt(8))
    np.testing.assert_allclose(inside @ v / inside.sum(1, keepdims=True), right)
    behind = np.exp(q @ k.T)
    behind = behind @ v / behind.sum(1, keepdims=True) / math.sqrt(8)
    assert np.abs(behind - right).max() > 0.1  # the claim


def test_linear_symbols(qkv):
    q, k, _ = (x[:2] for x in qkv)
    angles = rotary_angles(np.asarray([3.0, 5.0]), 8)
    a, b = la.elu_plus_one(q)[:1], la.elu_plus_one(k)[1:]
    both = apply_rotary(a, angles[:1]) @ apply_rotary(b, angles[1:]).T
    offset = apply_rotary(b, angles[1:] - angles[:1])
    np.testing.assert_allclose(both, a @ offset.T)  # keys at n, queries at m
    # Keys at m, too, as printed: no position is left.
    printed = apply_rotary(a, angles[:1]) @ apply_rotary(b, angles[:1]).T
    np.testing.assert_allclose(printed, a @ b.T)
    assert not np.allclose(both, printed)
