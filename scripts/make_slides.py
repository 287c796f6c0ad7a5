"""Make slides of the chapters.

The slides of a chapter are made from its built page, so nothing is said twice. They
follow from how a page is built: its opening, what was missing and what readers learn,
the numbered formulas and the theorems with the words that lead to them, the figures of
cells tagged ``slide``, every widget, two exercises and what remains. The idea and the
question come from ``chapter.toml``. `build_book` makes them of the pages that it has
built, and ``slides/`` beside this file holds what all of them share.

nbconvert's slides are not used: its template asks for MathJax 2, jQuery and require.js,
loads a script from another host, and puts 270 KB of styles into each deck. And it shows
whole cells: numbers of formulas, theorems and references exist only on the page.
"""

import re
import shutil
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

import yaml
from bs4 import BeautifulSoup, Tag
from markdown_it import MarkdownIt

from posenc.core.chapters import chapters, metadata
from posenc.pages import course

ROOT = Path(__file__).parent.parent
SITE = ROOT / "_build" / "html"
#: Template, style and script of all decks.
SHARED = Path(__file__).with_name("slides")

#: Parts of a section that a slide shows, besides the words that lead to it.
SHOWN = 'div.math[id^="equation-"], div.theorem, .cell.tag_slide, [id^="posenc-"]'
#: Elements whose formulas and pictures are part of something else.
INNER = ["proof", "exercise", "solution", "dropdown", "pe-guess", "pe-fold"]
#: Formulas and theorems of one section that share a slide.
TOGETHER = 2
EXERCISES = 2


def deck(slug: str, html: str) -> str:
    """Return the slides of one chapter as a page of their own.

    Parameters
    ----------
    slug : str
        The chapter, such as ``"rope"``.
    html : str
        Its built page.

    Raises
    ------
    ValueError
        If the page lacks something that every chapter has.
    """
    page = BeautifulSoup(html, "html.parser")
    article = page.select_one("article.bd-article > section")
    mathjax = page.find("script", string=re.compile("window.MathJax"))
    if article is None or mathjax is None:
        msg = f"the page of {slug!r} must be a built page of the book, got another one"
        raise ValueError(msg)
    for link in article.select("a.headerlink, .pe-ways, .section-number, noscript"):
        link.decompose()
    for part in article.select(".exercise section, .proof section"):
        part.name = "div"  # in a deck each section is a slide
    widen(article)
    for place in article.select("[data-name]"):
        del place["data-name"]  # links to settings lead to the page
    styles = dict.fromkeys(style.extract().decode() for style in article("style"))
    move_links(article, slug)
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    return Template((SHARED / "deck.html").read_text("utf-8")).substitute(
        slug=slug,
        title=escape(article.h1.get_text(strip=True)) if article.h1 else slug,
        book=escape(settings["title"]),
        mathjax=mathjax.decode(),
        styles="\n".join(styles),
        slides="\n".join(slides(slug, article)),
    )


def slides(slug: str, article: Tag) -> Iterator[str]:
    """Yield the slides of a chapter, in the order in which they are shown."""
    fact = metadata(slug)
    title = wanted(article.h1, slug, "a title")
    words = inline(fact["card"]["text"])
    idea = f'<p class="pe-idea">{words}</p><p>{course.minutes(slug)}</p>'
    yield slide("title", title.decode_contents(), idea, level=1)
    introduction = [tag for tag in article(recursive=False) if tag.name != "section"]
    shown = (tag for tag in introduction if tag.select_one("figure, [id^=posenc-]"))
    opening = wanted(shown, slug, "an opening")
    for script in opening("script"):
        script.decompose()  # what moves on the page is a drawing here
    yield slide("opening", "The idea", content(opening))
    missing = wanted(
        (tag for tag in introduction if tag.name == "p" and tag.strong),
        slug,
        "a first paragraph that begins with bold words",
    )
    heading = missing.strong.extract().get_text().rstrip(".") if missing.strong else ""
    yield slide("missing", heading, missing.decode())
    goals = wanted((t for t in introduction if t.name == "ul"), slug, "a list of aims")
    before = goals.find_previous_sibling("p")
    words = before.get_text().rstrip(":") if before else ""
    yield slide("aims", words, goals.decode())
    yield from sections(article)
    question = f'<p class="pe-idea">{inline(fact["question"]["ask"])}</p>'
    yield slide("question", "A question", question)
    for number, exercise in enumerate(article.select("div.exercise")[:EXERCISES], 1):
        name = wanted(exercise.p, slug, "a title of each exercise").extract()
        text = exercise.decode_contents()
        yield slide(f"exercise-{number}", name.decode_contents(), text)
    last = wanted(article.select("section#what-remains"), slug, "“What remains”")
    wanted(last.h2, slug, "a heading of its last section").extract()
    yield slide("what-remains", "What remains", last.decode_contents())


