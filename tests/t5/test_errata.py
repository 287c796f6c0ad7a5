"""The errata of the chapter on T5: each claim put to the test, and what is true."""

import numpy as np
import pytest

from posenc import attention, t5
from posenc.core import running_example
from posenc.pages import errata

BY_ID = {e.id: e for e in errata.load()}


@pytest.mark.parametrize(("bidirectional", "begin"), [(True, 91), (False, 113)])
def test_t5_last_bucket(bidirectional, begin):
    distances = np.arange(1000)
    buckets = t5.relative_position_bucket(-distances, bidirectional=bidirectional)
    beyond = buckets[-1]
    # Were the claim true, the last bucket would begin after 128.
    np.testing.assert_array_equal(buckets == beyond, distances >= begin)
    assert begin < 128
    # The true part of the claim: all beyond 128 share a bucket.
    assert (buckets[128:] == beyond).all()
    # On each side: keys far after the query share another one.
    if bidirectional:
        after = t5.relative_position_bucket(distances)
        assert (after[128:] == after[-1]).all()
        assert after[-1] != beyond
    assert str(begin) in BY_ID["t5-last-bucket"].truth


def test_t5_score():
    rng = np.random.default_rng(0)
    x, w_q, w_k = running_example.X, running_example.W_Q, running_example.W_K
    q, k, bias = x @ w_q, x @ w_k, rng.normal(size=(3, 3))
    # The product of queries and keys is what the projections make it: no bias in it.
    np.testing.assert_array_equal(q @ k.T, x @ w_q @ w_k.T @ x.T)
    # The score is the product plus the bias: its exponentials give the weights.
    want = np.empty((3, 3))
    for i in range(3):
        row = [np.exp(q[i] @ k[j] + bias[i, j]) for j in range(3)]
        want[i] = np.asarray(row) / sum(row)
    got = attention.attention_weights(q, k, scale=1.0, bias=bias)
    np.testing.assert_allclose(got, want, rtol=1e-12)


def test_t5_learned():
    table = np.random.default_rng(0).normal(size=(32, 1))  # all that is learned
    positions = np.arange(300)
    buckets = t5.relative_position_bucket(positions[None, :] - positions[:, None])
    bias = t5.relative_position_bias(table, 300, 300)[0]
    np.testing.assert_array_equal(bias, table[buckets, 0])
    # 90,000 biases, 31 values: one for each bucket in use (16 never is).
    assert np.unique(bias).size == np.unique(buckets).size == 31
