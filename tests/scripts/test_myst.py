"""Pages taken apart: what the parser of the pages sees, and where it stands."""

from textwrap import dedent

import myst
import pytest
from docutils.core import publish_doctree
from myst_parser.docutils_ import Parser

PAGE = dedent(
    """\
    ---
    jupytext: {}
    ---

    (place)=
    # A *title*

    Words with {eq}`one` and `{eq}code` and $a_{b}$.

    ```{code-cell} ipython3
    :tags: [stub, torch]
    :mystnb:
    :  figure:
    :    name: picture

    x = "(no)="
    ```

    ::::{note} Mind
    :class: wide

    ```{math}
    :label: one
    a
    ```

    See {doc}`errata`, [this](https://example.org) and <https://example.com/b>.
    ::::

    ```python
    # no title
    ```
    """
)


def test_blocks_cover_the_page_without_a_gap():
    for slug in (path.stem for path in myst.BOOK.glob("*.md")):
        text = myst.page(slug)
        found = list(myst.blocks(text))
        assert "\n".join(block.source for block in found) == text, slug
        for block in found:
            line = text.split("\n")[block.line - 1]
            assert block.source.split("\n")[0] == line


def test_kinds_names_options_and_content():
    found = [b for b in myst.blocks(PAGE) if b.source.strip()]
    assert [(b.kind, b.name) for b in found] == [
        ("head", ""),
        ("label", "place"),
        ("prose", ""),
        ("directive", "code-cell"),
        ("directive", "note"),
        ("code", ""),
    ]
    cell, note, code = found[3:]
    assert cell.argument == "ipython3"
    assert cell.options["mystnb"] == {"figure": {"name": "picture"}}
    assert (note.argument, note.options) == ("Mind", {"class": "wide"})
    assert "".join(code.content) == "# no title\n"


def test_cells_are_code_with_tags_and_the_text_between():
    text, code, rest = myst.cells(PAGE)
    assert [text.is_code, code.is_code, rest.is_code] == [False, True, False]
    assert (code.tags, code.source) == (["stub", "torch"], 'x = "(no)="')
    assert text.source.startswith("(place)=\n# A *title*")
    assert rest.source.startswith("::::{note} Mind")
    assert rest.source.endswith("# no title\n```")


def test_what_is_named_is_found_inside_of_directives_and_not_in_code():
    assert myst.labels(PAGE) == {"place", "one"}
    assert [block.content for block in myst.directives(PAGE, "math")] == ["a"]
    assert myst.roles(PAGE, "eq") == ["one"]
    assert myst.roles(PAGE, "eq", "doc") == ["one", "errata"]
    assert myst.links(PAGE) == ["https://example.org", "https://example.com/b"]
    assert myst.title(PAGE) == "A *title*"


def test_spans_stand_where_they_say():
    text = "- {eq}`a\n  b`, $x\n  y$ and `{eq}`: {eq}``c``\n\n$$\nz\n$$\n"
    found = [(s.kind, text[s.start : s.end]) for s in myst.spans(text)]
    assert found == [
        ("role", "{eq}`a\n  b`"),
        ("math", "$x\n  y$"),
        ("code", "`{eq}`"),
        ("role", "{eq}``c``"),
        ("math", "$$\nz\n$$"),
    ]
    upper = myst.replaced(text, lambda span: span.kind.upper())
    assert upper == "- ROLE, MATH and CODE: ROLE\n\nMATH\n"


def test_a_span_that_cannot_be_placed_is_an_error():
    with pytest.raises(ValueError, match=r"must stand in the text as it is"):
        myst.spans("| a |\n|:--|\n| `x\\|y` |\n")


def test_headings_have_the_anchors_that_myst_links_to():
    text = dedent(
        """\
        # Title

        (place)=
        ## Why *10,000*?

        :::{note}
        Words.
        :::

        (away)=

        Words.

        ## Why 10,000?

        ### What do `position_ids`, $x_i$ and [CLS] mean?

        ### Why 10,000?
        """
    )
    found = myst.headings(text)
    settings = {
        "myst_heading_anchors": 3,
        "myst_enable_extensions": ["dollarmath", "colon_fence"],
        "report_level": 5,
    }
    document = publish_doctree(text, parser=Parser(), settings_overrides=settings)
    assert [heading.anchor for heading in found] == list(document.myst_slugs)
    assert [heading.level for heading in found] == [1, 2, 2, 3, 3]
    assert [heading.label for heading in found] == ["", "place", "", "", ""]
    assert found[3].source == "What do `position_ids`, $x_i$ and [CLS] mean?"
