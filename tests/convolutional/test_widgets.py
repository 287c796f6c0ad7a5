"""The widget on convolution on the side of Python: which traits fit together."""

import pytest
import traitlets

from posenc.convolutional.widgets import ImpulseAndBorders


@pytest.mark.parametrize(
    ("trait", "value"),
    [("channels", 3), ("groups", 3), ("place", 14), ("channel", 4)],
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
