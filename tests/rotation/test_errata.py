"""The erratum of the chapter on rotation: put to the test, and what is true."""

import numpy as np

from posenc.attention import attention_weights, causal_mask
from posenc.pages import errata
from posenc.rotation import shift_operator
from posenc.sinusoidal import sinusoidal_encoding

BY_ID = {e.id: e for e in errata.load()}


def weights(p, matrix):
    """Causal attention of a head that sees positions alone."""
    mask = causal_mask(len(p), len(p))
    return attention_weights(p @ matrix, p, mask=mask)


def test_rotation_extrapolation():
    d_model, trained, tested = 128, 32, 128
    p = sinusoidal_encoding(np.arange(tested), d_model)
    seen, target = p[:trained], np.eye(trained, k=-1)
    learned = np.zeros((d_model, d_model))
    for _ in range(500):
        error = (weights(seen, learned) - target)[1:]
        learned -= seen[1:].T @ error @ seen / trained
    before = np.diag(weights(p, learned), k=-1)
    # Were the claim true, the head would do beyond 32 what it does below.
    assert before[: trained - 1].min() > 0.8
    assert before[trained:].mean() < 0.2
    # It is not the encoding that fails: another matrix does the task everywhere.
    built = np.diag(weights(p, 40 * shift_operator(1, d_model)), k=-1)
    assert built.min() > 0.95
    assert "hypothesis" in BY_ID["rotation-extrapolation"].truth
