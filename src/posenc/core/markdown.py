"""Markdown that notebooks and pages display: text, links and tables."""

from dataclasses import dataclass

from .chapters import pages


@dataclass(frozen=True)
class Markdown:
    """Markdown text that notebooks and pages display as such."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text

    def __str__(self) -> str:
        return self.text


def page_link(title: str, page: str) -> str:
    """Return `title` as a link to a page of the book, if ``_toc.yml`` has the page."""
    return f"[{title}]({page}.md)" if page in pages() else title


def stacked(first: str, heads: list[str], rows: list[tuple[str, list[str]]]) -> str:
    """Return a Markdown table whose cells carry the names of their columns.

    The names show where the table is stacked, on a narrow screen: tag the cell that
    shows the table ``stacked``, and the style sheet makes a card of each row there.
    """
    lines = [f"| {' | '.join([first, *heads])} |", "|:--" * (len(heads) + 1) + "|"]
    for title, texts in rows:
        cells = [
            f"[{head.strip()}]{{.pe-label}} {text}"
            for head, text in zip(heads, texts, strict=True)
        ]
        lines.append(f"| {' | '.join([title, *cells])} |")
    return "\n".join(lines)
