"""A page of the site keeps figures in files, and loads styles once."""

import re

import figure_files
import make_slides
import matplotlib.pyplot as plt
from bs4 import BeautifulSoup

from posenc.kit.figures.themes import NARROW_PAGE, Themed


def figure(width):
    def draw():
        ax = plt.subplots(figsize=(width, 3))[1]
        ax.set_title("A & B")
        return ax

    return Themed(draw, alt='Rises & "falls"')


def url(name, style):
    (found,) = re.findall(rf'--pe-{name}:url\("([^"]+)"\)', style)
    return found


def test_every_version_is_a_file_with_its_picture_and_size(tmp_path):
    site, wide = tmp_path, figure(8)
    html = figure_files.move(f"<p>Before.</p>{wide.html()}<p>After.</p>", site, "../")
    soup = BeautifulSoup(html, "html.parser")
    image, source = soup.picture.img, soup.picture.source
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
    assert (image["alt"], image["loading"]) == ('Rises & "falls"', "lazy")
    assert [image["width"], image["height"]] == ["768", "288"]
    assert [source["width"], source["height"]] == ["394", "288"]
    assert source["media"] == NARROW_PAGE
    # The style would show the narrow picture as well, and the browser load both.
    assert not re.search(r"--pe-narrow\b(?!-)", image["style"])
    make_slides.widen(soup)  # slides show the wide figure at once
    assert soup.source is None
    assert "loading" not in image.attrs
    assert "narrow" not in image["style"]
    assert url("dark", image["style"])


def test_files_that_no_page_names_are_removed(tmp_path):
    old = figure_files.move(figure(4).html(), tmp_path, "../")
    new = figure_files.move(figure(3).html(), tmp_path, "../")
    folder, page = tmp_path / figure_files.FOLDER, tmp_path / "book/rope.html"
    page.parent.mkdir()
    page.write_text(old + new)
    before = sorted(folder.iterdir())
    figure_files.remove_unused(tmp_path)
    assert sorted(folder.iterdir()) == before
    page.write_text(new)
    figure_files.remove_unused(tmp_path)
    left = sorted(folder.iterdir())
    assert left == [path for path in before if path.name in new] != before
