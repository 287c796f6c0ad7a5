"""The book's errata: one list, read, checked and shown from here.

The list is ``book/data/errata.json``. Each entry holds what a source says and what is
true. An error of *substance* is tested where its chapter treats the matter; a *slip* of
notation, wording or arithmetic needs its line alone.

A chapter shows its own entries with ``errata.table("t5")``, the page of errata those of
all chapters with ``errata.page()``. Tag such a cell ``errata``: the style sheet then
stacks the columns on a narrow screen.
"""

import re
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from . import data

_ROOT = Path(__file__).parents[2]  # of a checkout: holds _toc.yml and book/


@dataclass(frozen=True)
class Erratum:
    """One error: what `sources` say, and what is true.

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
        Who says it, as in the bibliography (``"Source 003"``).
    claim, truth : str
        What is said and what is true: sentences in Markdown, on one line.
    section : str, default ""
        Label of the chapter's section that tests the claim; for substance alone.
    """

    id: str
    chapter: str
    kind: str
    sources: tuple[str, ...]
    claim: str
    truth: str
    section: str = ""


@dataclass(frozen=True)
class Shown:
    """Markdown text that notebooks and pages display as such."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text

    def __str__(self) -> str:
        return self.text


def load(content: dict[str, Any] | None = None) -> tuple[Erratum, ...]:
    """Read and check the list of errata.

    Parameters
    ----------
    content : dict, optional
        What the JSON file holds; by default that of the book. Its ``"sources"`` name
        the keys of the bibliography, its ``"errata"`` are the entries.

    Returns
    -------
    tuple of Erratum
        In the order of the file.

    Raises
    ------
    ValueError
        If an entry breaks a rule; the message names the entry and the rule.
    """
    content = content or data.load("errata")
    names = content["sources"]
    errata: list[Erratum] = []
    for entry in content["errata"]:
        broken = _broken_rule(entry, names)
        if not broken and any(entry["id"] == other.id for other in errata):
            broken = "id must be unique: rename one of the two"
        if broken:
            msg = f"erratum {entry.get('id', entry)!r}: {broken}"
            raise ValueError(msg)
        sources = tuple(names[key] for key in entry["sources"])
        errata.append(Erratum(**{**entry, "sources": sources}))
    return tuple(errata)


def table(chapter: str) -> Shown:
    """Errata of one chapter as a table, substance first.

    Parameters
    ----------
    chapter : str
        Slug of the chapter, for example ``"t5"``.

    Returns
    -------
    Shown
        Displays itself in a notebook or on a page. Entries of substance link to the
        section that tests them.

    Raises
    ------
    ValueError
        If no erratum belongs to `chapter`.

    Examples
    --------
    >>> print(table("t5"))  # doctest: +ELLIPSIS
    | What is said | What is true |
    |:--|:--|
    | **Source 000; Raffel et al. (2020):** The buckets widen logarithmically up to ...
    """
    errata = load()
    own = [erratum for erratum in errata if erratum.chapter == chapter]
    if not own:
        known = ", ".join(dict.fromkeys(erratum.chapter for erratum in errata))
        msg = f"chapter must be one that has errata ({known}), got {chapter!r}"
        raise ValueError(msg)
    return Shown(_markdown(own))


def page(root: Path | None = None) -> Shown:
    """Errata of every chapter that ``_toc.yml`` lists, under links to the chapters.

    Parameters
    ----------
    root : Path, optional
        Folder of ``_toc.yml`` and ``book/``; by default that of this checkout.

    Returns
    -------
    Shown
        A section is linked to where its chapter has it.
    """
    root = root or _ROOT
    errata, parts = load(), []
    for chapter in chapters(root):
        text = (root / "book" / f"{chapter}.md").read_text(encoding="utf-8")
        own = [erratum for erratum in errata if erratum.chapter == chapter]
        if own:
            parts += [f"**[]({chapter}.md)**", _markdown(own, within=text)]
    return Shown("\n\n".join(parts))


def chapters(root: Path | None = None) -> tuple[str, ...]:
    """Slugs of the pages in ``_toc.yml``, in the book's order."""
    toc = ((root or _ROOT) / "_toc.yml").read_text(encoding="utf-8")
    return tuple(re.findall(r"\bfile:\s*book/([\w-]+)", toc))


def has_section(text: str, section: str) -> bool:
    """Whether the MyST source `text` has the label `section`."""
    return f"({section})=" in text


def _markdown(errata: list[Erratum], within: str | None = None) -> str:
    """Table of `errata`; links only to sections of the text `within`, if given."""
    rows = ["| What is said | What is true |", "|:--|:--|"]
    for erratum in sorted(errata, key=lambda e: e.kind == "slip"):
        said = f"**{'; '.join(erratum.sources)}:** {erratum.claim}"
        note = ""
        if erratum.kind == "slip":
            said += " *(slip)*"
        elif erratum.section and (
            within is None or has_section(within, erratum.section)
        ):
            note = f" [Test it.](#{erratum.section})"
        rows.append(f"| {said} | {erratum.truth}{note} |")
    return "\n".join(rows)


def _broken_rule(entry: dict[str, Any], names: dict[str, str]) -> str:
    """Say which rule `entry` breaks, or ``""``."""
    wanted = {f.name for f in fields(Erratum) if f.default is MISSING}
    missing, unknown = wanted - entry.keys(), entry.keys() - wanted - {"section"}
    if missing or unknown:
        return (
            f"needs the fields {sorted(wanted)} and perhaps section; "
            f"missing {sorted(missing)}, unknown {sorted(unknown)}"
        )
    unlabeled = [key for key in entry["sources"] if key not in names]
    texts = (entry["claim"], entry["truth"])
    rules = {
        "id must hold small letters, digits and hyphens": bool(
            re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", entry["id"])
        ),
        "kind must be 'substance' or 'slip'": entry["kind"] in ("substance", "slip"),
        "sources must name at least one source": bool(entry["sources"]),
        f"name the sources {unlabeled} under 'sources'": not unlabeled,
        "claim and truth must be sentences, ending in a full stop": all(
            text.endswith(".") or text.endswith(".$") for text in texts
        ),
        "claim and truth must fit a row: no line break, no |": not any(
            "\n" in text or "|" in text for text in texts
        ),
        "only an entry of substance has a section": not (
            entry.get("section") and entry["kind"] == "slip"
        ),
    }
    return next((rule for rule, holds in rules.items() if not holds), "")
