"""The erratum of the chapter on rotation: put to the test, and what is true."""

import numpy as np

from posenc.core import data
from posenc.pages import errata
from posenc.rotation import shift_operator
from posenc.sinusoidal import sinusoidal_encoding

BY_ID = {e.id: e for e in errata.load()}


def test_rotation_extrapolation():
    # Were the claim true, heads would do beyond their training what they do in it.
    heads = [
        h for h in data.load_folder("lab_runs")["shift"]["tests"] if not h["control"]
    ]
    assert min(min(head["inside"]) for head in heads) == 1
    assert np.mean([max(head["beyond"]) < 0.5 for head in heads]) > 0.5
    # It is not the encoding that fails: another matrix does the task everywhere.
    for head in heads:
        d_model, base = head["d_model"], head["base"]
        p = sinusoidal_encoding(np.arange(4 * head["trained"]), d_model, base=base)
        scores = p @ shift_operator(1, d_model, base=base) @ p.T
        assert np.array_equal(scores.argmax(axis=1)[1:], np.arange(len(p) - 1))
    assert "hypothesis" in BY_ID["rotation-extrapolation"].truth
