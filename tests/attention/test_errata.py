"""The errata of the chapter on attention: each claim put to the test, and the truth."""

import numpy as np

from posenc import attention
from posenc.pages import errata

BY_ID = {e.id: e for e in errata.load()}


def test_attention_invariance():
    rng = np.random.default_rng(0)
    x, (w_q, w_k, w_v) = rng.normal(size=(6, 4)), rng.normal(size=(3, 4, 4))

    def f(tokens):
        return attention.scaled_dot_product_attention(
            tokens @ w_q, tokens @ w_k, tokens @ w_v
        )

    for order in (np.roll(np.arange(6), 1), rng.permutation(6)):
        P = np.eye(6)[order]
        # Were the claim true, all would be the same: only words that stay in place are.
        same = np.isclose(f(P @ x), f(x)).all(axis=-1)
        np.testing.assert_array_equal(same, order == np.arange(6))
        np.testing.assert_allclose(f(P @ x), P @ f(x), rtol=1e-12, atol=1e-14)
        for pool in (np.mean, np.max):  # invariance comes with pooling
            np.testing.assert_allclose(
                pool(f(P @ x), axis=0), pool(f(x), axis=0), rtol=1e-12, atol=1e-14
            )
        source = f(P @ x)  # and with cross-attention: a decoder reads the outputs
        read = attention.scaled_dot_product_attention(x[:2], source, source)
        want = attention.scaled_dot_product_attention(x[:2], f(x), f(x))
        np.testing.assert_allclose(read, want, rtol=1e-12, atol=1e-14)
    assert BY_ID["attention-invariance"].sources == (
        "Comparison of Positional Embedding Methods",
    )
    assert "f(PX) = P f(X)" in BY_ID["attention-invariance"].truth
