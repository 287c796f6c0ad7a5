"""The plans as tables: settings as they are, and runs that nobody has done yet."""

import re

import pytest

from posenc.core import data
from posenc.lab import plan_tables
from posenc.lab.runs import best_rates, full_plans, tuning_plans
from posenc.lab.training import Run


def cells(table):
    return dict(re.findall(r"^\| (\S[^|]*) \| (\S[^|]*) \|$", str(table), re.MULTILINE))


def test_settings_are_those_of_plans_and_modules(monkeypatch):
    found = cells(plan_tables.settings_table())
    assert found["steps"].startswith("3,000 of 32 texts")
    assert "4 (`copy`), 32 (`index`)" in found["lengths"]
    assert found["test"].startswith("at 64, 128, 256, 512 and 1,024 tokens")
    assert "betas 0.9 and 0.98, weight decay 0.01" in found["optimizer"]
    assert "the best of 0.001, 0.003 and 0.01" in found["learning rate"]
    assert found["seeds"] == "0 for the learning rates alone; 1, 2 and 3 for results"
    assert found["encodings"] == (
        "Shaw clipped at 16; T5 16 buckets up to 16; RoPE base 10,000; convolution "
        "kernel 16, 4 groups; CAPE shift 64, jitter 0.5, scale 2"
    )
    monkeypatch.setattr(Run, "clipped", 0.25)
    monkeypatch.setattr(Run, "warmup", 7)
    found = cells(plan_tables.settings_table())
    assert "clipped at norm 0.25" in found["optimizer"]
    assert found["learning rate"].startswith("rises for 7 steps")


@pytest.fixture
def every():
    done = data.load_folder("lab_runs")
    rates = best_rates(one for one in done.values() if "task" in one["plan"])
    return {plan.name: plan for plan in [*tuning_plans(), *full_plans(rates)]}


def pretend(monkeypatch, every, left_out):
    """As if all runs were done but these."""
    done = data.load_folder("lab_runs")
    tuned = {n: one for n, one in done.items() if "-0" in n and "task" in one["plan"]}
    found = {**{name: {"plan": {}} for name in every}, **tuned}
    for name in left_out:
        del found[name]
    monkeypatch.setattr(plan_tables.data, "load_folder", lambda name: found)


def test_runs_that_are_missing_are_named(monkeypatch, every):
    left_out = ["text-t5-0", "text-t5-2", "shift", "motif-shaw-0.003-2"]
    pretend(monkeypatch, every, left_out)
    assert [p.name for p in plan_tables.missing_plans()] == [
        n for n in every if n in left_out
    ]
    assert cells(plan_tables.missing_table()) == {
        "task": "encodings and seeds",
        "`motif`": "Shaw (2)",
        "text": "T5 (0 and 2)",
        "small heads": "all (0)",
    }


def test_a_whole_task_is_named_in_one_word(monkeypatch, every):
    left_out = [name for name in every if name.startswith("language-")]
    pretend(monkeypatch, every, left_out)
    found = cells(plan_tables.missing_table())
    assert found["`language`"] == "every encoding · ALiBi, slopes trained (1, 2 and 3)"


def test_when_nothing_is_missing(monkeypatch, every):
    pretend(monkeypatch, every, [])
    assert str(plan_tables.missing_table()) == "Every run of the plans is there."
