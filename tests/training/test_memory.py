"""The memory that is tested with longer ones: streams, measurements, results."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from posenc.core import data
from posenc.training import memory
from posenc.training.loop import train
from posenc.training.memory import FACTS, MemoryPlan, draw
from posenc.training.runs import SEEDS, full_plans, trained_encodings
from posenc.training.tasks import IGNORED

SMALL = MemoryPlan(
    max_steps=120, batch=2, d_model=8, segment_len=3, memory_len=4, keys=3, values=5
)


@pytest.mark.parametrize("facts", FACTS)
def test_answers_are_what_was_said_last(facts):
    plan = replace(SMALL, facts=facts)
    streams = draw(plan, np.random.default_rng(0), 4, 60)
    asked = streams.values == plan.values
    assert 0.4 < asked.mean() < 0.6
    said_of_one = []
    for row in range(4):
        said = {}
        for i in range(60):
            key, answer = streams.keys[row, i], streams.answers[row, i]
            assert streams.latest[row, i] == said.get(key, (-1,))[0]
            if not asked[row, i]:
                assert answer == IGNORED
                said[key] = (i, streams.values[row, i])
            elif key in said:
                assert answer == said[key][1]
            else:
                assert 0 <= answer < plan.values
        of_one = streams.values[row][(streams.keys[row] == 0) & ~asked[row]]
        said_of_one.append(len(set(of_one)))
    assert (max(said_of_one) == 1) == (facts == "lasting")


@pytest.mark.parametrize("memory_len", [0, 4, 12])
def test_a_model_reads_as_far_as_its_memories_lead(memory_len):
    torch.manual_seed(0)
    model = memory.Model(SMALL).eval()
    streams = draw(SMALL, np.random.default_rng(1), 1, 30)
    keys, values = torch.from_numpy(streams.keys), torch.from_numpy(streams.values)
    other = keys.clone()
    other[0, 8] = (other[0, 8] + 1) % SMALL.keys
    model.change_to(memory_len, None)
    apart = (model(keys, values) - model(other, values)).abs().sum(dim=2)[0]
    reached = []
    for place in range(8, 30):
        first = place
        for _ in range(SMALL.num_layers):
            first = max(first - first % 3 - memory_len, 0)
        if first <= 8:
            reached.append(place)
    assert apart.nonzero().flatten().tolist() == reached


@pytest.mark.slow
def test_the_clamp_changes_what_lies_beyond_training_alone(tmp_path):
    results = train(SMALL, tmp_path, tmp_path)
    tests = results["tests"]
    assert [*tests["free"]] == [*tests["direct"]] == ["0", "4", "8", "16", "32"]
    for memory_len in ("0", "4"):
        assert tests["free"][memory_len] == tests["clamped"][memory_len]
    for memory_len in ("8", "16", "32"):
        assert tests["free"][memory_len] != tests["clamped"][memory_len]
    shares = [one["accuracy"] for one in tests["direct"].values()]
    assert shares == sorted(shares)
    assert shares[-1] > 0.99
    assert data.read_table(tmp_path / "memory.jsonl") == {"memory-changing-1": results}


@pytest.mark.slow
def test_direct_answers_are_counted_one_by_one():
    run = SMALL.start()
    found = run.tests()["direct"]
    first, length = 33, 33 + 8 * 3
    rng = np.random.default_rng([1, length, 3])
    streams = draw(SMALL, rng, 100, length)
    seen = []
    for row, i in np.argwhere(streams.answers != IGNORED):
        if i >= first:
            seen.append(streams.latest[row, i] >= i - i % 3 - 4)
    expected = np.mean([1.0 if one else 1 / 5 for one in seen])
    assert found["4"]["accuracy"] == pytest.approx(expected, abs=1e-5)


def test_the_results_belong_to_the_plans_that_full_does():
    rates = dict.fromkeys(trained_encodings(), 3e-3)
    plans = [plan for plan in full_plans(rates) if isinstance(plan, MemoryPlan)]
    assert len(plans) == len(FACTS) * len(SEEDS)
    for plan in plans:
        assert data.load_folder("lab_runs")[plan.name]["plan"] == plan.as_data()
