"""The table of the map: complete, in order, and told alike by the page."""

import re
from pathlib import Path

import page_parser
import pytest
from pybtex.database import parse_file

from posenc.map import ENTRIES, QUESTIONS, matching, table

PAGE = page_parser.page("map")
PAPERS = parse_file(Path(page_parser.BOOK) / "references.bib").entries
#: Text between a label and the next label or heading, by label.
PARAGRAPHS = {
    label: re.split(r"\n#+ |\n```", text)[0].strip()
    for label, text in re.findall(
        r"^\((map-[\w-]+)\)=\n(.+?)(?=^\([\w-]+\)=\n|\Z)",
        PAGE,
        re.DOTALL | re.MULTILINE,
    )
}
SECTION = "map-models"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_entry_answers_all_questions_and_has_a_source_of_its_year(entry):
    for question, known in QUESTIONS.items():
        answers = entry.answers(question)
        assert answers, question
        assert set(answers) <= set(known), question
    assert "everywhere" not in entry.same[1:]
    fields = PAPERS[entry.source].fields
    preprint = re.search(r"abs/(\d\d)\d\d\.", fields["url"])
    assert entry.year == int(f"20{preprint[1]}" if preprint else fields["year"])


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_entry_has_a_paragraph_that_cites_its_source(entry):
    paragraph = PARAGRAPHS[entry.label]
    keys = ",".join(page_parser.roles(paragraph, "cite:p", "cite:t")).split(",")
    assert entry.source in keys
    assert paragraph.startswith("**")


def test_every_paragraph_has_an_entry():
    assert PARAGRAPHS.keys() - {SECTION} == {entry.label for entry in ENTRIES}


def test_names_and_titles_are_unique_and_years_rise():
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)
    assert len({entry.title for entry in ENTRIES}) == len(ENTRIES)
    assert [e.year for e in ENTRIES] == sorted(e.year for e in ENTRIES)


def test_matching_keeps_entries_with_all_answers():
    assert matching() == list(ENTRIES)
    assert matching(enters="any") == list(ENTRIES)
    for question, known in QUESTIONS.items():
        parts = [matching(**{question: answer}) for answer in known]
        assert all(parts), question
        assert {e.name for part in parts for e in part} == {e.name for e in ENTRIES}
    both = matching(enters="scores", same="length decides")
    assert [entry.name for entry in both] == ["fire", "inkling"]
    with pytest.raises(ValueError, match=r"enters must be one of input.*got 'door'"):
        matching(enters="door")


def test_answers_follow_what_the_page_says():
    # Scores of LieRE and FoPE depend on more than the offset (computed on the page).
    turned = matching(enters="rotation", position="absolute")
    assert [entry.name for entry in turned] == ["liere", "fope"]
    decided = {entry.name for entry in matching(same="content decides")}
    assert "kimi" in decided
    assert "conv" not in decided
    # What nothing decides cannot be decided by the content.
    assert not decided & {entry.name for entry in matching(enters="nowhere")}
    assert {e.name for e in matching(enters="nowhere")} == {"nope", "drope"}


def test_table_links_every_method_to_its_paragraph():
    rows = str(table()).splitlines()[2:]
    assert len(rows) == len(ENTRIES)
    for row, entry in zip(rows, ENTRIES, strict=True):
        assert row.startswith(f"| [{entry.title}](#{entry.label}) |")
        assert f" {entry.year} |" in row
        assert all(answer in row for q in QUESTIONS for answer in entry.answers(q))
