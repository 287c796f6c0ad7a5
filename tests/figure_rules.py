"""What every figure keeps, whatever it shows."""

import matplotlib.pyplot as plt

from posenc.figures.themes import Themed


def comes_in_two_themes(draw):
    """Light and dark differ, and the same picture gives the same bytes."""
    picture = Themed(draw, alt="a figure")
    light, dark = picture.svg("light"), picture.svg("dark")
    assert light.startswith("<svg")
    return light != dark and light == picture.svg("light")


def draws_where_it_is_told(draw):
    _, ax = plt.subplots()
    return draw(ax=ax) is ax


def texts(ax):
    """Words that are written inside a drawing."""
    return [text.get_text() for text in ax.texts]
