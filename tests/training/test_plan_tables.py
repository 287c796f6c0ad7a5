"""The table of plans holds the settings of the plans themselves."""

import re

from posenc.training import plan_tables
from posenc.training.loop import Run


def cells():
    table = str(plan_tables.settings_table())
    return dict(re.findall(r"^\| (\S[^|]*) \| (\S[^|]*) \|$", table, re.MULTILINE))


def test_settings_are_those_of_plans_and_modules(monkeypatch):
    found = cells()
    assert "4 (`copy`), 32 (`index`)" in found["lengths"]
    assert "64, 128, 256, 512 and 1,024" in found["test"]
    assert "0.001, 0.003 and 0.01" in found["learning rate"]
    monkeypatch.setattr(Run, "clipped", 0.25)
    monkeypatch.setattr(Run, "warmup", 7)
    found = cells()
    assert "clipped at norm 0.25" in found["optimizer"]
    assert found["learning rate"].startswith("rises for 7 steps")
