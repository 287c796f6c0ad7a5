"""A link to report an error, at the end of each section of the site.

It opens the form `.github/ISSUE_TEMPLATE/error.yml` of the public repository, in which
the place is filled in already. Without a repository in ``_config.yml`` there is none.
"""

from typing import Any
from urllib.parse import urlencode

from docutils import nodes
from launch_buttons import Repository, repository
from sphinx import addnodes

WORDS = "Report an error here"
FORM = "error.yml"


def address(repo: Repository, page: str, section: str) -> str:
    """Return the address for reports of mistakes in a section.

    Parameters
    ----------
    repo : Repository
        The public one.
    page, section : str
        Name of the page, and title of the section.
    """
    where = {"template": FORM, "where": f"{page}, section {section}"}
    return f"https://github.com/{repo.name}/issues/new?{urlencode(where)}"


def add_links(app: Any, doctree: nodes.document) -> None:
    """Put a link at the end of each section right below the title of a page."""
    repo = repository(app.config.book_repository)
    folder, _, page = app.env.docname.rpartition("/")
    if repo is None or folder != "book":
        return
    for top in doctree.children:
        if isinstance(top, nodes.section):
            for section in top.children:
                if isinstance(section, nodes.section):
                    section += _link(address(repo, page, _title(section)))


def _title(section: nodes.section) -> str:
    title = section.next_node(nodes.title)
    return title.astext() if title else ""


def _link(url: str) -> nodes.Node:
    link = nodes.reference("", WORDS, refuri=url)
    paragraph = nodes.paragraph("", "", link, classes=["pe-report"])
    return addnodes.only("", paragraph, expr="html")


def setup(app: Any) -> None:
    """Register the links with Sphinx; `launch_buttons` registers the repository."""
    app.connect("doctree-read", add_links)
