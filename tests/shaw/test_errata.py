"""The errata of the chapter on Shaw: each claim put to the test, and what is true."""

import numpy as np
import pytest

from posenc import attention, shaw
from posenc.core.running_example import W_K, W_Q, K, Q, V, X
from posenc.pages import errata
from posenc.rotation import score_terms

BY_ID = {e.id: e for e in errata.load()}


@pytest.fixture
def tables():
    """A key table and a value table of three vectors, k = 1."""
    return np.random.default_rng(0).normal(size=(2, 3, 4))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_shaw_index(k):
    index = shaw.relative_position_index(10, 10, k)
    offset = np.arange(10) - np.arange(10)[:, None]
    # Were the claim true, index k would stand for keys to the right.
    np.testing.assert_array_equal(index == k, offset == 0)
    np.testing.assert_array_equal(index == 2 * k, offset >= k)
    assert (index.min(), index.max()) == (0, 2 * k)
    assert "from 0 to $2k$" in BY_ID["shaw-index"].truth


def test_shaw_terms(tables):
    # Without content in the query, the terms a and b vanish, c and d do not.
    blank = np.zeros_like(X)
    positions = np.random.default_rng(1).normal(size=X.shape)
    a, b, c, d = score_terms(blank, positions, W_Q, W_K)
    for part in (a, b, c):  # there is no content on the other side either
        np.testing.assert_array_equal(part, np.zeros((3, 3)))
    assert (d != 0).all()
    # Shaw's position term vanishes with the query: it holds nothing of c and d.
    np.testing.assert_array_equal(
        shaw.position_scores(blank @ W_Q, tables[0], 3), np.zeros((3, 3))
    )
    # It is a term b, linear in the query, and independent of the key's content.
    twice = shaw.position_scores(2 * Q, tables[0], 3)
    np.testing.assert_array_equal(twice, 2 * shaw.position_scores(Q, tables[0], 3))
    # And there is a term on the values.
    with_values = shaw.relative_attention(Q, K, V, *tables)
    without = shaw.relative_attention(Q, K, V, tables[0], 0 * tables[1])
    assert (with_values != without).all()


def test_shaw_where(tables):
    late = np.concatenate([np.ones((3, 4)), X])
    hidden = np.arange(6) >= 3

    def with_shaw(x, mask):
        return shaw.relative_attention(x @ W_Q, x @ W_K, x, *tables, mask=mask)

    def with_added(x, mask):
        x = x + np.random.default_rng(2).normal(size=(6, 4))[: len(x)]
        return attention.scaled_dot_product_attention(x @ W_Q, x @ W_K, x, mask=mask)

    # A sum with the tokens moves with the place, Shaw's vectors do not.
    got, want = with_shaw(late, hidden)[3:], with_shaw(X, None)
    np.testing.assert_allclose(got, want, rtol=1e-12)
    assert not np.isclose(with_added(late, hidden)[3:], with_added(X, None)).any()


def test_shaw_exponential():
    # The sum is over exp e: without the score it would be the same for all queries.
    powers = np.exp(Q @ K.T / 2)
    sums = powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(attention.attention_weights(Q, K), powers / sums)
    assert not np.allclose(sums, sums[0])


def test_shaw_value_table(tables):
    keys, values = tables
    weights = attention.attention_weights(
        Q, K, bias=shaw.position_scores(Q, keys, 3) / 2
    )
    out = shaw.relative_attention(Q, K, V, keys, values)
    np.testing.assert_allclose(
        out, weights @ V + shaw.position_values(weights, values), rtol=1e-12
    )
    wrong = weights @ V + shaw.position_values(weights, keys)
    assert not np.isclose(out, wrong).any()
