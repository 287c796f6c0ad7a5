"""The zip of the site, unpacked somewhere inconvenient and opened from the disk."""

import browsing
import make_zip
import page_rules
import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def unpacked(site, tmp_path_factory):
    """Folder of the unpacked site: there are a space and an umlaut on the way to it."""
    folder = tmp_path_factory.mktemp("zip") / "Bücher zum Lesen"
    archive = folder.parent / "site.zip"
    make_zip.write_zip(site.folder, archive)
    # Python's own unpacking: what the archive names is what a reader gets.
    with make_zip.zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    return folder / make_zip.NAME


def test_search_and_a_chapter_are_whole_and_its_widget_moves(open_page, unpacked):
    home = unpacked.as_uri() + "/"
    page = open_page(home + "search.html?q=T5")
    page.locator("#search-results li a").first.click()
    page.wait_for_url(home + "book/t5.html**")
    page.wait_for_load_state("load")
    page.evaluate(browsing.SETTLE)
    assert page.locator("mjx-container").count() > 0
    notebook = page.locator(".pe-ways a[download]").evaluate("link => link.href")
    assert (unpacked / notebook.removeprefix(home)).is_file()
    widget = page.locator(".pe-widget:has(input[type=range])").first
    slider = widget.locator("input[type=range]").first
    before, value = widget.inner_text(), slider.input_value()
    slider.press("ArrowRight")
    assert slider.input_value() != value
    assert widget.inner_text() != before
    assert page_rules.unset_formulas(page) == []
    assert page_rules.bad_images(page) == []
    assert page_rules.undrawn_icons(page) == []
    assert page_rules.foreign_requests(page, home) == []
    assert page_rules.errors(page) == []
