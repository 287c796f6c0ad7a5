"""Each cited issue, pull request or defect of foreign code has a date and a status."""

import re
from pathlib import Path

import pytest

PAGES = sorted((Path(__file__).parents[2] / "book").glob("*.md"))
_THREAD = re.compile(
    r"\[(?P<text>[^]]+)\]\(https://github\.com/[^)]+/(?:issues|pull)/\d+\)"
)
_MONTH = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November"
    r"|December)\s20\d\d\b"
)
_STATUS = re.compile(r"\b(open|closed|merged|unrepaired)\b")
#: How far behind a link its date and status may end.
_REACH = 60


def paragraphs(text):
    """Paragraphs of a page and rows of its tables, each on one line."""
    parts = re.split(r"\n\s*\n|\n(?=\|)", text)
    return [" ".join(part.split()) for part in parts]


def threads():
    """Each link to a thread, with what stands behind it up to the next one."""
    for page in PAGES:
        for part in paragraphs(page.read_text("utf-8")):
            links = list(_THREAD.finditer(part))
            ends = [link.start() for link in links[1:]] + [len(part)]
            for link, end in zip(links, ends, strict=False):
                behind = part[link.end() : min(end, link.end() + _REACH)]
                yield pytest.param(behind, id=f"{page.stem}: {link[0][-50:]}")


def defects():
    """Paragraphs and rows on defects that are read from code and not from a thread."""
    for page in PAGES:
        text = page.read_text("utf-8")
        for part in paragraphs(text):
            if "defect" in part and re.search(r"`[\w-]+/[\w.-]+`", part):
                yield pytest.param(part, id=page.stem)
        _, _, section = text.partition("\n## Defects of real code")
        for row in paragraphs(section.split("\n## ")[0])[1:]:
            if row.startswith("|") and not re.match(r"\| (what was|---)", row):
                yield pytest.param(row, id=f"{page.stem}: {row[:30]}")


@pytest.mark.parametrize("behind", list(threads()))
def test_a_thread_has_a_month_and_a_status(behind):
    assert _MONTH.search(behind), behind
    status = _STATUS.search(behind)
    assert status, behind
    if status[0] == "open":
        assert re.search(r"open as read in \w+ 20\d\d", behind), behind


@pytest.mark.parametrize("part", list(defects()))
def test_a_defect_that_was_read_in_code_has_a_month_and_a_status(part):
    assert _MONTH.search(part), part
    assert _STATUS.search(part), part


def test_the_pages_have_threads_and_defects():
    assert len(list(threads())) > 15
    assert len(list(defects())) >= 6


def test_no_page_names_a_thread_without_a_link():
    """``owner/name#12`` in prose would have neither date nor status."""
    for page in PAGES:
        assert not re.search(r"[\w-]+/[\w.-]+#\d+\b", page.read_text("utf-8"))
