"""Figures of a page become files, which it shows as it showed what it held."""

import re

import figure_files
import make_slides
import matplotlib.pyplot as plt
import pytest
from bs4 import BeautifulSoup

from posenc.kit.figures.themes import NARROW_PAGE, Themed


def draw(width):
    ax = plt.subplots(figsize=(width, 3))[1]
    ax.set_title("A & B")
    return ax


@pytest.fixture(scope="module")
def wide():
    return Themed(lambda: draw(8), alt='Rises & "falls"')


@pytest.fixture(scope="module")
def moved(wide, tmp_path_factory):
    site = tmp_path_factory.mktemp("site")
    html = f"<p>Before.</p>{wide.html()}<p>After.</p>"
    return figure_files.move(html, site, "../"), site


def url(name, style):
    (found,) = re.findall(rf'--pe-{name}:url\("([^"]+)"\)', style)
    return found


def test_every_version_is_a_file_with_its_picture(wide, moved):
    html, site = moved
    soup = BeautifulSoup(html, "html.parser")
    (picture,) = soup.find_all("picture")
    (source,), (image,) = picture.find_all("source"), picture.find_all("img")
    wanted = {
        image["src"]: wide.svg("light"),
        url("dark", image["style"]): wide.svg("dark"),
        source["srcset"]: wide.svg("light", narrow=True),
        url("narrow-dark", image["style"]): wide.svg("dark", narrow=True),
    }
    for address, svg in wanted.items():
        assert (site / "book" / address).resolve().read_text("utf-8") == svg
    assert len(wanted) == len([*(site / figure_files.FOLDER).iterdir()])
    assert "data:" not in html
    assert html.startswith("<p>Before.</p>")
    assert html.endswith("</picture><p>After.</p>")


def test_it_keeps_its_words_and_has_its_room_before_it_comes(moved):
    soup = BeautifulSoup(moved[0], "html.parser")
    image, source = soup.img, soup.source
    assert image["alt"] == 'Rises & "falls"'
    assert image["loading"] == "lazy"
    assert [image["width"], image["height"]] == ["768", "288"]
    assert [source["width"], source["height"]] == ["394", "288"]
    assert source["media"] == NARROW_PAGE
    # The style would show the narrow picture as well, and the browser load both.
    assert not re.search(r"--pe-narrow\b(?!-)", image["style"])


def test_a_narrow_figure_is_one_image(tmp_path):
    html = Themed(lambda: draw(4), alt="Narrow").html()
    soup = BeautifulSoup(figure_files.move(html, tmp_path, ""), "html.parser")
    assert soup.picture is None
    assert soup.img["src"].startswith(figure_files.FOLDER)
    assert "data:" not in soup.img["style"]


def test_other_pictures_stay(tmp_path):
    html = '<img alt="dot" src="data:image/svg+xml,<svg/>">'
    assert figure_files.move(html, tmp_path, "../") == html


def test_slides_show_the_wide_figure_at_once(moved):
    article = BeautifulSoup(moved[0], "html.parser")
    make_slides.widen(article)
    assert article.source is None
    assert "loading" not in article.img.attrs
    assert "narrow" not in article.img["style"]
    assert url("dark", article.img["style"])
