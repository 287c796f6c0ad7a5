"""Every chapter with a notebook has one row of links, and none of them is dead."""

import launch_buttons
import make_notebooks
import pytest
from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.errors import ConfigError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from posenc.core.chapters import chapters

SLUGS = make_notebooks.chapters()
OUTSIDE = {
    "Colab": "https://colab.research.google.com/github/an/atlas/blob/main/notebooks/{}.ipynb",
    "Binder": "https://mybinder.org/v2/gh/an/atlas/main?labpath=notebooks/{}.ipynb",
    "Source": "https://github.com/an/atlas/blob/main/book/{}.md",
}


@pytest.fixture
def build(tmp_path, monkeypatch):
    for slug in SLUGS:
        page, notebook = f"book/{slug}.rst", f"notebooks/{slug}.ipynb"
        for name, text in {page: "Title\n=====\n\nText.\n", notebook: slug}.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
    (tmp_path / "index.rst").write_text("Title\n=====\n\nText.\n")

    def build(builder="html", *, lite=False, **repository):
        monkeypatch.setenv(launch_buttons.LITE_VARIABLE, "1" if lite else "")
        config = {
            "extensions": ["launch_buttons"],
            "book_repository": repository,
            "exclude_patterns": ["out", "doctrees"],
            "html_theme": "basic",
        }
        out, doctrees = tmp_path / "out" / builder, tmp_path / "doctrees"
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                tmp_path, None, out, doctrees, builder, config, None, warning=None
            )
            app.build()
        return out

    return build


def rows(out, slug):
    """The rows of a chapter's page: lists of words and address of each link."""
    soup = BeautifulSoup((out / f"book/{slug}.html").read_text(), "html.parser")
    return [
        [(link.get_text(), link["href"]) for link in row.find_all("a")]
        for row in soup.select("h1 + ul.pe-ways")
    ]


def slides(slug):
    return [("Slides", f"../slides/{slug}.html")] if slug in chapters() else []


def test_every_chapter_has_a_row_of_links_and_other_pages_have_none(build):
    out = build(url="", branch="main")
    assert "pe-ways" not in (out / "index.html").read_text()
    for slug in SLUGS:
        [[(words, address), *others]] = rows(out, slug)
        assert words == "Download notebook"
        assert others == slides(slug)
        assert (out / "book" / address).read_text() == slug
    # A changed setting changes pages that were built before.
    out = build(lite=True, url="https://github.com/an/atlas", branch="main")
    for slug in SLUGS:
        [[run, (words, _), *outside]] = rows(out, slug)
        assert run == ("Run in the browser", f"../lite/run.html?notebook={slug}")
        assert words == "Download notebook"
        links = [(words, url.format(slug)) for words, url in OUTSIDE.items()]
        assert outside == slides(slug) + links
    assert "ownload" not in (build("text") / f"book/{SLUGS[0]}.txt").read_text()


URL = "https://github.com/an/atlas"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        (
            "url",
            [
                *("an/atlas", "http://github.com/an/atlas", "https://github.com/an", 3),
                *(f"{URL}/tree/main", "https://gitlab.com/an/atlas"),
            ],
        ),
        ("branch", [None, "", "a b", "/a", "a?", "a/"]),
    ],
)
def test_a_bad_address_or_branch_is_an_error(name, values):
    for value in values:
        with pytest.raises(ConfigError, match=rf"{name} must be .*, got .*; "):
            launch_buttons.repository({"url": URL, "branch": "main", name: value})


def test_with_a_repository_notebooks_get_the_package_where_it_is_missing(monkeypatch):
    before = make_notebooks.student_notebook("t5").cells
    repo = launch_buttons.Repository("an/atlas", "main")
    monkeypatch.setattr(make_notebooks, "public_repository", lambda: repo)
    after = make_notebooks.student_notebook("t5").cells
    code = [cell.source for cell in after if cell.cell_type == "code"]
    assert code[1:] == [cell.source for cell in before if cell.cell_type == "code"]
    package = "posenc[book,torch] @ git+https://github.com/an/atlas@main"
    assert f'    %pip install -q "{package}"' in code[0].splitlines()
