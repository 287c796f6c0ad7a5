"""The widgets of the chapter on rotary embedding: plane, clocks, decay, layouts."""

from .decay_curves import DecayCurves
from .layout_mixup import LayoutMixup
from .plane_clocks import PlaneClocks
from .turned_pair import TurnedPair

__all__ = ["DecayCurves", "LayoutMixup", "PlaneClocks", "TurnedPair"]