def sections(article: Tag) -> Iterator[str]:
    """Yield the slides of what the sections show."""
    shown = [tag for tag in article.select(SHOWN) if is_shown(tag)]
    for section, group in groupby(shown, lambda tag: tag.find_parent("section")):
        if section is None or section is article:
            continue  # that is the opening
        heading = wanted(
            section.find(["h2", "h3"]), str(section.get("id")), "a heading"
        )
        for number, tags in enumerate(pages(group), 1):
            name = f"{section['id']}-{number}" if number > 1 else str(section["id"])
            body = "\n".join(content(tag) for tag in tags)
            yield slide(name, heading.decode_contents(), body)


def is_shown(tag: Tag) -> bool:
    """Return True if `tag` is shown for itself, not as a part of something shown."""
    if tag.find_parent(class_=INNER) or tag.find_parent(class_="tag_slide"):
        return False
    return not str(tag.get("id")).startswith("posenc-") or is_widget(tag)


def is_widget(tag: Tag) -> bool:
    """Return True if `tag` holds a widget: its script is next to it."""
    script = tag.find_next_sibling("script")
    return script is not None and script.get("type") == "module"


def pages(tags: Iterable[Tag]) -> Iterator[list[Tag]]:
    """Yield the content of each slide of a section: a picture, or formulas in pairs."""
    for alone, some in groupby(tags, lambda tag: not {"math", "proof"} & classes(tag)):
        left = list(some)
        size = 1 if alone else TOGETHER
        yield from (left[at : at + size] for at in range(0, len(left), size))


def content(tag: Tag) -> str:
    """Return what a slide shows of `tag`; a formula comes with the words before it."""
    if "math" in classes(tag):
        before = tag.find_previous_sibling()
        lead = before.decode() if before and before.name == "p" else ""
        return lead + tag.decode()
    if "proof" in classes(tag):
        return tag.decode()
    if str(tag.get("id")).startswith("posenc-") and tag.parent:
        tag = tag.parent
    pictures = tag.select("figure, .text_html:not(figure *)") or [tag]
    inner = "".join(picture.decode() for picture in pictures)
    return f'<div class="pe-picture">{inner}</div>'


def slide(name: str, heading: str, body: str, level: int = 2) -> str:
    """Return one slide: its name in the address, its heading, and its content."""
    return (
        f'<section id="{name}"><div class="pe-slide"><h{level}>{heading}</h{level}>\n'
        f'<div class="pe-room"><div class="pe-fit">\n{body}\n</div></div>'
        "</div></section>"
    )


def inline(text: str) -> str:
    """Return HTML of Markdown with formulas between dollars (``chapter.toml``)."""
    html: str = MarkdownIt().renderInline(" ".join(text.split()))
    return re.sub(r"\$([^$]+)\$", r'<span class="math">\\(\1\\)</span>', html)


def widen(article: Tag) -> None:
    """Use the wide version of figures: a slide has the same width everywhere."""
    for source in article.select("picture > source"):
        source.decompose()
    for image in article.select("img.pe-figure"):
        image.attrs.pop("loading", None)
        image["style"] = re.sub(r"--pe-narrow[^;]*;?", "", str(image["style"]))


def move_links(article: Tag, slug: str) -> None:
    """Rewrite links for a page in another folder."""
    for link in article.select("[href]"):
        address = str(link["href"])
        if not urlsplit(address).scheme:
            page = f"{slug}.html" if address.startswith("#") else ""
            link["href"] = f"../book/{page}{address}"
    for tag in article.select("div.math, .exercise, .proof, figure, h1, h2, h3"):
        if not str(tag.get("id", "")).startswith("equation-"):
            tag.attrs.pop("id", None)


def classes(tag: Tag) -> set[str]:
    """Return the classes of an element."""
    return {*tag.get_attribute_list("class")}


def wanted(matches: Tag | Iterable[Tag] | None, where: str, what: str) -> Tag:
    """Return the first match; raise an error that names what is missing."""
    first = matches if isinstance(matches, Tag) else next(iter(matches or ()), None)
    if first is None:
        msg = f"book/{where}.md must have {what} for its slides, got none"
        raise ValueError(msg)
    return first


def write_slides(slugs: Iterable[str], site: Path = SITE) -> list[Path]:
    """Write the decks of those pages that are chapters; return the files."""
    names, folder = {*slugs} & {*chapters()}, site / "slides"
    files = {folder / f"{slug}.html": site / f"book/{slug}.html" for slug in names}
    if files:
        folder.mkdir(exist_ok=True)
        for name in ("deck.css", "deck.js"):
            shutil.copyfile(SHARED / name, folder / name)
    for path, page in files.items():
        path.write_text(deck(path.stem, page.read_text("utf-8")), encoding="utf-8")
    return sorted(files)
