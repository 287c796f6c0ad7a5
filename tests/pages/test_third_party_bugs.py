"""Each cited issue, pull request or defect of foreign code has a date and a status."""

import re

import page_parser

PAGES = {
    path.stem: path.read_text("utf-8") for path in sorted(page_parser.BOOK.glob("*.md"))
}
_THREAD = re.compile(r"\[[^]]+\]\(https://github\.com/[^)]+/(?:issues|pull)/\d+\)")
_MONTHS = "January February March April May June July August September October November"
_MONTH = re.compile(rf"\b({_MONTHS.replace(' ', '|')}|December)\s20\d\d\b")
_STATUS = re.compile(r"\b(open|closed|merged|unrepaired)\b")


def paragraphs(text):
    """Return paragraphs of a page and rows of its tables, each on one line."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n|\n(?=\|)", text)]


def defects():
    """Yield paragraphs and rows on defects that are read from code, not a thread."""
    for text in PAGES.values():
        parts = paragraphs(text)
        yield from (
            p for p in parts if "defect" in p and re.search(r"`[\w-]+/[\w.-]+`", p)
        )
        _, _, section = text.partition("\n## Defects of real code")
        rows = paragraphs(section.split("\n## ")[0])[1:]
        yield from (r for r in rows if re.match(r"\| (?!what was|---)", r))


def test_threads_and_defects_have_a_month_and_a_status():
    threads = []
    for text in PAGES.values():
        # ``owner/name#12`` in prose would have neither date nor status.
        assert not re.search(r"[\w-]+/[\w.-]+#\d+\b", text)
        for part in paragraphs(text):
            # What stands close behind a link, up to the next one.
            threads += [behind[:60] for behind in _THREAD.split(part)[1:]]
    read = list(defects())
    assert len(threads) > 15
    assert len(read) >= 6
    assert [
        t for t in threads + read if not (_MONTH.search(t) and _STATUS.search(t))
    ] == []
    opened = [t for t in threads if _STATUS.search(t)[0] == "open"]
    assert [t for t in opened if not re.search(r"open as read in \w+ 20\d\d", t)] == []
