"""The table of published models: complete, known, and told alike by the page."""

import re
from pathlib import Path

import page_parser
import pytest
from pybtex.database import parse_file

from posenc.checkpoint import describe
from posenc.checkpoint.published import config, models, rows

ROOT = Path(__file__).parents[2]
WITH_CONFIG = [model["name"] for model in models() if "config" in model]


def test_every_model_has_a_row_a_month_and_a_source():
    papers = parse_file(ROOT / "book" / "references.bib").entries
    months = [model["month"] for model in models()]
    assert months == sorted(months)
    assert len({model["name"] for model in models()}) == len(months)
    for model in models():
        assert model.keys() <= {"name", "month", "row", "source", "config", "step"}
        assert model["row"] in rows()
        assert re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])", model["month"])
        fields = papers[model["source"]].fields
        assert abs(int(fields["year"]) - int(model["month"][:4])) <= 1
        preprint = re.search(r"abs/(\d\d)(\d\d)\.", fields["url"])
        if preprint:
            assert model["month"] == f"20{preprint[1]}-{preprint[2]}", model["name"]
    assert {model["row"] for model in models()} == set(rows())


def test_the_page_names_every_model_with_its_source():
    section = page_parser.page("map").partition("## Which model took what, and when")[2]
    table = section.partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    for model in models():
        named = [one for one in lines if model["name"] in names_of(one)]
        assert len(named) == 1, model["name"]
        assert model["source"] in named[0], model["name"]


def names_of(line):
    """Models of a row of the table."""
    return line.split("|")[1].strip().split(", ")


@pytest.mark.parametrize("name", WITH_CONFIG)
def test_its_config_is_described_step_by_step(name):
    whole = next(model for model in models() if model["name"] == name)
    for step in range(len(whole.get("step", [])) + 1):
        found = describe(config(name, step))
        assert found.method == "rope"
    assert config(name) == config(name, len(whole.get("step", [])))
    assert config(name, 0) == whole["config"]


@pytest.mark.parametrize("name", ["BERT", "Llama 9"])
def test_a_model_without_a_config_is_refused(name):
    with pytest.raises(ValueError, match=rf"name must be one of .*, got '{name}'"):
        config(name)


def test_models_since_2023_all_use_rotation():
    rotary = rows().index("rotation, plain")
    recent = [model for model in models() if model["month"] >= "2023"]
    assert recent
    assert all(rows().index(model["row"]) <= rotary for model in recent)
