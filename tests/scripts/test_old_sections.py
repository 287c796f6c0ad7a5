"""Links to sections of the first edition lead to what became of them."""

from types import SimpleNamespace

import old_sections
import page_parser
import pytest
from docutils import nodes


def sections(slug, *ids):
    """Ids that a page's sections have in the end, from those of each."""
    document = nodes.document(None, None)
    document += [nodes.section(ids=[*some]) for some in ids]
    app = SimpleNamespace(env=SimpleNamespace(docname=f"book/{slug}"))
    old_sections.add_ids(app, document)
    return [one["ids"] for one in document.findall(nodes.section)]


def test_a_section_has_its_old_ids_behind_its_own():
    ids = ["what-it-costs-skip-on-first-reading", "t5-costs"]
    assert sections("x", ids) == [[*ids, "what-it-costs"]]
    assert sections("x", ["a-optional"], ["a"]) == [["a-optional"], ["a"]]


@pytest.mark.parametrize("slug", old_sections.MOVED)
def test_every_old_section_leads_to_a_section_of_today(slug):
    headings = page_parser.headings(page_parser.page(slug))
    today = [[nodes.make_id(n) for n in (h.source, h.label) if n] for h in headings]
    before = {name for ids in today for name in ids}
    assert not before & old_sections.MOVED[slug].keys()
    after = {name for ids in sections(slug, *today) for name in ids}
    assert after >= old_sections.MOVED[slug].keys()
