"""Row of links below the title of each chapter that has a notebook.

No chapter writes it: Sphinx puts it into every page ``book/<slug>.md`` for which there
is ``notebooks/<slug>.ipynb``. Numbered chapters have slides, too.
Colab, Binder and the source are on it as soon as ``repository: url:`` in
``_config.yml`` names the public repository. The printed book has no such row.
"""

import os
import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ConfigError

from posenc.core.chapters import chapters

#: Address of a notebook in the browser, relative to a page of the book.
LITE_URL = "../lite/run.html?notebook={slug}"
#: Slides of a chapter, seen from there: `make_slides` makes them.
SLIDES_URL = "../slides/{slug}.html"
#: Set to 1 by the build if the site gets Python in the browser.
LITE_VARIABLE = "POSENC_LITE"

#: Services that need the repository, in the order of the row.
SERVICES = {
    "Colab": "https://colab.research.google.com/github/{name}/blob/{branch}/notebooks/{slug}.ipynb",
    "Binder": "https://mybinder.org/v2/gh/{name}/{branch}?labpath=notebooks/{slug}.ipynb",
    "Source": "https://github.com/{name}/blob/{branch}/book/{slug}.md",
}

_URL = re.compile(r"https://github\.com/([A-Za-z0-9-]+/[A-Za-z0-9._-]+?)(?:\.git)?/?")
_BRANCH = re.compile(r"(?!/)[A-Za-z0-9._/-]*[A-Za-z0-9_-]")


class Repository(NamedTuple):
    """The public repository: ``OWNER/NAME`` on GitHub, and a branch of it."""

    name: str
    branch: str


def repository(setting: dict[str, Any]) -> Repository | None:
    """Read the setting ``repository`` of ``_config.yml``; None if it names none.

    Raises
    ------
    ConfigError
        If Colab and Binder could not open what it names.
    """
    url, branch = setting.get("url"), setting.get("branch")
    if not url:
        return None
    match = _URL.fullmatch(str(url))
    if not match:
        msg = (
            "_config.yml: repository: url must be https://github.com/OWNER/NAME, which "
            f"Colab and Binder can open, got {url!r}; leave it empty for no such links"
        )
        raise ConfigError(msg)
    if not _BRANCH.fullmatch(str(branch or "")):
        msg = (
            "_config.yml: repository: branch must be the name of a branch, "
            f'got {branch!r}; write "main", for example'
        )
        raise ConfigError(msg)
    return Repository(match[1], str(branch))


def services(repo: Repository, slug: str) -> dict[str, str]:
    """Return a chapter's address at each of `SERVICES`, by the words of their links."""
    # A branch may hold a slash, which is part of the path for all but Binder.
    return {
        words: url.format(
            name=repo.name,
            branch=quote(repo.branch, safe="" if words == "Binder" else "/"),
            slug=slug,
        )
        for words, url in SERVICES.items()
    }


def row(slug: str, repo: Repository | None, *, lite: bool) -> nodes.Node:
    """Return the list of a chapter's links, for the pages of the site alone."""
    others = {"Slides": SLIDES_URL.format(slug=slug)} if slug in chapters() else {}
    others |= services(repo, slug) if repo else {}
    links = [nodes.reference("", words, refuri=url) for words, url in others.items()]
    download = addnodes.download_reference(
        "", "Download notebook", reftarget=f"../notebooks/{slug}.ipynb"
    )
    links.insert(0, download)
    if lite:
        url = LITE_URL.format(slug=slug)
        run = nodes.reference("", "Run in the browser", refuri=url)
        run["classes"].append("pe-lite")
        links.insert(0, run)
    items = [nodes.list_item("", nodes.paragraph("", "", link)) for link in links]
    ways = nodes.bullet_list("", *items, classes=["pe-ways"])
    return addnodes.only("", ways, expr="html")


def add_row(app: Any, doctree: nodes.document) -> None:
    """Put the row below the title of a page that has a notebook."""
    slug = Path(app.env.docname).name
    if not (Path(app.srcdir) / "notebooks" / f"{slug}.ipynb").is_file():
        return
    title = next(iter(doctree.findall(nodes.title)))
    new = row(slug, repository(app.config.book_repository), lite=app.config.book_lite)
    title.parent.insert(title.parent.index(title) + 1, new)


def setup(app: Any) -> None:
    """Register the row with Sphinx: before it collects files to download."""
    # When one of these changes, Sphinx reads the pages again.
    lite = os.environ.get(LITE_VARIABLE) == "1"
    app.add_config_value("book_lite", lite, "env")
    app.add_config_value("book_repository", {}, "env")
    app.connect("config-inited", lambda _, config: repository(config.book_repository))
    app.connect("doctree-read", add_row, priority=400)
