"""Heads that look at the token before: training, what is measured, and the results."""

import json
import signal
import sys

import numpy as np
import pytest

from posenc.core import data
from posenc.rotation import shift_operator
from posenc.sinusoidal import sinusoidal_encoding
from posenc.training import __main__ as command_line
from posenc.training import token_before
from posenc.training.runs import full_plans, trained_encodings
from posenc.training.token_before import Head, ShiftPlan, train_head, turning_part

SMALL = ShiftPlan(
    **{"widths": (4, 6), "bases": (10.0,), "lengths": (6,), "seeds": (0, 3)},
    **{"controlled": (4, 6), "kept": (6, 10.0), "steps": 5},
)


def loss(seen, matrix):
    """Mean of -log(weight on the token before), one query after the other."""
    total = 0.0
    for m in range(1, len(seen)):
        found = [
            seen[m] @ matrix @ seen[n] / seen.shape[1] ** 0.5 for n in range(m + 1)
        ]
        total += np.log(np.sum(np.exp(found))) - found[m - 1]
    return total / (len(seen) - 1)


@pytest.mark.parametrize("decay", [0.0, 0.3])
def test_a_step_goes_down_the_slope_of_the_loss(decay):
    seen = sinusoidal_encoding(np.arange(5), 4, base=10.0)
    start = train_head(seen, steps=0, learning_rate=0.1, seed=2)
    gradient = np.zeros((4, 4))
    for entry in np.ndindex(4, 4):
        step = np.zeros((4, 4))
        step[entry] = 1e-5
        gradient[entry] = (loss(seen, start + step) - loss(seen, start - step)) / 2e-5
    expected = start - 0.1 * (gradient + decay * start)
    found = train_head(seen, steps=1, learning_rate=0.1, seed=2, decay=decay)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("base", [2.0, 50.0])
def test_the_turning_part_is_the_mean_over_all_shifts(rng, base):
    matrix = rng.normal(size=(6, 6))
    part = turning_part(matrix)
    step = shift_operator(1, 6, base=base)
    np.testing.assert_allclose(part @ step, step @ part, rtol=0, atol=1e-14)
    np.testing.assert_allclose(turning_part(part), part, rtol=0, atol=1e-14)
    shifts = [shift_operator(k, 6, base=base) for k in range(20_000)]
    mean = np.mean([t.T @ matrix @ t for t in shifts], axis=0)
    np.testing.assert_allclose(part, mean, rtol=0, atol=3e-3)


def test_the_spectrum_is_that_of_the_positions_seen():
    seen = sinusoidal_encoding(np.arange(20), 6, base=10.0)
    values = np.sqrt(np.linalg.eigvalsh(seen.T @ seen))
    found = token_before.spectrum(Head(6, 10.0, 20, 0))
    assert found == {
        "ratio": pytest.approx(values[0] / values[-1], rel=1e-2),
        "rank": 6,
    }
    values = np.linalg.svd(sinusoidal_encoding(np.arange(16), 16, base=10.0))[1]
    large = sum(value > values[0] / 1000 for value in values)
    assert token_before.spectrum(Head(16, 10.0, 16, 0))["rank"] == large < 16
    few = token_before.spectrum(Head(16, 10.0, 8, 0))
    assert few["ratio"] == 0  # eight positions cannot span sixteen directions
    assert few["rank"] <= 8


def test_shares_count_queries_one_by_one(rng):
    head = Head(4, 10.0, 5, 0)
    p, matrix = token_before.encodings(head), rng.normal(size=(4, 4))
    assert len(p) == 20
    right, near = [], []
    for m in range(1, 20):
        found = [p[m] @ matrix @ p[n] for n in range(m + 1)]
        right.append(int(np.argmax(found)) == m - 1)
        first = max(0, m - 4)  # in training no key is farther away
        near.append(first + int(np.argmax(found[first:])) == m - 1)
    measured = token_before.measure(head, p, matrix)
    assert measured["inside"] == round(np.mean(right[:4]), 4)
    assert measured["beyond"] == round(np.mean(right[4:]), 4)
    assert measured["near"] == round(np.mean(near[4:]), 4)
    assert measured["near"] != measured["beyond"]


def test_the_matrix_of_the_theorem_is_right_everywhere():
    head = Head(16, 10.0, 16, 0)
    found = token_before.measure(
        head, token_before.encodings(head), 40 * shift_operator(1, 16, base=10)
    )
    assert found.pop("weight") > 0.99
    assert set(found.values()) == {1.0}


def test_heads_that_differ_in_their_seeds_stand_together(tmp_path, monkeypatch, capsys):
    before = signal.getsignal(signal.SIGTERM)
    folders = ["--folder", str(tmp_path), "--unfinished", str(tmp_path / "u")]
    monkeypatch.setattr(sys, "argv", ["lab", *folders, "shift"])
    monkeypatch.setitem(command_line.PLANS, "shift", lambda: SMALL)
    try:
        command_line.main()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert capsys.readouterr().out == "shift: 10 steps.\n"
    results = data.read_table(tmp_path / "shift.jsonl")["shift"]
    cells = [(c["d_model"], c["control"], len(c["beyond"])) for c in results["tests"]]
    assert cells == [
        (4, "", 2),
        (6, "", 2),
        (4, "whitened", 2),
        (4, "longer", 2),
        (4, "decay", 2),
    ]
    assert results["steps"] == results["plan"]["max_steps"] == 10
    (six,) = (c for c in results["tests"] if c["d_model"] == 6)
    seen = sinusoidal_encoding(np.arange(6), 6, base=10.0)
    expected = train_head(seen, steps=5, learning_rate=0.5 * 6**0.5, seed=0)
    np.testing.assert_allclose(six["matrix"], [expected], rtol=0, atol=5.1e-4)
    assert [c for c in results["tests"] if "matrix" in c] == [six]
    assert "turning" not in results["tests"][2]


class TestResults:
    """What the chapter on rotation shows."""

    FOUND = data.load_folder("lab_runs")["shift"]

    def test_they_belong_to_the_plan_that_full_does(self):
        rates = dict.fromkeys(trained_encodings(), 3e-3)
        (plan,) = (p for p in full_plans(rates) if p.name == "shift")
        assert json.loads(json.dumps(plan.as_data())) == self.FOUND["plan"]
        assert self.FOUND["steps"] == plan.max_steps == 276

    @pytest.mark.parametrize("head", [Head(8, 10.0, 8, 1), Head(16, 10.0, 16, 0)])
    def test_a_head_that_is_trained_again_is_the_same(self, head):
        p = token_before.encodings(head)
        rate = 0.5 * head.d_model**0.5
        matrix = train_head(
            p[: head.trained], steps=2000, learning_rate=rate, seed=head.seed
        )
        (cell,) = (
            c
            for c in self.FOUND["tests"]
            if (c["d_model"], c["base"], c["trained"], c["control"])
            == (head.d_model, head.base, head.trained, "")
        )
        for name, value in token_before.measure(head, p, matrix).items():
            assert cell[name][head.seed] == pytest.approx(value, abs=0.03), name
        if "matrix" in cell:
            np.testing.assert_allclose(cell["matrix"][0], matrix, rtol=0, atol=0.01)
