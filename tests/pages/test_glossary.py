"""The glossary names a chapter only where it links to it."""

import re

import myst

#: A role with its content.
ROLE = re.compile(r"\{\w+\}`[^`]*`")


def test_glossary_names_chapters_by_links_alone():
    text = ROLE.sub("", myst.page("glossary"))
    assert re.findall(r"[^\n]*chapter\s+on[^\n]*", text) == []
