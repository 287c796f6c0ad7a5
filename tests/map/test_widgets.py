"""The widget of the map on Python's side."""

from posenc.map import ENTRIES
from posenc.map.widgets import MethodMap


def test_entries_hold_all_methods():
    told = MethodMap().entries
    assert [one["label"] for one in told] == [entry.label for entry in ENTRIES]
    assert all(
        one["same"] == list(e.same) for one, e in zip(told, ENTRIES, strict=True)
    )


def test_shown_follows_all_four_answers():
    widget = MethodMap(enters="scores", numbers="learned", same="content decides")
    assert [entry.name for entry in widget.shown()] == ["cope", "mamba", "fox"]
    widget.position = "absolute"
    assert widget.shown() == []
    assert widget.picture().alt.endswith("In color: none.")
