"""The widget on convolution on the side of Python: traits, tables, page."""

import pytest
import traitlets
from figure_rules import drawn

from posenc.convolutional.widgets import ImpulseAndBorders


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"signal": "constant"}, "ones in every frame"),
        ({"padding": "circular"}, "padding circular"),
        ({"kernel": 7}, "kernel 7"),
        ({"channels": 6}, "6 channels"),
        ({"groups": 4}, "4 groups"),
        ({"seq_len": 15}, "15 frames"),
        ({"place": 6}, "in frame 6"),
        ({"channel": 2}, "channel 2"),
        ({"crop": "first"}, ""),
    ],
)
def test_picture_follows_the_state(change, words):
    # An impulse near the end, or circular padding would have nothing to carry over.
    states = ({"place": 12}, {"place": 12} | change)
    before, after = (ImpulseAndBorders(**state).picture() for state in states)
    assert drawn(before) != drawn(after)
    assert words in after.alt
    assert (before.alt != after.alt) == bool(words)


@pytest.mark.parametrize(
    ("trait", "value"),
    [
        ("signal", "noise"),
        ("padding", "reflect"),
        ("crop", "both"),
        ("kernel", 0),
        ("kernel", 13),
        ("channels", 3),
        ("groups", 0),
        ("groups", 3),
        ("seq_len", 5),
        ("seq_len", 25),
        ("place", 14),
        ("place", -1),
        ("channel", 4),
        ("taps", []),
        ("choices", {}),
        ("colors", ""),
    ],
)
def test_values_that_do_not_fit_are_refused(trait, value):
    widget = ImpulseAndBorders()
    before = getattr(widget, trait)
    with pytest.raises(traitlets.TraitError, match=trait):
        setattr(widget, trait, value)
    assert getattr(widget, trait) == before


def test_several_traits_may_change_together():
    widget = ImpulseAndBorders(place=13)
    with widget.hold_trait_notifications():
        widget.channels, widget.groups, widget.channel = 6, 3, 5
        widget.place, widget.seq_len = 5, 6
    assert (widget.channels, widget.groups, widget.channel) == (6, 3, 5)
    with pytest.raises(traitlets.TraitError, match="place must be below seq_len"):
        ImpulseAndBorders(place=10, seq_len=8)
