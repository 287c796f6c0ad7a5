"""The chart of the map: a mark for each method, pale where it is not chosen."""

import matplotlib as mpl

from posenc.kit.figures.themes import color, theme
from posenc.map import ENTRIES
from posenc.map.figures import chart
from posenc.map.figures.method_chart import ROLES

ARGUMENTS = {"chart": [{}, {"names": ["rope", "cope"]}]}


def marks(ax):
    """Colors of the marks in front of the legend's, row by row."""
    lines = [line for line in ax.lines if line.get_marker() not in ("None", "")]
    return lines[: len(ENTRIES)]


def test_chart_has_a_mark_for_each_method_in_its_column():
    with theme("light"):
        found = marks(chart())
        for mark, entry in zip(found, ENTRIES, strict=True):
            assert mark.get_markeredgecolor() == color(ROLES[entry.enters])
            filled = mark.get_markerfacecolor() != "none"
            assert filled == (entry.numbers == "learned")
        places = {
            e.enters: m.get_xdata()[0] for m, e in zip(found, ENTRIES, strict=True)
        }
        assert sorted(places, key=places.get) == list(ROLES)
        mpl.pyplot.close("all")
