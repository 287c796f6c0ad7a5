"""The widget of the chapter on convolution: one impulse, or frames that are equal."""

from typing import Any

import traitlets

from posenc.convolutional import figures as draw
from posenc.convolutional.figures import (
    MAX_CHANNELS,
    MAX_KERNEL,
    OUTPUT_COLORS,
    PADDINGS,
    example_taps,
)
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table

__all__ = ["ImpulseAndBorders"]

LENGTHS = (6, 24)
CHANNELS = (2, 4, 6, 8)
SIGNALS = {"impulse": "one impulse", "constant": "ones everywhere"}
CROPS = {"last": "the last, as published", "first": "the first, a mistake"}


class ImpulseAndBorders(BookWidget):
    """Answer of a grouped convolution to one impulse, or to frames that are all equal.

    Parameters
    ----------
    signal : str, default "impulse"
        One of `SIGNALS`.
    padding : str, default "zeros"
        One of `posenc.convolutional.figures.PADDINGS`.
    crop : str, default "last"
        Output that is dropped if the kernel is even, one of `CROPS`.
    kernel : int, default 6
        Frames of the window, 1 … 12.
    channels : int, default 4
        One of `CHANNELS`.
    groups : int, default 2
        A divisor of `channels`.
    seq_len : int, default 14
        Frames, 6 … 24.
    place, channel : int, default 5 and 1
        Frame and channel of the impulse.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above, or two of them do not fit. To pass through
        an impossible setting, change traits in `hold_trait_notifications`.

    Examples
    --------
    >>> ImpulseAndBorders(channels=4, groups=3)
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: groups must divide the 4 channels, got 3
    """

    signal = traitlets.Enum(tuple(SIGNALS), default_value="impulse")
    padding = traitlets.Enum(tuple(PADDINGS), default_value="zeros")
    crop = traitlets.Enum(tuple(CROPS), default_value="last")
    kernel = traitlets.Int(6, min=1, max=MAX_KERNEL)
    channels = traitlets.Enum(CHANNELS, default_value=4)
    groups = traitlets.Int(2, min=1, max=MAX_CHANNELS)
    seq_len = traitlets.Int(14, min=LENGTHS[0], max=LENGTHS[1])
    place = traitlets.Int(5, min=0, max=LENGTHS[1] - 1)
    channel = traitlets.Int(1, min=0, max=MAX_CHANNELS - 1)

    @table
    def taps(self) -> list[list[list[float]]]:
        """Made-up taps of the largest sizes; smaller ones begin like them."""
        taps: list[list[list[float]]] = example_taps().tolist()
        return taps

    @table
    def choices(self) -> dict[str, Any]:
        return {
            "signal": list(SIGNALS.items()),
            "padding": list(PADDINGS.items()),
            "crop": list(CROPS.items()),
            "kernel": MAX_KERNEL,
            "channels": CHANNELS,
            "seq_len": LENGTHS,
        }

    @table
    def colors(self) -> str:
        return color_table(OUTPUT_COLORS)

    @traitlets.validate("groups", "channels", "seq_len", "place", "channel")
    def _check_fit(self, proposal: Any) -> Any:
        """Refuse groups that do not divide, and an impulse outside the sequence."""
        names = ("groups", "channels", "seq_len", "place", "channel")
        now = {name: getattr(self, name) for name in names}
        now[proposal["trait"].name] = proposal["value"]
        if now["channels"] % now["groups"]:
            msg = f"groups must divide the {now['channels']} channels, "
            raise traitlets.TraitError(msg + f"got {now['groups']}")
        for name, size in (("place", "seq_len"), ("channel", "channels")):
            if now[name] >= now[size]:
                msg = f"{name} must be below {size}, {now[size]}, got {now[name]}"
                raise traitlets.TraitError(msg)
        return proposal["value"]

    def picture(self) -> Themed:
        """Input, output and size of the answer of the present setting."""
        names = ("kernel", "groups", "channels", "seq_len", "place", "channel")
        setting: dict[str, Any] = {name: getattr(self, name) for name in names}
        setting |= {"padding": self.padding, "crop": self.crop}
        what = "ones in every frame and channel"
        if self.signal == "impulse":
            what = f"one impulse in frame {self.place}, channel {self.channel}"
        alt = (
            f"A grid of {self.channels} channels and {self.seq_len} frames with "
            f"{what}; below, the output of a convolution with kernel {self.kernel} and "
            f"{self.groups} groups, padding {PADDINGS[self.padding]}, and a curve of "
            "its size against the frame."
        )
        impulse = self.signal == "impulse"
        return Themed(lambda: draw.overview(**setting, impulse=impulse), alt=alt)
