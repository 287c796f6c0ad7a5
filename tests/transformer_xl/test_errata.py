"""The errata of the chapter on Transformer-XL: each claim tested, and what is true."""

import numpy as np
import pytest

from posenc.pages import errata
from posenc.sinusoidal import sinusoidal_encoding
from posenc.transformer_xl import attention_scores, relative_attention, relative_shift
from posenc.transformer_xl.exercises import oracle

BY_ID = {e.id: e for e in errata.load()}


def encode(positions, d=8):
    return sinusoidal_encoding(np.asarray(positions), d, layout="half")


@pytest.mark.parametrize("num_layers", [1, 2, 4])
def test_xl_context(num_layers):
    torch = pytest.importorskip("torch")
    from posenc.nn import TransformerXL

    torch.manual_seed(0)
    model = TransformerXL(num_layers, 4, 2, d_inner=8, memory_len=2).double()
    hidden = torch.randn(1, 14, 4, dtype=torch.float64)
    leaves = hidden.split(2, dim=1)  # segments of two

    def last(segments):
        memory = None
        for segment in segments:
            out, memory = model(segment, memory)
        return out

    with torch.no_grad():
        before = last(leaves)
        moved = []
        for token in range(14):
            other = hidden.clone()
            other[:, token] += 1
            moved.append(not torch.equal(last(other.split(2, dim=1)), before))
    # Were the claim true, every token would move the last output.
    assert moved == [token >= 12 - 2 * num_layers for token in range(14)]

    segments = [leaf.clone().requires_grad_() for leaf in leaves]
    last(segments).pow(2).sum().backward()
    assert [s.grad is not None for s in segments] == [False] * 6 + [True]
    assert "$O(N L)$" in BY_ID["xl-context"].truth


def test_xl_difference():
    positions = np.arange(40)
    near = encode(positions[2:]) - encode(positions[:-2])  # all at distance 2
    # Were R the difference, all of these would be one vector, and that of R_2.
    assert np.ptp(near, axis=0).max() > 0.5
    assert not np.isclose(near, encode(2)).all(axis=1).any()
    # With the encoding at the distance, the scores are those of the paper.
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(3, 8)), rng.normal(size=(5, 8))
    u, v = rng.normal(size=(2, 8))
    by_distance = np.stack([oracle.sinusoid(t, 8) for t in range(5)])
    np.testing.assert_allclose(by_distance, encode(np.arange(5)), atol=1e-12)
    expected = oracle.score_terms(q, k, by_distance, u, v).sum(axis=0)
    scores = attention_scores(q, k, encode(np.arange(4, -1, -1)), u, v)
    seen = ~np.isnan(expected)
    np.testing.assert_allclose(scores[seen], expected[seen], atol=1e-12)


@pytest.mark.parametrize("n", [3, 4, 7])
def test_xl_matrix(n):
    i, j = np.arange(n)[:, None], np.arange(n)
    products = np.tile(np.arange(n - 1.0, -1, -1), (n, 1))  # cells hold distances
    shifted = relative_shift(products)
    past = j <= i
    np.testing.assert_array_equal(shifted[past], (i - j)[past])
    printed = (j - i) % n
    assert (printed[1, 0], (i - j)[1, 0]) == (n - 1, 1)
    # Right are distance 0 and, by accident, half the length.
    agree = (printed == i - j) & past
    np.testing.assert_array_equal(agree, past & ((i == j) | (2 * (i - j) == n)))
    np.testing.assert_array_equal(shifted[-1], np.arange(n)[::-1])  # the last query


def test_xl_cached():
    torch = pytest.importorskip("torch")
    from posenc.nn import TransformerXL

    torch.manual_seed(0)
    model = TransformerXL(2, 4, 2, d_inner=8, memory_len=3)
    hidden = torch.randn(3, 4)
    with torch.no_grad():
        _, (first, second) = model(hidden)
        states = model.layers[0](hidden)
    # Each layer keeps what it has read, not what it has made of it.
    assert torch.equal(first, hidden)
    assert torch.equal(second, states)


def test_xl_biased():
    rng = np.random.default_rng(0)
    q, k, values, r = (rng.normal(size=(3, 4)) for _ in range(4))
    u, v = rng.normal(size=(2, 4))
    out = relative_attention(q, k, values, r, content_bias=u, position_bias=v)
    # The first query sees its own token alone: its output is that value, unbiased.
    np.testing.assert_allclose(out[0], values[0], atol=1e-12)
    scores = attention_scores(q, k, r, u, v) / 2
    weights = np.tril(np.exp(scores))
    weights /= weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(out, weights @ values, atol=1e-12)


@pytest.mark.parametrize(("q_len", "memory_len"), [(2, 1), (3, 2), (4, 7)])
def test_xl_appendix(q_len, memory_len):
    k_len = memory_len + q_len
    column = np.arange(k_len)
    products = np.tile(k_len - 1.0 - column, (q_len, 1))  # cells hold distances
    last = relative_shift(products)[-1]
    np.testing.assert_array_equal(last, memory_len + q_len - 1 - column)
    assert last[memory_len] == q_len - 1  # not again k_len - 1
    assert last[memory_len + 1] == q_len - 2  # not q_len - 1
    # Row k of the paper's Q holds distance M + L - 1 - k; its last row reads 0, 1, 2, …
    np.testing.assert_array_equal(last, products[0])
    assert "$L - 2$ in column $M + 1$" in BY_ID["xl-appendix"].truth
