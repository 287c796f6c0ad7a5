import base64
import io
import re
from urllib.parse import quote, unquote

import matplotlib.pyplot as plt
import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib.text import Text
from PIL import Image

from posenc.kit.figures import themes
from posenc.kit.figures.palette import THEMES
from posenc.kit.figures.themes import (
    LEGIBLE,
    NARROW,
    SMALLEST,
    Themed,
    choose,
    color,
    drawn,
    smallest_letters,
    theme,
)


def draw():
    _, ax = plt.subplots(figsize=(2, 1))
    ax.plot([0, 1], color=color("query"))
    return ax


def test_each_version_is_drawn_in_the_colors_of_its_theme():
    figure = Themed(draw, alt="A line")
    for name, colors in THEMES.items():
        svg = figure.svg(name)
        assert colors["query"] in svg
        assert colors["surface"] in svg
    assert THEMES["dark"]["query"] not in figure.svg("light")


def test_html_is_one_image_with_the_dark_picture_in_its_style():
    html = Themed(draw, alt='Rises & "falls"').html()
    (image,) = BeautifulSoup(html, "html.parser").find_all("img")
    assert image["alt"] == 'Rises & "falls"'
    dark = re.fullmatch(
        r'--pe-dark:url\("(data:image/svg\+xml,[^"]+)"\)', image["style"]
    )
    for address, name, other in (
        (image["src"], "light", "dark"),
        (dark[1], "dark", "light"),
    ):
        picture = unquote(address.removeprefix("data:image/svg+xml,"))
        assert THEMES[name]["query"] in picture
        assert THEMES[other]["query"] not in picture
    assert "http:" not in html.replace("http://www.w3.org", "")


def draw_wide(width=8.2, letters=11):
    ax = plt.subplots(figsize=(width, 2))[1]
    ax.plot([0, 1], color=color("query"))
    ax.tick_params(labelsize=letters)
    ax.set_title(choose("wide", "narrow"), fontsize=letters)
    return ax


def versions(html):
    """What an image shows, as its address holds it, by the name of the version."""
    (image,) = BeautifulSoup(html, "html.parser").find_all("img")
    found = re.findall(r'--pe-([\w-]+):url\("([^"]+)"\)', image["style"])
    addresses = {"light": image["src"], **dict(found)}
    return {name: address.partition(",")[2] for name, address in addresses.items()}


def test_a_figure_with_small_letters_has_a_narrow_version_of_each_theme():
    figure = Themed(draw_wide, alt="A line")
    found = versions(figure.html())
    assert [*found] == ["light", "dark", "narrow", "narrow-dark"]
    for name, picture in found.items():
        svg = figure.svg("dark" if "dark" in name else "light", narrow="narrow" in name)
        assert f"width='{295.2 if 'narrow' in name else 590.4}pt'" in svg
        assert picture == quote(svg, safe=themes._UNQUOTED)


def test_a_narrow_version_is_legible_and_has_its_own_words():
    with theme("light"):
        figure = drawn(lambda: draw_wide(letters=7), narrow=True)
        figure.draw_without_rendering()
        sizes = {t.get_fontsize() for t in figure.findobj(Text) if t.get_text()}
    assert tuple(figure.get_size_inches()) == (NARROW, 2)
    assert sizes == {SMALLEST}
    assert smallest_letters(figure) >= LEGIBLE
    assert figure.axes[0].get_title() == "narrow"
    assert choose("wide", "narrow") == "wide"
    plt.close(figure)


def draw_everything():
    """What SVG numbers by itself: markers, clipped and hatched areas, pixels."""
    _, ax = plt.subplots(figsize=(2, 1))
    ax.plot([0, 1, 5], "o-")
    ax.bar([0, 1], [1, 2], hatch="/")
    ax.imshow(np.eye(3))
    ax.scatter([0, 1], [1, 0], c=[1, 2])
    ax.set(xlim=(0, 2), title="$x^2$")
    return ax


@pytest.mark.parametrize("draw", [draw, draw_everything])
def test_the_same_picture_gives_the_same_bytes_and_leaves_no_figure_open(draw):
    first, second = Themed(draw, alt="A line"), Themed(draw, alt="A line")
    assert first._repr_mimebundle_() == second._repr_mimebundle_()
    assert not plt.get_fignums()


def test_pixels_keep_their_colors_in_fewer_bytes_and_paths_their_places():
    cells = np.arange(200 * 200).reshape(200, 200) % 7
    svg = Themed(lambda: plt.imshow(cells, interpolation="none").axes, alt="Cells").svg(
        "light"
    )
    png = base64.b64decode(re.search(r"data:image/png;base64,([^']+)", svg)[1])
    image = Image.open(io.BytesIO(png))
    assert image.mode == "P"
    want = plt.get_cmap("viridis")(cells / 6, bytes=True)[..., :3]
    np.testing.assert_array_equal(np.asarray(image.convert("RGB")), want)


def test_a_picture_is_shortened_and_keeps_its_elements_and_places(monkeypatch):
    figure = Themed(draw, alt="A line")
    short = figure.svg("light")
    monkeypatch.setattr(themes, "_shorter", lambda svg: svg)
    long = figure.svg("light").split("</metadata>")[1]
    assert len(short) < 0.8 * len(long)
    assert '"' not in short  # which would take three characters in an address
    tags = re.compile(r"<(?!!)[/\w]+")
    assert tags.findall(short)[1:] == tags.findall(long)
    # Diagonal lines have long coordinates: two decimals are left of them.
    kept, drawn = (
        re.findall(r"[\d.]+", " ".join(re.findall(r" d=['\"]([^'\"]+)", svg)))
        for svg in (short, long)
    )
    np.testing.assert_allclose(
        np.array(kept, dtype=float), np.array(drawn, dtype=float), atol=0.005
    )
    assert kept != drawn
    assert all(len(number.partition(".")[2]) <= 2 for number in kept)


def test_a_picture_without_words_is_refused():
    with pytest.raises(ValueError, match="alt must say what the picture shows"):
        Themed(draw, alt=" ")
