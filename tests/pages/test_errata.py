"""The errata: their rules, and what is shown of them.

The claims of a chapter are put to the test in its ``test_errata.py``: the test named
after an entry (``t5-score``: ``test_t5_score``) shows that its claim is false and its
truth true. Every entry of substance has one.
"""

import copy
import re
from pathlib import Path

import page_parser
import pytest
import reference_style
from pybtex.database import parse_file

from posenc.core.chapters import chapters, with_key
from posenc.pages import errata

ROOT = Path(__file__).parents[2]
LIST = with_key("errata")
ALL = errata.load()


def test_the_list_follows_its_rules_and_begins_with_what_a_chapter_needs():
    assert len(ALL) == sum(map(len, LIST.values())) > 40
    assert {e.id for e in ALL} >= {"t5-last-bucket", "t5-score", "t5-learned"}
    assert set(LIST) <= set(chapters())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "T5 score"}, r"'T5 score': id must hold small letters"),
        ({"id": LIST["rope"][0]["id"]}, r"'rope-[\w-]+': id must be unique"),
        ({"kind": "typo"}, r"kind must be 'substance' or 'slip'"),
        ({"sources": []}, r"at least one source"),
        ({"sources": ["source009"]}, r"give the sources \['source009'\] their words"),
        ({"truth": "No full stop"}, r"full stop"),
        ({"claim": "Two\nlines."}, r"no line break, no \|"),
        ({"kind": "slip", "section": "t5-last-bucket"}, r"of substance has a section"),
        ({"truth": None}, r"missing \['truth'\]"),
    ],
)
def test_a_broken_rule_is_named(change, message):
    entries = copy.deepcopy(LIST)
    entry = next(e for e in entries["t5"] if e["id"] == "t5-last-bucket")
    entry.update(change)
    for name in [name for name, value in change.items() if value is None]:
        del entry[name]
    with pytest.raises(ValueError, match=message):
        errata.load(entries)


def test_sources_are_named_as_in_the_bibliography():
    entries = parse_file(ROOT / "book" / "references.bib").entries
    for key, name in errata.SOURCES.items():
        year = entries[key].fields["year"]
        dated = "" if year == "n.d." else f" ({year})"
        assert name == reference_style.who(entries[key]) + dated
    used = {key for some in LIST.values() for e in some for key in e["sources"]}
    assert used | {"source000"} >= set(errata.SOURCES)


@pytest.mark.parametrize("entry", [e for e in ALL if e.kind == "substance"])
def test_errors_of_substance_have_a_test_and_their_sections_exist(entry):
    tests = (ROOT / "tests" / entry.chapter / "test_errata.py").read_text("utf-8")
    assert not entry.tested or f"\ndef test_{entry.id.replace('-', '_')}(" in tests
    assert entry.section or entry.tested
    assert not entry.section or entry.section in page_parser.labels(
        page_parser.page(entry.chapter)
    )


def test_page_shows_every_erratum_under_its_chapter_substance_first():
    text = str(errata.page())
    shown = re.findall(r"^\*\*\[\]\((\w+)\.md\)\*\*$", text, re.MULTILINE)
    assert shown == [slug for slug in chapters() if slug in LIST]
    parts = re.split(r"^\*\*\[\].*$", text, flags=re.MULTILINE)[1:]
    for chapter, part in zip(shown, parts, strict=True):
        assert part.strip() == str(errata.table(chapter))
        head, _, *rows = part.strip().split("\n")
        assert head == "| What is said | What is true |"
        own = [e for e in ALL if e.chapter == chapter]
        assert len(rows) == len(own)
        for row in rows:
            assert row.count("|") == 3
            (entry,) = (e for e in own if e.claim in row and e.truth in row)
            link = f"[{'Test it' if entry.tested else 'More'}.](#{entry.section})"
            assert (link in row) == bool(entry.section)
        slips = ["*(slip)*" in row for row in rows]
        assert slips == sorted(e.kind == "slip" for e in own)
