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


def test_the_slips_are_corrected_by_what_holds():
    t, k, speed = 1.3, 2.1, 0.7
    added = np.sin(speed * t) * np.cos(speed * k) + np.cos(speed * t) * np.sin(
        speed * k
    )
    assert np.isclose(added, np.sin(speed * (t + k)))
    assert "addition theorems" in BY_ID["rotation-associative"].truth
    p = sinusoidal_encoding(np.asarray([t, t + k]), 4)
    np.testing.assert_allclose(shift_operator(k, 4) @ p[0], p[1], atol=1e-14)
    assert "t + k" in BY_ID["rotation-subscript"].truth
