"""Metadata in the head of each page, for search engines and other sites.

Title in the words that people type, description, and what a link shows where it is
shared. The canonical address comes from Sphinx once ``baseurl`` is set. The foot of
each page names the version.
"""

import json
import re
from html import escape, unescape
from pathlib import Path
from typing import Any

import link_pictures
from docutils import nodes

from posenc import __version__
from posenc.core.chapters import chapters, metadata, packages, with_key

#: Templates of the theme that the book changes.
TEMPLATES = Path(__file__).with_name("templates")

#: Letters of a description that search engines show.
LONGEST = 160
_VIEWPORT = re.compile(r'<meta name="viewport"[^>]*>\s*')


def description(slug: str, doctree: nodes.document | None) -> str:
    """Describe a page in a sentence or two: its card's, or else its first sentences.

    Parameters
    ----------
    slug : str
        Name of the page.
    doctree : nodes.document, optional
        The page; one that Sphinx makes has none.
    """
    card = metadata(slug).get("card") if slug in packages() else None
    if card:
        return shortened(card["text"])
    if doctree is None:
        return ""
    texts = (plain(paragraph) for paragraph in doctree.findall(nodes.paragraph))
    return shortened(next((text for text in texts if text), ""))


def plain(paragraph: nodes.paragraph) -> str:
    """Return the text of a paragraph; none for formulas, bare links or a citation."""
    if next(iter(paragraph.findall(nodes.math)), None) is not None:
        return ""
    if isinstance(paragraph.parent, nodes.citation):
        return ""
    own = any(isinstance(child, nodes.Text) for child in paragraph.children)
    return paragraph.astext() if own else ""


def shortened(text: str) -> str:
    """Return as many whole sentences, or else words, as fit into `LONGEST` letters.

    A colon ends a sentence, too: what it announces is left out, and so is Markdown's
    mark of code.

    Examples
    --------
    >>> shortened("Keys of a `config.json`. Each in turn:")
    'Keys of a config.json. Each in turn.'
    """
    words = " ".join(text.replace("`", "").split())
    if len(words) > LONGEST:
        cut = words[:LONGEST]
        ends = [end.end() for end in re.finditer(r"[.!?:](?= )", cut)]
        words = cut[: ends[-1]] if ends else cut.rsplit(" ", 1)[0] + " …"
    return re.sub(":$", ".", words)


def tags(
    title: str,
    text: str,
    book: str,
    address: str | None,
    picture: tuple[str, str] | None = None,
) -> str:
    """Return elements for the head of a page, as HTML.

    Parameters
    ----------
    title, text : str
        Of the page; without a text there are no elements that describe it.
    book : str
        Title of the book.
    address : str, optional
        Of the page on the web.
    picture : pair of str, optional
        Address of its picture, and what that shows.
    """
    properties = {
        "og:type": "article",
        "og:site_name": book,
        "og:title": title,
        "og:description": text,
        "og:url": address,
    }
    if picture:
        width, height = map(str, link_pictures.SIZE)
        properties |= {"og:image": picture[0], "og:image:alt": picture[1]}
        properties |= {"og:image:width": width, "og:image:height": height}
    named = {"description": text, "twitter:card": picture and "summary_large_image"}
    lines = [
        f'<meta {kind}="{name}" content="{escape(content)}">'
        for kind, held in (("name", named), ("property", properties))
        for name, content in held.items()
        if content
    ]
    return "\n".join(("", *lines))


def titles() -> dict[str, str]:
    """Return titles in words that people type, by page: the search uses them, too."""
    return {f"book/{slug}": title for slug, title in with_key("found").items()}


def fill_head(
    app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Put title and tags into the head of a page."""
    slug = pagename.removeprefix("book/")
    book = app.config.html_title
    title = unescape(re.sub(r"<[^>]+>", "", str(context.get("title", escape(book)))))
    if slug in packages():
        title = metadata(slug).get("found", title)
    if pagename == "search":
        pages = {
            "titles": titles(),
            "chapters": [f"book/{slug}" for slug in chapters()],
        }
        context["about_pages"] = escape(json.dumps(pages))
    context["title"] = escape(title, quote=False)
    context["is_first_page"] = title == book  # which would name the book twice
    address = context.get("pageurl")
    picture = None
    if doctree is not None:
        if slug in chapters() or slug == "index":
            link_pictures.write(Path(app.outdir), slug, title)
        if app.config.html_baseurl:
            place = f"{link_pictures.FOLDER}/{link_pictures.name(slug)}"
            picture = (app.config.html_baseurl + place, link_pictures.alt(slug))
    described = tags(title, description(slug, doctree), book, address, picture)
    # The theme's templates have one already.
    context["metatags"] = _VIEWPORT.sub("", context.get("metatags", "")) + described


def name_the_version(app: Any, config: Any) -> None:
    """Put the version into the foot of each page."""
    options = dict(config.html_theme_options)
    options["extra_footer"] = f'<p class="pe-version">Version {__version__}</p>'
    config.html_theme_options = options


def setup(app: Any) -> None:
    """Register both with Sphinx."""
    app.connect("config-inited", name_the_version)
    app.connect("html-page-context", fill_head)
