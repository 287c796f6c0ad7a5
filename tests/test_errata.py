"""The list of errata: its rules, and what is shown of it.

The claims of a chapter are put to the test in ``test_errata_<slug>.py``: the test named
after an entry (``t5-score``: ``test_t5_score``) shows that its claim is false and its
truth true. Every entry of substance has one once its chapter exists.
"""

import copy
import re
from pathlib import Path

import pytest
from pybtex.database import parse_file

from posenc import data, errata

ROOT = Path(__file__).parents[1]
LIST = data.load("errata")
WRITTEN = [e for e in errata.load() if e.chapter in errata.chapters(ROOT)]


# The list


def test_the_list_follows_its_rules_and_begins_with_what_a_chapter_needs():
    assert len(errata.load()) == len(LIST["errata"]) > 40
    assert {e.id for e in WRITTEN} >= {"t5-last-bucket", "t5-score", "t5-learned"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "T5 score"}, r"'T5 score': id must hold small letters"),
        ({"id": "t5-score"}, r"'t5-score': id must be unique"),
        ({"kind": "typo"}, r"kind must be 'substance' or 'slip'"),
        ({"sources": []}, r"at least one source"),
        ({"sources": ["source009"]}, r"name the sources \['source009'\]"),
        ({"truth": "No full stop"}, r"full stop"),
        ({"claim": "Two | columns."}, r"no line break, no \|"),
        ({"claim": "Two\nlines."}, r"no line break, no \|"),
        ({"kind": "slip", "section": "t5-last-bucket"}, r"of substance has a section"),
        ({"page": 3}, r"unknown \['page'\]"),
        ({"truth": None}, r"missing \['truth'\]"),
    ],
)
def test_a_broken_rule_is_named(change, message):
    content = copy.deepcopy(LIST)
    entry = next(e for e in content["errata"] if e["id"] == "t5-last-bucket")
    entry.update(change)
    for name in [name for name, value in change.items() if value is None]:
        del entry[name]
    with pytest.raises(ValueError, match=message):
        errata.load(content)


def test_sources_are_named_as_in_the_bibliography():
    entries = parse_file(ROOT / "book" / "references.bib").entries
    for key, name in LIST["sources"].items():
        people = entries[key].persons["author"]
        authors = [str(person.last_names[-1]).strip("{}") for person in people]
        label = authors[0] if len(authors) == 1 else f"{authors[0]} et al."
        year = "" if key.startswith("source") else f" ({entries[key].fields['year']})"
        assert name == label + year
    used = {key for entry in LIST["errata"] for key in entry["sources"]}
    assert used | {"source000"} >= set(LIST["sources"])


def test_errors_of_substance_in_written_chapters_have_a_section_and_a_test():
    for erratum in WRITTEN:
        if erratum.kind == "substance":
            tests = ROOT / "tests" / f"test_errata_{erratum.chapter}.py"
            name = f"test_{erratum.id.replace('-', '_')}"
            assert re.search(rf"^def {name}\(", tests.read_text(), re.MULTILINE), name
            text = (ROOT / "book" / f"{erratum.chapter}.md").read_text()
            assert errata.has_section(text, erratum.section), erratum.id


# What is shown


def test_page_shows_the_chapters_of_the_table_of_contents_and_no_others():
    text = str(errata.page(ROOT))
    for erratum in errata.load():
        assert (erratum.truth in text) == (erratum in WRITTEN), erratum.id
    shown = re.findall(r"^\*\*\[\]\((\w+)\.md\)\*\*$", text, re.MULTILINE)
    assert shown == list(dict.fromkeys(e.chapter for e in WRITTEN))


def test_page_links_to_no_section_that_a_chapter_lacks(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "_toc.yml").write_text("chapters:\n  - file: book/t5\n")
    chapter = tmp_path / "book" / "t5.md"
    chapter.write_text("# T5\n")
    without = str(errata.page(tmp_path))
    chapter.write_text("# T5\n\n(t5-last-bucket)=\n## Section\n")
    with_link = str(errata.page(tmp_path))
    assert with_link.replace(" [Test it.](#t5-last-bucket)", "") == without
    assert with_link != without


def test_table_of_a_chapter_has_a_row_for_each_entry_substance_first():
    shown = errata.table("sinusoidal")
    assert shown._repr_markdown_() == str(shown)
    head, rule, *rows = str(shown).split("\n")
    assert head == "| What is said | What is true |"
    assert re.fullmatch(r"\|:-+\|:-+\|", rule)
    own = [e for e in errata.load() if e.chapter == "sinusoidal"]
    assert len(rows) == len(own)
    for row in rows:
        assert row.count("|") == 3
        assert sum(e.claim in row and e.truth in row for e in own) == 1
    slips = ["*(slip)*" in row for row in rows]
    assert slips == sorted(e.kind == "slip" for e in own)


def test_a_chapter_without_errata_is_refused_with_the_names_of_those_with_some():
    with pytest.raises(ValueError, match=r"\(attention, .*, cape\), got 'chapter7'"):
        errata.table("chapter7")
