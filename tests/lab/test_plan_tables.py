"""The plans as a table: settings as they are."""

import re

from posenc.lab import plan_tables
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
        "kernel 16, 4 groups"
    )
    monkeypatch.setattr(Run, "clipped", 0.25)
    monkeypatch.setattr(Run, "warmup", 7)
    found = cells(plan_tables.settings_table())
    assert "clipped at norm 0.25" in found["optimizer"]
    assert found["learning rate"].startswith("rises for 7 steps")
