"""Colors are defined once, legible in both themes, and the same wherever they go."""

import re
from pathlib import Path

import pytest
import yaml

from posenc.kit.figures import palette

ROOT = Path(__file__).parents[2]
ROLES = ("query", "key", "value", "position")


def link_colors():
    """Color of links, which the site alone has, by theme."""
    css = (ROOT / "book/_static/book.css").read_text()
    pattern = r'html\[data-theme="(\w+)"\] \{\s*--pe-link: (#\w{6});'
    return dict(re.findall(pattern, css))


@pytest.mark.parametrize("background", ["surface", "raised"])
@pytest.mark.parametrize("theme", palette.THEMES)
def test_text_in_every_color_is_legible(theme, background):
    colors = palette.THEMES[theme] | {"link": link_colors()[theme]}
    contrasts = {
        name: palette.contrast(colors[name], colors[background])
        for name in (*ROLES, "text", "muted", "link")
    }
    assert {n: c for n, c in contrasts.items() if c < 4.5} == {}


def test_the_style_sheet_is_the_generated_one():
    sheet = (ROOT / "book/_static/palette.css").read_text()
    assert sheet == palette.css_variables() + "\n"


def test_formulas_and_prose_use_the_classes_of_the_style_sheet():
    config = yaml.safe_load((ROOT / "_config.yml").read_text())["sphinx"]["config"]
    macros = config["mathjax3_config"]["tex"]["macros"]
    names = {"query": "query", "key": "key", "value": "val", "position": "pos"}
    css = (ROOT / "book/_static/book.css").read_text()
    for role in ROLES:
        assert macros[names[role]] == [rf"\class{{pe-{role}}}{{#1}}", 1]
        assert f".pe-{role} {{ color: var(--pe-{role}); }}" in css
