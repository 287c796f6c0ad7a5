"""What is set up for print: the site's colors and macros, tables that fit, proofs."""

import latex_output
import yaml
from build_book import ROOT

from posenc.kit.figures.palette import THEMES


def test_print_has_the_colors_and_macros_of_the_site():
    latex = latex_output.colors()
    for name, value in THEMES["light"].items():
        wanted = rf"\definecolor{{pe-{name}}}{{HTML}}{{{value[1:].upper()}}}"
        assert latex.count(wanted) == 1
        assert latex.count(rf"\csname DUrolepe-{name}\endcsname") == 1
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    latex = latex_output.macros(config["sphinx"]["config"]["mathjax3_config"])
    assert r"\newcommand{\query}[1]{\class{pe-query}{#1}}" in latex.splitlines()
