"""The book's errata: read from the chapters, checked and shown from here.

Each chapter's ``chapter.toml`` holds its own: what a source says and what is true. An
error of *substance* has a test, if a computation can tell (or else ``tested = false``),
and a section of the chapter where a reader might make it, too; a *slip* of notation,
wording or arithmetic needs its line alone.

A chapter shows its own entries with ``errata.table("t5")``, the page of errata those of
all chapters with ``errata.page()``. Tag such a cell ``errata``: the style sheet then
stacks the columns on a narrow screen.
"""

import re
from dataclasses import MISSING, dataclass, fields
from typing import Any

from posenc.core.chapters import with_key
from posenc.core.markdown import Markdown

#: Sources of errata: words for the keys of the bibliography.
SOURCES = {
    "source000": "Jeonsworld",
    "source001": "복만 (2021)",
    "source003": "Comparison of Positional Embedding Methods",
    "source004": "listenviolet (2019)",
    "dai2019": "Dai et al. (2019)",
    "raffel2020": "Raffel et al. (2020)",
}


@dataclass(frozen=True)
class Erratum:
    """One error: the claim of `sources`, and the truth.

    Parameters
    ----------
    id : str
        Name of the entry; begins with that of its topic (``"t5-score"``). The test of
        the entry is called ``test_t5_score``.
    chapter : str
        Slug of the chapter it belongs to.
    kind : str
        ``"substance"`` or ``"slip"``.
    sources : tuple of str
        Who says it, as in the bibliography (``"Raffel et al. (2020)"``).
    claim, truth : str
        What is said and what is true: sentences in Markdown, on one line.
    section : str, default ""
        Label of the chapter's section that tests the claim, if it has one; for
        substance alone.
    tested : bool, default True
        False if that section says more, and no computation can tell (what a paper did).
    """

    id: str
    chapter: str
    kind: str
    sources: tuple[str, ...]
    claim: str
    truth: str
    section: str = ""
    tested: bool = True


def load(entries: dict[str, list[dict[str, Any]]] | None = None) -> tuple[Erratum, ...]:
    """Read and check the errata.

    Parameters
    ----------
    entries : dict, optional
        Entries of each chapter; by default those of the book.

    Returns
    -------
    tuple of Erratum
        Chapter after chapter, in the order of each file.

    Raises
    ------
    ValueError
        If an entry breaks a rule; the message names the entry and the rule.
    """
    errata: list[Erratum] = []
    for chapter, some in (with_key("errata") if entries is None else entries).items():
        for entry in some:
            broken = _broken_rule(entry)
            if not broken and any(entry["id"] == other.id for other in errata):
                broken = "id must be unique: rename one of the two"
            if broken:
                msg = f"erratum {entry.get('id', entry)!r}: {broken}"
                raise ValueError(msg)
            sources = tuple(SOURCES[key] for key in entry["sources"])
            errata.append(Erratum(**{**entry, "chapter": chapter, "sources": sources}))
    return tuple(errata)


def table(chapter: str) -> Markdown:
    """Return the errata of one chapter as a table, substance first.

    Parameters
    ----------
    chapter : str
        Slug of the chapter, for example ``"t5"``.

    Returns
    -------
    Markdown
        Displays itself in a notebook or on a page. Entries link to the section that
        tests them, if there is one.

    Raises
    ------
    ValueError
        If no erratum belongs to `chapter`.

    Examples
    --------
    >>> print(str(table("t5")).splitlines()[0])
    | What is said | What is true |
    """
    errata = load()
    own = [erratum for erratum in errata if erratum.chapter == chapter]
    if not own:
        known = ", ".join(dict.fromkeys(erratum.chapter for erratum in errata))
        msg = f"chapter must be one that has errata ({known}), got {chapter!r}"
        raise ValueError(msg)
    return Markdown(_markdown(own))


def page() -> Markdown:
    """Return the errata of every chapter, under links to the chapters."""
    parts, errata = [], load()
    for chapter in dict.fromkeys(erratum.chapter for erratum in errata):
        own = [erratum for erratum in errata if erratum.chapter == chapter]
        parts += [f"**[]({chapter}.md)**", _markdown(own)]
    return Markdown("\n\n".join(parts))


def _markdown(errata: list[Erratum]) -> str:
    """Return a table of `errata`, with links to the sections that test them."""
    rows = ["| What is said | What is true |", "|:--|:--|"]
    for erratum in sorted(errata, key=lambda e: e.kind == "slip"):
        claim = f"**{'; '.join(erratum.sources)}:** {erratum.claim}"
        link = "Test it." if erratum.tested else "More."
        note = f" [{link}](#{erratum.section})" if erratum.section else ""
        if erratum.kind == "slip":
            claim += " *(slip)*"
        rows.append(f"| {claim} | {erratum.truth}{note} |")
    return "\n".join(rows)


def _broken_rule(entry: dict[str, Any]) -> str:
    """Return a sentence on the rule that `entry` breaks, or ``""``."""
    required = {f.name for f in fields(Erratum) if f.default is MISSING} - {"chapter"}
    missing, unknown = (
        required - entry.keys(),
        entry.keys() - required - {"section", "tested"},
    )
    if missing or unknown:
        return (
            f"needs the fields {sorted(required)} and perhaps section, tested; "
            f"missing {sorted(missing)}, unknown {sorted(unknown)}"
        )
    unlabeled = [key for key in entry["sources"] if key not in SOURCES]
    texts = (entry["claim"], entry["truth"])
    rules = {
        "id must hold small letters, digits and hyphens": bool(
            re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", entry["id"])
        ),
        "kind must be 'substance' or 'slip'": entry["kind"] in ("substance", "slip"),
        "sources must name at least one source": bool(entry["sources"]),
        f"give the sources {unlabeled} their words in SOURCES": not unlabeled,
        "claim and truth must be sentences, ending in a full stop": all(
            text.endswith(".") or text.endswith(".$") for text in texts
        ),
        "claim and truth must fit a row: no line break, no |": not any(
            "\n" in text or "|" in text for text in texts
        ),
        "only an entry of substance has a section": not (
            entry.get("section") and entry["kind"] == "slip"
        ),
        "tested must be true or false": isinstance(entry.get("tested", True), bool),
    }
    return next((rule for rule, holds in rules.items() if not holds), "")
