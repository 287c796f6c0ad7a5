import base64
import io
import re
from urllib.parse import quote, unquote

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
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
    panels,
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


@pytest.mark.parametrize(
    ("width", "letters", "count"),
    [(4.5, 11, 2), (4.6, 11, 4), (4.1, 10, 2), (4.1, 9, 4), (3, 9, 2)],
)
def test_only_figures_with_small_letters_have_one(width, letters, count):
    html = Themed(lambda: draw_wide(width, letters), alt="A line").html()
    assert len(versions(html)) == count


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


def test_letters_in_cells_are_as_large_as_these():
    def draw():
        ax = plt.subplots(figsize=(2, 2))[1]
        ax.axis("off")
        return ax.text(0, 0, "7", fontsize=5, in_layout=False).axes

    figure = drawn(draw, narrow=True)
    assert figure.axes[0].texts[0].get_fontsize() == 5
    assert smallest_letters(figure) == np.inf
    plt.close(figure)


@pytest.mark.parametrize("narrow", [False, True])
def test_a_row_of_panels_becomes_a_column(narrow):
    def draw():
        size = {"figsize": (8, 3), "narrow_height": 6}
        return panels(1, 2, **size, ratios=(1, 3), sharey=True)[0]

    figure = drawn(draw, narrow=narrow)
    (grid,) = {ax.get_subplotspec().get_gridspec() for ax in figure.axes}
    assert grid.get_geometry() == ((2, 1) if narrow else (1, 2))
    ratios = grid.get_height_ratios() if narrow else grid.get_width_ratios()
    assert tuple(ratios) == (1, 3)
    assert tuple(figure.get_size_inches()) == ((4.1, 6) if narrow else (8, 3))
    plt.close(figure)


def test_a_narrow_version_has_no_empty_strips_above_and_below():
    def draw():
        ax = plt.subplots(figsize=(8, 4))[1]
        ax.set(aspect="equal", xlim=(0, 2), ylim=(0, 1), title="title")
        return ax

    versions = (Themed(draw, alt="A box").svg(name, narrow=True) for name in THEMES)
    sizes = {
        re.search(r"width='(\S+)pt' height='(\S+)pt'", svg).groups() for svg in versions
    }
    ((width, height),) = sizes
    assert float(width) == pytest.approx(72 * NARROW)
    assert 72 * 2 < float(height) < 72 * 2.5


def test_after_an_error_the_next_figure_is_wide():
    def fail():
        raise RuntimeError

    with pytest.raises(RuntimeError):
        drawn(fail, narrow=True)
    assert choose("wide", "narrow") == "wide"
    assert mpl.rcParams["figure.hooks"] == []


def test_in_the_browser_no_narrow_version_is_drawn(monkeypatch):
    monkeypatch.setattr(themes, "IN_BROWSER", True)
    assert [*versions(Themed(draw_wide, alt="A line").html())] == ["light", "dark"]


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


@pytest.mark.parametrize("narrow", [False, True])
def test_skipped_drawing_changes_no_byte(monkeypatch, narrow):
    figure = Themed(draw_everything, alt="A line")
    quick = figure.svg("light", narrow=narrow)
    drawn = []
    draws = Figure.draw

    def count(self, renderer):
        drawn.append(self)
        return draws(self, renderer)

    monkeypatch.setattr(Figure, "draw", count)
    assert figure.svg("light", narrow=narrow) == quick
    assert len(drawn) == 1
    # With a layout engine `savefig` draws everything for the layout, and once more.
    monkeypatch.setattr(themes, "_forget_engine", lambda figure: None)
    assert figure.svg("light", narrow=narrow) == quick
    assert len(drawn) == 3


def draw_a_bar_and_words():
    figure, axes = plt.subplots(1, 2, figsize=(4, 2))
    figure.colorbar(axes[0].imshow(np.eye(3)), ax=axes[0])
    axes[1].plot([0, 1000], color=color("query"))
    figure.suptitle("Above both")
    figure.supxlabel("Below both")
    return figure


def draw_more_in_the_dark():
    ax = draw()
    if color("text") == THEMES["dark"]["text"]:
        ax.figure.suptitle("In the dark")
    return ax


@pytest.mark.parametrize(
    ("draw", "layouts"), [(draw_a_bar_and_words, 1), (draw_more_in_the_dark, 2)]
)
def test_both_pictures_have_the_layout_of_each_alone(monkeypatch, draw, layouts):
    figure = Themed(draw, alt="A line")
    alone = [quote(figure.svg(name), safe=themes._UNQUOTED) for name in THEMES]
    laid_out = []
    execute = ConstrainedLayoutEngine.execute

    def count(self, figure):
        laid_out.append(figure)
        return execute(self, figure)

    monkeypatch.setattr(ConstrainedLayoutEngine, "execute", count)
    html = figure.html()
    assert all(picture in html for picture in alone)
    assert len(laid_out) == layouts


def test_in_the_browser_nothing_is_drawn_for_print(monkeypatch):
    figure = Themed(draw, alt="A line")
    assert set(figure._repr_mimebundle_()) == {"text/html", "image/png", "text/plain"}
    monkeypatch.setattr(themes, "IN_BROWSER", True)
    assert set(figure._repr_mimebundle_()) == {"text/html", "text/plain"}


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


def test_theme_is_put_back_even_after_an_error():
    before = mpl.rcParams["axes.edgecolor"]

    def fail_in_the_dark():
        with theme("dark"):
            raise RuntimeError(color("text"))

    with pytest.raises(RuntimeError, match=THEMES["dark"]["text"]):
        fail_in_the_dark()
    assert mpl.rcParams["axes.edgecolor"] == before
    assert color("text") == THEMES["light"]["text"]


def test_a_picture_without_words_is_refused():
    with pytest.raises(ValueError, match="alt must say what the picture shows"):
        Themed(draw, alt=" ")
