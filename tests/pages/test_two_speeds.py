"""Every chapter can be read in five minutes, asks for guesses, and has not grown."""

import re

import length
import page_parser
import pytest

from posenc.core.chapters import chapters

#: Words of each chapter in the first edition, as ``scripts/length.py`` counts them.
LIMITS = {
    "attention": 3845,
    "sinusoidal": 3748,
    "rotation": 4244,
    "shaw": 3628,
    "music_transformer": 3790,
    "transformer_xl": 4239,
    "t5": 2820,
    "swin": 3723,
    "rope": 4281,
    "linear_attention": 4766,
    "convolutional": 4194,
    "alibi": 4687,
    "cape": 4671,
}
#: Words of whole pages without answers, in November 2026: they may shrink, not grow.
WHOLE = {
    "attention": 5001,
    "sinusoidal": 3851,
    "rotation": 5240,
    "shaw": 4304,
    "music_transformer": 4301,
    "transformer_xl": 5115,
}


#: Pages beside the chapters that ask for guesses.
OTHERS = ("laboratory", "compare", "map", "prerequisites")


@pytest.mark.parametrize("slug", chapters())
def test_the_summary_stands_first_is_short_and_has_one_formula(slug):
    page = page_parser.page(slug)
    boxes = page_parser.directives(page, "admonition")
    (box,) = (b for b in boxes if b.options.get("class") == "pe-five-minutes")
    assert box.argument == "In five minutes"
    displayed = re.findall(r"\$\$.+?\$\$", box.content, re.DOTALL)
    assert len(displayed) + len(page_parser.directives(box.content, "math")) == 1
    text = box.content.replace(displayed[0], "")
    assert not [
        s for s in page_parser.spans(text) if s.kind == "math" and "=" in s.content
    ]
    assert len(text.split()) <= 150
    after = ("**After this chapter you can**", "\n## ")
    assert all(page.index("In five minutes") < page.index(mark) for mark in after)


@pytest.mark.parametrize("slug", [*chapters(), *OTHERS])
def test_predictions_ask_and_answer(slug):
    page = page_parser.page(slug)
    front, asked = (
        page.split("\n## Exercises\n", 1)[0],
        page_parser.directives(page, "guess"),
    )
    assert 3 <= len(asked) <= (7 if slug in OTHERS else 6)
    assert len(asked) == len(page_parser.directives(front, "guess"))
    for guess in asked:
        assert guess.argument.endswith("?"), guess.argument
        assert 6 <= len(guess.content.split()) <= 60, guess.argument
    for section in re.split(r"^###? ", front, flags=re.MULTILINE):
        assert len(page_parser.directives(section, "guess")) <= 1, section[:40]


def test_no_page_has_grown():
    grown = [s for s in LIMITS if length.length(page_parser.page(s)).words > LIMITS[s]]
    whole = {
        slug: length.length(page_parser.page(slug), whole=True).words for slug in WHOLE
    }
    assert grown + [slug for slug in WHOLE if whole[slug] > WHOLE[slug]] == []


def test_the_imaginary_unit_is_upright():
    """Slanted i counts positions and planes."""
    slanted = re.compile(r"\\.*e\^\{-?i|e\^\{-?i.*\\")
    files = [*page_parser.BOOK.glob("*.md"), *(page_parser.ROOT / "src").rglob("*.py")]
    assert [file for file in files if slanted.search(file.read_text("utf-8"))] == []
