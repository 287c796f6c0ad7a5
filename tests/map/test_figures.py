"""The chart of the map: a mark for each method, pale where it is not chosen."""

import matplotlib as mpl

from posenc.kit.figures.themes import color, theme
from posenc.map import ENTRIES, matching
from posenc.map.figures import alt_text, chart
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


def test_chart_pales_methods_that_are_not_chosen():
    with theme("light"):
        found = marks(chart(["cope"]))
        inks = {
            e.name: m.get_markeredgecolor() for m, e in zip(found, ENTRIES, strict=True)
        }
        assert inks.pop("cope") == color("query")
        assert set(inks.values()) == {color("line")}
        mpl.pyplot.close("all")


def test_alt_text_names_the_chosen_methods():
    text = alt_text(matching(enters="softmax"))
    assert "log-length temperature (2025, softmax)" in text
    assert "RoPE (2021" not in text
    assert "none" in alt_text([])
