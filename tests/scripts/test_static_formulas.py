"""Formulas of readers without JavaScript: what is made of TeX, and what of a page."""

import re

import pytest
import static_formulas
import yaml
from bs4 import BeautifulSoup
from sphinx.errors import ExtensionError
from static_formulas import Formula

CONFIG = yaml.safe_load((static_formulas.ROOT / "_config.yml").read_text("utf-8"))
MACROS = CONFIG["sphinx"]["config"]["mathjax3_config"]["tex"]["macros"]

INLINE = r'<span class="math notranslate nohighlight">\({}\)</span>'
PAGE = r"""<html><head></head><body>
<p>If <span class="math notranslate nohighlight">\(a &lt; b\)</span>, then</p>
<div class="math notranslate nohighlight" id="equation-e">
<span class="eqno">(9.1)<a class="headerlink" href="#equation-e">#</a></span>\[
\query{q_i} = 1
\]</div>
<div class="math notranslate nohighlight">
\[x\]</div>
<pre>\(not a formula\)</pre></body></html>
"""


#: TeX, whether it has a line of its own, and its MathML.
CASES = [
    ("x", True, '<math display="block"><mi>x</mi></math>'),
    (
        r"\query{q_i}",
        False,
        '<math><msub class="pe-query"><mi>q</mi><mi>i</mi></msub></math>',
    ),
    (r"\mathbf{1}", False, "<math><mn>𝟏</mn></math>"),
    (
        r"2\sin x",
        False,
        '<math><mn>2</mn><mspace width="0.167em"></mspace><mi>sin</mi>'
        '<mo rspace="0.167em">\u2061</mo><mi>x</mi></math>',
    ),
    (r"1{,}000", False, "<math><mn>1,000</mn></math>"),
    (
        r"\hat x",
        False,
        '<math><mover accent="true"><mi>x</mi><mo stretchy="false">^</mo></mover>'
        "</math>",
    ),
    (
        r"\begin{split}\begin{aligned} a &< b \\ c &= d \end{aligned}\end{split}",
        True,
        '<math display="block"><mtable displaystyle="true" class="pe-pairs">'
        "<mtr><mtd><mi>a</mi></mtd><mtd><mi></mi><mo>&lt;</mo><mi>b</mi></mtd></mtr>"
        "<mtr><mtd><mi>c</mi></mtd><mtd><mi></mi><mo>=</mo><mi>d</mi></mtd></mtr>"
        "</mtable></math>",
    ),
]


def test_mathml():
    made = static_formulas.mathml([Formula(*case[:2]) for case in CASES], MACROS)
    for tex, display, wanted in CASES:
        assert made[Formula(tex, display)] == wanted, tex


@pytest.mark.parametrize("tex", [r"\frac{1}", r"\nosuch{x}", r"\query"])
def test_tex_that_cannot_be_read_is_named(tex):
    good = Formula("x", display=False)
    with pytest.raises(ExtensionError, match=re.escape(f"cannot read {tex!r} (")):
        static_formulas.mathml([good, Formula(tex, display=False)], MACROS)


def test_a_page_keeps_its_formulas_and_gets_mathml_once(tmp_path):
    page = tmp_path / "page.html"
    long = "+".join("abcdefghijkl")
    before = PAGE.replace("</body>", rf"{INLINE.format(long)}</body>")
    page.write_text(before, "utf-8")
    static_formulas.equip([page], MACROS)
    text = page.read_text("utf-8")
    style, inline, numbered, plain, wide = BeautifulSoup(text, "html.parser")(
        "noscript"
    )
    assert style.find_parent("head")
    assert str(inline.previous_sibling).startswith('<span class="math')
    assert inline.math.get_text() == "a<b"
    assert numbered.select_one(".eqno").get_text() == "(9.1)"
    assert numbered.select_one("math .pe-query")
    assert not plain.select(".eqno")
    assert [tag.get("class") for tag in (inline, wide)] == [None, ["pe-long"]]
    rest = re.sub(r"\n?<noscript.*?</noscript>", "", text)
    comma = rf"{INLINE.format('a &lt; b')},"
    in_one_line = before.replace(comma, f'<span class="pe-one-line">{comma}</span>')
    assert rest.replace("\n</head>", "</head>") == in_one_line != before
    static_formulas.equip([page], MACROS)
    assert page.read_text("utf-8") == text
