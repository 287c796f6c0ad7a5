"""All methods of the map, from ``entries.toml``: for its picture, widget and table.

The tests in ``tests/map`` compare each entry with its paragraph on the page.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from posenc.core.markdown import Markdown, stacked

#: The four questions of the map, and the possible answers.
QUESTIONS: dict[str, tuple[str, ...]] = {
    "enters": ("input", "scores", "rotation", "softmax", "nowhere"),
    "numbers": ("fixed", "learned", "none"),
    "position": ("absolute", "relative", "neither"),
    "same": ("everywhere", "layers differ", "content decides", "length decides"),
}


@dataclass(frozen=True)
class Entry:
    """One method of the map.

    Attributes
    ----------
    name, title : str
        ``map-<name>`` is the label of its paragraph; its name on the page.
    year : int
        Year of the first public version of its source.
    source : str
        Key of its source in ``references.bib``.
    enters : str
        Place where it changes attention. ``"rotation"`` is any product with queries and
        keys, ``"softmax"`` the scale or the sum of the softmax.
    numbers : str
        ``"fixed"`` or ``"learned"``; ``"none"`` if it has no numbers.
    position : str
        Position that its numbers depend on: absolute, relative or neither.
    same : tuple of str
        ``"everywhere"`` if it is the same in every layer and for every token. Otherwise
        the difference: the layer, the content, or the length of the text (the size of a
        picture).
    """

    name: str
    title: str
    year: int
    source: str
    enters: str
    numbers: str
    position: str
    same: tuple[str, ...]

    @property
    def label(self) -> str:
        """Label of the paragraph on the page."""
        return f"map-{self.name}"

    def answers(self, question: str) -> tuple[str, ...]:
        """Return the answers to one of the `QUESTIONS`."""
        answer = getattr(self, question)
        return answer if isinstance(answer, tuple) else (answer,)


#: Signs in ``entries.toml`` for the answers to the fourth question.
_SAME = {"=": "everywhere", "L": "layers differ", "C": "content decides"}
_SAME["T"] = "length decides"


def _read() -> tuple[Entry, ...]:
    text = Path(__file__).with_name("entries.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["entries"]
    return tuple(Entry(*row, same=tuple(_SAME[c] for c in same)) for *row, same in rows)


#: All methods, in the order of their years.
ENTRIES = _read()


def matching(**answers: str) -> list[Entry]:
    """Return the entries that give these answers; ``"any"`` asks for nothing.

    Parameters
    ----------
    **answers : str
        One of the answers, or ``"any"``, for some of the `QUESTIONS`.

    Examples
    --------
    >>> [entry.title for entry in matching(enters="input", same="content decides")]
    ['abacus']
    """
    for question, answer in answers.items():
        if answer not in ("any", *QUESTIONS[question]):
            known = ", ".join(QUESTIONS[question])
            msg = f"{question} must be one of {known}, or any, got {answer!r}"
            raise ValueError(msg)
    asked = {key: choice for key, choice in answers.items() if choice != "any"}
    return [
        e for e in ENTRIES if all(choice in e.answers(q) for q, choice in asked.items())
    ]


def table(entries: Sequence[Entry] = ENTRIES) -> Markdown:
    """Return all methods as a table for pages, each with a link to its paragraph."""
    heads = ["year", "enters", "numbers", "position", "the same?"]
    rows = [
        (
            f"[{e.title}](#{e.label})",
            [str(e.year), e.enters, e.numbers, e.position, ", ".join(e.same)],
        )
        for e in entries
    ]
    return Markdown(stacked("method", heads, rows))
