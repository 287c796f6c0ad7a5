"""The errata of the chapter on the skew: each claim tested, and what is true."""

import numpy as np

from posenc import music_transformer

RNG = np.random.default_rng(0)


def by_definition(q, table):
    n = len(q)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = q[i] @ table[j - i + n - 1]
    return out


def test_music_product():
    q, table = RNG.normal(size=(2, 5, 3))
    expected = by_definition(q, table)
    printed, right = table @ q.T, q @ table.T
    np.testing.assert_array_equal(printed, right.T)  # its transpose
    np.testing.assert_allclose(np.tril(music_transformer.skew(right)), expected)
    # One row per query: row i of the product holds what query i needs, and no other's.
    np.testing.assert_allclose(right[2], [q[2] @ row for row in table])
    assert not np.allclose(np.tril(music_transformer.skew(printed)), expected)


def test_music_tensor():
    q, table = RNG.normal(size=(2, 5, 3))
    offsets = np.arange(5)[None, :] - np.arange(5)[:, None]
    vectors = table[np.minimum(offsets, 0) + 4]
    assert vectors.shape == (5, 5, 3)  # the large tensor is R …
    scores = np.einsum("id,ijd->ij", q, vectors)
    assert scores.shape == (5, 5)  # … and S is what is computed from it
    np.testing.assert_allclose(np.tril(scores), by_definition(q, table))
    own = music_transformer.position_scores(q, table)
    assert own.shape == (5, 5)
    np.testing.assert_allclose(np.tril(own), np.tril(scores))
