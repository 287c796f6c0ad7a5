"""The widgets of the chapter on sinusoids: digits and dials, heat map, closed curve."""

from .bits_and_sines import BitsAndSines
from .closed_curve import ClosedCurve
from .encoding_heatmap import EncodingHeatmap

__all__ = ["BitsAndSines", "ClosedCurve", "EncodingHeatmap"]
