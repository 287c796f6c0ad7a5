"""Style of citations: the same words in pages, notebooks and the bibliography."""

from collections.abc import Iterable, Iterator
from typing import Any

from pybtex.database import Entry
from pybtex.plugin import register_plugin
from pybtex.richtext import Text
from pybtex.style.formatting.unsrt import Style
from pybtex.style.labels import BaseLabelStyle

#: Name of the bibliography's style, for pybtex.
NAME = "as_cited"


def who(entry: Entry) -> str:
    """Return the authors' family names as a citation has them: one, two, or the first.

    Examples
    --------
    >>> from pybtex.database import Person
    >>> who(Entry("misc", persons={"author": [Person("Shaw, P."), Person("Li, X.")]}))
    'Shaw and Li'
    """
    people = entry.persons["author"]
    names = [" ".join((*p.prelast_names, *p.last_names)) for p in people]
    names = [str(Text.from_latex(name)) for name in names]  # without braces
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names)


class Labels(BaseLabelStyle):
    """Labels such as ``Shaw et al., 2018``.

    Works of the same authors and year have letters in ``references.bib``, since
    citations and notebooks read the year there, too.
    """

    def format_labels(self, sorted_entries: Iterable[Entry]) -> Iterator[str]:
        """Yield the label of each entry, in the same order."""
        for entry in sorted_entries:
            yield f"{who(entry)}, {entry.fields['year']}"


class AsCited(Style):
    """pybtex's usual style, sorted by author, year and title, under `Labels`."""

    default_label_style = Labels
    default_sorting_style = "author_year_title"


def setup(app: Any) -> None:
    """Make this the style of every bibliography."""
    register_plugin("pybtex.style.formatting", NAME, AsCited)
    app.connect(
        "config-inited",
        lambda _, config: setattr(config, "bibtex_default_style", NAME),
        priority=400,
    )
