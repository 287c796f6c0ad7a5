"""Pages taken apart: what the parser of the pages sees, and where it stands."""

from textwrap import dedent

import page_parser
from docutils.core import publish_doctree
from myst_parser.docutils_ import Parser


def test_blocks_cover_the_page_without_a_gap():
    for slug in (path.stem for path in page_parser.BOOK.glob("*.md")):
        text = page_parser.page(slug)
        found = list(page_parser.blocks(text))
        assert "\n".join(block.source for block in found) == text, slug
        for block in found:
            line = text.split("\n")[block.line - 1]
            assert block.source.split("\n")[0] == line


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
    found = page_parser.headings(text)
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
