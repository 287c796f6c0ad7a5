"""Words of a page that set a widget: what they may say, and what comes of them."""

import json
import subprocess
import sys

import pytest
import try_role
from bs4 import BeautifulSoup


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("here <TurnedPair m=3>", {"m": 3}),
        ("here <TurnedPair>", {}),
        ("a < b <W rule='T5 (2019)' on=True>", {"rule": "T5 (2019)", "on": True}),
        ("here <W order=[2,0,1] name=half x=-0.5>", None),
    ],
)
def test_words_and_values(text, values):
    words, name, found = try_role.parse(text)
    assert text.startswith(words)
    assert name in text
    expected = {"order": [2, 0, 1], "name": "half", "x": -0.5}
    assert found == (expected if values is None else values)


@pytest.mark.parametrize(
    "text", ["here", "here <>", "<TurnedPair m=3>", "here <TurnedPair m>", "x <2 m=1>"]
)
def test_what_is_no_setting(text):
    with pytest.raises(ValueError, match=r"wants 'words <Widget trait=value>', got"):
        try_role.parse(text)


@pytest.mark.parametrize(
    ("name", "values", "told"),
    [
        ("BucketTable", {}, "wants a widget of its page, one of"),
        ("TurnedPair", {"speed": 3}, "it has no speed"),
        ("TurnedPair", {"lengths": [1, 2]}, "it has no lengths"),
        ("TurnedPair", {"m": 25}, "does not take {'m': 25}: "),
        ("TurnedPair", {"degrees": 31}, "does not take {'degrees': 31}: "),
    ],
)
def test_what_no_widget_takes(name, values, told):
    with pytest.raises(ValueError, match="try") as error:
        try_role.check("rope", name, values)
    assert told in str(error.value)


def test_what_it_takes_is_accepted():
    try_role.check("rope", "TurnedPair", {"m": 24, "n": 0, "degrees": 45})


def built(tmp_path, text):
    """A page of rope that holds a text, and what Sphinx complained of."""
    (tmp_path / "rope.md").write_text(f"# Title\n\n{text}\n", "utf-8")
    config = "extensions = ['myst_parser', 'try_role']\nroot_doc = 'rope'\n"
    (tmp_path / "conf.py").write_text(config, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", ".", "out"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    page = (tmp_path / "out" / "rope.html").read_text("utf-8")
    return BeautifulSoup(page, "html.parser"), run.stderr


def test_the_page_has_a_button_that_waits_for_its_script(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    page, told = built(tmp_path, "See {try}`both at 6 <TurnedPair m=6 n=6>`.")
    assert told == ""
    (button,) = page.find_all("button", class_="pe-set")
    assert button.get_text() == "both at 6"
    assert button.has_attr("disabled")
    assert button["data-widget"] == "TurnedPair"
    assert json.loads(button["data-values"]) == {"m": 6, "n": 6}


def test_the_build_tells_of_what_is_wrong(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    page, told = built(tmp_path, "See {try}`here <TurnedPair m=99>`.")
    assert "rope.md:3: ERROR: {try}: TurnedPair does not take {'m': 99}" in told
    assert not page.find_all("button", class_="pe-set")
