"""The slides of every chapter, as a teacher opens them: from the disk.

`make test` opens one deck, at the size for which it is made. `make test-full` opens all
of them, prints one, and reads it on a phone in the dark and without JavaScript.
"""

import page_rules
import pytest
from bs4 import BeautifulSoup

from posenc.core.chapters import chapters, metadata

pytestmark = pytest.mark.browser

WIDTH, HEIGHT = 1280, 720
ONE = "rope"
#: How far slides are made smaller, or larger, than they are laid out.
SMALLEST = 0.6

#: What sticks out of a slide, and what is too small on it, as readers see it.
UNFIT = """([width, height, smallest]) => Reveal.getSlides().flatMap((slide) => {
  const body = slide.querySelector(".pe-fit"), room = body.parentElement;
  const scale = new DOMMatrix(getComputedStyle(body).transform).a;
  const found = [];
  if (slide.scrollHeight > height + 1) found.push(`height ${slide.scrollHeight}`);
  if (slide.scrollWidth > width + 1) found.push(`width ${slide.scrollWidth}`);
  if (body.offsetHeight * scale > room.clientHeight + 2) found.push("beyond its room");
  if (scale < smallest) found.push(`scale ${scale}`);
  return found.map((problem) => `${slide.id}: ${problem}`);
})"""

#: Whether a widget shows something else after its first control has been moved.
CHANGE = """async (widget) => {
  const shown = () => widget.innerText + widget.dataset.shown, before = shown();
  const range = widget.querySelector("input[type=range]:not(:disabled)");
  const select = widget.querySelector("select"), box = widget.querySelector("input");
  if (range) range.value = range.value === range.max ? range.min : range.max;
  else if (select)
    select.selectedIndex = select.selectedIndex ? 0 : select.options.length - 1;
  else box.click();
  for (const name of ["input", "change"])
    (range ?? select ?? box).dispatchEvent(new Event(name, { bubbles: true }));
  for (let frame = 0; frame < 60 && shown() === before; frame++)
    await new Promise((done) => requestAnimationFrame(done));
  return shown() !== before;
}"""


def names(page):
    return page.evaluate("Reveal.getSlides().map((slide) => slide.id)")


def opened(open_page, site, slug, query="", **options):
    page = open_page(f"{site.file}slides/{slug}.html{query}", **options)
    page.wait_for_function("window.Reveal?.isReady()")
    return page


OTHERS = [pytest.param(s, marks=pytest.mark.slow) for s in chapters() if s != ONE]


@pytest.mark.parametrize("slug", [ONE, *OTHERS])
def test_slides_are_whole_and_their_widgets_move(slug, site, open_page):
    page = opened(open_page, site, slug, width=WIDTH, height=HEIGHT)
    slides = names(page)
    assert slides[:4] == ["title", "opening", "missing", "aims"]
    assert slides[-4:] == ["question", "exercise-1", "exercise-2", "what-remains"]
    moved = page.locator(".pe-widget").evaluate_all(
        f"all => Promise.all(all.map({CHANGE}))"
    )
    assert moved == [True] * len(metadata(slug)["widgets"])
    assert page.locator("mjx-container").count() > 0
    page.keyboard.press("ArrowRight")
    assert page.evaluate("Reveal.getCurrentSlide().id") == "opening"
    problems = [
        *page_rules.foreign_requests(page, site.file),
        *page_rules.unset_formulas(page),
        *page_rules.bad_images(page),
        *page.evaluate(UNFIT, [WIDTH, HEIGHT, SMALLEST]),
        *page_rules.errors(page),
    ]
    assert problems == []


def test_every_link_leads_somewhere(site, anchors):
    folder = site.folder / "slides"
    found = sorted(path.stem for path in folder.glob("*.html"))
    assert found == sorted(chapters())
    problems = []
    for slug in found:
        name = f"slides/{slug}.html"
        html = (site.folder / name).read_text("utf-8")
        soup = BeautifulSoup(html, "html.parser")
        problems += page_rules.foreign_resources(soup)
        problems += page_rules.dead_links(
            name, soup, {**anchors, name: page_rules.anchors(html)}, site.folder
        )
    assert problems == []


@pytest.mark.slow
def test_keys_belong_to_a_widget_that_has_the_focus(site, open_page):
    page = opened(open_page, site, ONE, "#/move-it-yourself", width=WIDTH)
    slider = page.locator("section.present input[type=range]").first
    before = slider.input_value()
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert slider.input_value() != before
    page.locator("section.present canvas[tabindex]").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("Reveal.getCurrentSlide().id") == "move-it-yourself"
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("Reveal.getCurrentSlide().id") != "move-it-yourself"


@pytest.mark.slow
def test_a_deck_prints_one_page_for_each_slide(site, open_page):
    page = opened(open_page, site, ONE, "?print-pdf", width=WIDTH, dark=True)
    page.locator(".pdf-page").first.wait_for()
    assert page.locator("html").get_attribute("data-theme") == "light"
    sheets = page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n")
    assert sheets == len(names(page))
    assert page_rules.errors(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("javascript", [True, False])
def test_on_a_phone_in_the_dark_they_are_a_page_to_scroll(site, open_page, javascript):
    address = f"{site.file}slides/{ONE}.html"
    page = open_page(address, width=360, dark=True, javascript=javascript)
    assert page.locator(".pe-slides > section").last.is_visible()
    problems = page_rules.foreign_requests(page, site.file)
    problems += page_rules.bad_images(page) + page_rules.sideways_scroll(page)
    if javascript:
        problems += page_rules.wrong_theme(page, dark=True)
        problems += page_rules.unset_formulas(page) + page_rules.low_contrast(page)
    assert problems + page_rules.errors(page) == []
