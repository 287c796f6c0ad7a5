"""The glossary has the words that people type, and names chapters by links."""

import re

import myst

from posenc.core.chapters import pages

#: A role with its content.
ROLE = re.compile(r"\{\w+\}`[^`]*`")
#: What readers of code and of configs search for.
TYPED = (
    *("KV cache", "rotate_half", "freqs_cis", "inv_freq", "interleaved"),
    *("rope_theta", "rope_scaling", "rope_parameters", "dynamic NTK", "LongRoPE"),
    *("context length", "extrapolation", "position_ids", "left padding"),
    *("concatenated?", "cross-entropy", "NoPE", "attention sink", "partial rotary"),
    *("mrope", "ViT"),
)


def missing(text):
    return [word for word in TYPED if not re.search(rf"\b{word}\b", text, re.I)]


def test_glossary_and_headings_have_the_words_that_readers_type():
    assert missing(myst.page("glossary")) == []
    headings = [h.source for slug in pages() for h in myst.headings(myst.page(slug))]
    assert missing("\n".join(headings)) == []


def test_glossary_names_chapters_by_links_alone():
    text = ROLE.sub("", myst.page("glossary"))
    assert re.findall(r"[^\n]*chapter\s+on[^\n]*", text) == []


def test_the_imaginary_unit_is_upright():
    """Slanted i counts positions and planes."""
    files = {*(myst.ROOT / "book").glob("*.md"), *(myst.ROOT / "src").rglob("*.py")}
    lines = [line for file in files for line in file.read_text("utf-8").split("\n")]
    formulas = [line for line in lines if "\\" in line]
    assert [line for line in formulas if re.search(r"e\^\{-?i", line)] == []
