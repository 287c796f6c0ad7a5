"""Renamed modules are found by their old names, and warnings give the new ones."""

import importlib
import subprocess
import sys

import pytest

from posenc import compare
from posenc.core import chapters, old_names

#: What the first edition had and its notebooks imported: module, name, place today.
OLD = [
    ("posenc.comparison", "conventions", "posenc.compare"),
    ("posenc.data", "load", "posenc.core.data"),
    ("posenc.display", "load_ipython_extension", "posenc.pages.display"),
    ("posenc.errata", "table", "posenc.pages.errata"),
    ("posenc.running_example", "W_Q", "posenc.core.running_example"),
    ("posenc.figures.themes", "Themed", "posenc.kit.figures.themes"),
    ("posenc.figures.cover", "cover", "posenc.compare.figures"),
    ("posenc.figures.alibi_data", "to_bfloat16", "posenc.alibi.figures"),
    ("posenc.widgets.t5", "BucketTable", "posenc.t5.widgets"),
    ("posenc.nn.t5", "RelativePositionBias", "posenc.t5.nn"),
    ("posenc.exercises.t5", "buckets", "posenc.t5.exercises"),
    ("posenc._arrays", "shift_rows", "posenc.core.arrays"),
    ("posenc.lab.encodings", "ENCODINGS", "posenc.training.encodings"),
    ("posenc.lab.training", "train", "posenc.training.loop"),
]


@pytest.fixture
def anew(monkeypatch):
    """Old modules are imported as if for the first time."""
    for name in [name for name in sys.modules if old_names.today(name)]:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.parametrize(("old", "name", "new"), OLD)
def test_an_old_name_leads_to_the_new_one_and_says_so(anew, old, name, new):
    with pytest.warns(DeprecationWarning, match=" is now ") as said:
        module = importlib.import_module(old)
    (one,) = said
    assert str(one.message).startswith(f"{old} is now {old_names.today(old)}: ")
    assert importlib.import_module(old_names.today(old)).__name__ in new
    assert getattr(module, name) is getattr(importlib.import_module(new), name)


@pytest.mark.parametrize("name", ["nothing", "nn.nothing", "widgets.errata"])
def test_what_never_was_is_not_found(name):
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(f"posenc.{name}")


def test_a_renamed_function_leads_to_the_new_one(anew):
    with (
        pytest.warns(DeprecationWarning, match="lab.runs is now posenc.training.runs"),
        pytest.warns(DeprecationWarning, match="core_plans is now page_plans"),
    ):
        from posenc.lab.runs import core_plans
    assert core_plans is importlib.import_module("posenc.training.runs").page_plans


def test_an_old_program_warns_and_runs_the_new_one():
    run = [sys.executable, "-m", "posenc.lab", "--help"]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("usage: python -m posenc.training ")
    assert "DeprecationWarning: posenc.lab is now posenc.training: " in done.stderr


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        (chapters, "rooms", chapters.packages),
        (chapters, "having", chapters.with_part),
        (chapters, "facts", chapters.metadata),
        (chapters, "stating", chapters.with_key),
        (chapters, "behind", chapters.insert_after),
        (compare, "Answer", compare.Verdict),
        (compare, "Count", compare.CostFormula),
    ],
)
def test_getattr_of_an_old_name_warns_and_returns_the_new(module, old, new):
    with pytest.warns(DeprecationWarning, match=f"{old} is now {new.__name__}: "):
        assert getattr(module, old) is new
    with pytest.raises(AttributeError, match="has no attribute 'no_name'"):
        _ = module.no_name
