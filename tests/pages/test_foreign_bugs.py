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
                yield pytest.param(behind, True, id=f"{page.stem}: {link[0][-50:]}")


def defects():
    """Paragraphs and rows on defects that are read from code and not from a thread."""
    for page in PAGES:
        text = page.read_text("utf-8")
        for part in paragraphs(text):
            if "defect" in part and re.search(r"`[\w-]+/[\w.-]+`", part):
                yield pytest.param(part, False, id=page.stem)
        _, _, section = text.partition("\n## Defects of real code")
        for row in paragraphs(section.split("\n## ")[0])[1:]:
            if row.startswith("|") and not re.match(r"\| (what was|---)", row):
                yield pytest.param(row, False, id=f"{page.stem}: {row[:30]}")


@pytest.mark.parametrize(("text", "is_thread"), [*threads(), *defects()])
def test_a_thread_or_defect_has_a_month_and_a_status(text, is_thread):
    assert _MONTH.search(text), text
    status = _STATUS.search(text)
    assert status, text
    if is_thread and status[0] == "open":
        assert re.search(r"open as read in \w+ 20\d\d", text), text


def test_the_pages_have_threads_and_defects_and_link_all_of_them():
    """``owner/name#12`` in prose would have neither date nor status."""
    assert len(list(threads())) > 15
    assert len(list(defects())) >= 6
    for page in PAGES:
        assert not re.search(r"[\w-]+/[\w.-]+#\d+\b", page.read_text("utf-8"))
