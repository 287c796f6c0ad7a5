"""Words of a page that set a widget: what they may say, and what comes of them."""

import json
import os
import subprocess
import sys

import pytest
import try_role
from bs4 import BeautifulSoup


def test_what_is_no_setting_or_no_widget_takes():
    for text in ["here", "<TurnedPair m=3>", "here <TurnedPair m>"]:
        with pytest.raises(
            ValueError, match=r"wants 'words <Widget trait=value>', got"
        ):
            try_role.parse(text)
    for name, values, message in [
        ("BucketTable", {}, "try.* wants a widget of its page, one of"),
        ("TurnedPair", {"speed": 3}, "try.* it has no speed"),
        ("TurnedPair", {"lengths": [1, 2]}, "try.* it has no lengths"),
        ("TurnedPair", {"degrees": 31}, r"try.* does not take \{'degrees': 31\}: "),
    ]:
        with pytest.raises(ValueError, match=message):
            try_role.check("rope", name, values)


def test_a_page_has_a_button_that_waits_for_its_script_or_an_error(tmp_path):
    roles = "{try}`both at 6 <TurnedPair m=6 n=6>` {try}`here <TurnedPair m=99>`"
    (tmp_path / "rope.md").write_text(f"# Title\n\nSee {roles}.\n", "utf-8")
    config = "extensions = ['myst_parser', 'try_role']\nroot_doc = 'rope'\n"
    (tmp_path / "conf.py").write_text(config, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", ".", "out"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert "rope.md:3: ERROR: {try}: TurnedPair does not take {'m': 99}" in run.stderr
    page = (tmp_path / "out/rope.html").read_text("utf-8")
    (button,) = BeautifulSoup(page, "html.parser").find_all("button", class_="pe-set")
    assert button.get_text() == "both at 6"
    assert button.has_attr("disabled")
    assert button["data-widget"] == "TurnedPair"
    assert json.loads(button["data-values"]) == {"m": 6, "n": 6}
