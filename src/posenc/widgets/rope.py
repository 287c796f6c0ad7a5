"""The widgets of the chapter on rotary embedding: plane, clocks, decay, layouts."""

from itertools import product
from typing import Any, ClassVar

import numpy as np
import traitlets

from posenc import rope
from posenc.figures import rope as draw
from posenc.figures.rope_data import (
    CONTENTS,
    KEY,
    METHODS,
    QUERY,
    decay_curves,
    layout_scores,
)
from posenc.figures.themes import Themed

from ._base import BookWidget

LAST_POSITION = 24
SPEEDS = (5, 10, 15, 30, 45, 60, 90)
SIZES = (8, 16, 32, 64)
BASES = (100, 10_000, 500_000)
TRAINED = (512, 2048, 8192)
SCALES = (1, 2, 4, 8, 16)
POSITIONS = tuple(
    sorted({*range(33), *(2**i for i in range(18)), *(3 * 2**i for i in range(16))})
)
DECAY_SIZES, DECAY_BASES, DECAY_LAST = (16, 64, 128), (10_000, 500_000), 299
LAYOUTS, LAYOUT_SIZES, LAYOUT_REACH = ("interleaved", "half"), (4, 8), 8

_SHARED = ("shell.js", "plot.js")


class TurnedPair(BookWidget):
    """A query and a key in one plane, turned by their positions.

    Parameters
    ----------
    m, n : int, default 1 and 3
        Positions of the query and of the key, 0 … 24.
    degrees : int, default 30
        Turn per token, one of `SPEEDS`.
    q_angle, k_angle : int, default 30 and 75
        Angles of both before they are turned: multiples of 15, below 360.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> TurnedPair(m=2).n
    3
    """

    scripts: ClassVar = (*_SHARED, "rope_plane.js")

    m = traitlets.Int(1, min=0, max=LAST_POSITION).tag(sync=True)
    n = traitlets.Int(3, min=0, max=LAST_POSITION).tag(sync=True)
    degrees = traitlets.Enum(SPEEDS, default_value=30).tag(sync=True)
    q_angle = traitlets.Enum(range(0, 360, 15), default_value=30).tag(sync=True)
    k_angle = traitlets.Enum(range(0, 360, 15), default_value=75).tag(sync=True)

    last_position = traitlets.Int(LAST_POSITION, read_only=True).tag(sync=True)
    lengths = traitlets.List([QUERY[0], KEY[0]], read_only=True).tag(sync=True)
    speeds: Any = traitlets.List(list(SPEEDS), read_only=True).tag(sync=True)

    def picture(self) -> Themed:
        """Plane and score of the present setting."""
        alt = (
            f"A query at position {self.m} and a key at position {self.n} as arrows in "
            f"one plane that turns {self.degrees}° per token, and their score against "
            "the relative position: a cosine."
        )
        setting = {"m": self.m, "n": self.n, "step": self.degrees}
        angles = {"q_angle": self.q_angle, "k_angle": self.k_angle}
        return Themed(lambda: draw.plane_overview(**setting, **angles), alt=alt)


class PlaneClocks(BookWidget):
    """All planes of a head as clocks, with what training has shown of each dial.

    Parameters
    ----------
    head_dim : int, default 32
        One of `SIZES`.
    base : int, default 10_000
        One of `BASES`.
    trained_len : int, default 2048
        Tokens of the training, one of `TRAINED`.
    method : str, default "none"
        One of ``"none"``, ``"interpolation"``, ``"ntk"``, ``"yarn"``.
    scale : int, default 8
        One of `SCALES`; "none" does not use it.
    position : int, default 4096
        Where the hands stand, one of `POSITIONS`.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    scripts: ClassVar = (*_SHARED, "rope_clocks.js")

    head_dim = traitlets.Enum(SIZES, default_value=32).tag(sync=True)
    base = traitlets.Enum(BASES, default_value=10_000).tag(sync=True)
    trained_len = traitlets.Enum(TRAINED, default_value=2048).tag(sync=True)
    method = traitlets.Enum(tuple(METHODS), default_value="none").tag(sync=True)
    scale = traitlets.Enum(SCALES, default_value=8).tag(sync=True)
    position = traitlets.Enum(POSITIONS, default_value=4096).tag(sync=True)

    choices = traitlets.Dict(read_only=True).tag(sync=True)

    @traitlets.default("choices")
    def _default_choices(self) -> dict[str, Any]:
        return {
            "head_dim": SIZES,
            "base": BASES,
            "trained_len": TRAINED,
            "method": list(METHODS.items()),
            "scale": SCALES,
            "position": POSITIONS,
        }

    def picture(self) -> Themed:
        """Clocks and wavelengths of the present setting."""
        names = ("head_dim", "base", "trained_len", "method", "scale", "position")
        setting = {name: getattr(self, name) for name in names}
        alt = (
            f"{self.head_dim // 2} clocks, one for each plane, with their hands at "
            f"position {self.position:,}, and a curve of tokens per round against the "
            f"plane: base {self.base:,}, trained on {self.trained_len:,} tokens, "
            f"scaling {METHODS[self.method]}."
        )
        return Themed(lambda: draw.clocks_overview(**setting), alt=alt)


class DecayCurves(BookWidget):
    """Score of one query and key against distance, with its bound and the mean.

    Parameters
    ----------
    content : str, default "ones"
        What the query and the key hold: ``"ones"``, ``"aligned"`` or ``"random"``.
    head_dim : int, default 128
        One of `DECAY_SIZES`.
    base : int, default 10_000
        One of `DECAY_BASES`.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    scripts: ClassVar = (*_SHARED, "rope_decay.js")

    content = traitlets.Enum(tuple(CONTENTS), default_value="ones").tag(sync=True)
    head_dim = traitlets.Enum(DECAY_SIZES, default_value=128).tag(sync=True)
    base = traitlets.Enum(DECAY_BASES, default_value=10_000).tag(sync=True)

    # What the front end looks up instead of computing it.
    curves = traitlets.Dict(read_only=True).tag(sync=True)
    means = traitlets.Dict(read_only=True).tag(sync=True)
    choices = traitlets.Dict(read_only=True).tag(sync=True)

    @traitlets.default("curves")
    def _default_curves(self) -> dict[str, dict[str, list[float]]]:
        """Score and bound at the distances 0 … 299, to three decimals."""
        settings = product(CONTENTS, DECAY_SIZES, DECAY_BASES)
        return {
            f"{name},{d},{base}": {
                curve: np.round(values, 3).tolist()
                for curve, values in decay_curves(name, d, base, DECAY_LAST).items()
                if curve != "mean"
            }
            for name, d, base in settings
        }

    @traitlets.default("means")
    def _default_means(self) -> dict[str, list[float]]:
        """Mean of the partial sums at the same distances, to four decimals."""
        distances = np.arange(DECAY_LAST + 1.0)
        return {
            f"{d},{base}": np.round(
                rope.mean_partial_sum(distances, d, base=base), 4
            ).tolist()
            for d, base in product(DECAY_SIZES, DECAY_BASES)
        }

    @traitlets.default("choices")
    def _default_choices(self) -> dict[str, Any]:
        return {
            "content": list(CONTENTS.items()),
            "head_dim": DECAY_SIZES,
            "base": DECAY_BASES,
            "last": DECAY_LAST,
        }

    def picture(self) -> Themed:
        """Curves of the present setting."""
        alt = (
            f"Score of {CONTENTS[self.content]} against distance for d = "
            f"{self.head_dim} and base {self.base:,}, with the mean of the partial "
            "sums; below, on a logarithmic scale, its size far under the true bound."
        )
        setting: dict[str, Any] = {"head_dim": self.head_dim, "base": self.base}
        name = self.content
        return Themed(lambda: draw.decay(name, last=DECAY_LAST, **setting), alt=alt)


class LayoutMixup(BookWidget):
    """Features in two orders, and the scores if the code pairs them the wrong way.

    Parameters
    ----------
    head_dim : int, default 8
        One of `LAYOUT_SIZES`.
    trained, runs : {"half", "interleaved"}, default "half" and "interleaved"
        Layout of the training, and of the code.
    permuted : bool, default False
        Whether the features are put into the order of the code first.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    scripts: ClassVar = (*_SHARED, "rope_layouts.js")

    head_dim = traitlets.Enum(LAYOUT_SIZES, default_value=8).tag(sync=True)
    trained = traitlets.Enum(LAYOUTS, default_value="half").tag(sync=True)
    runs = traitlets.Enum(LAYOUTS, default_value="interleaved").tag(sync=True)
    permuted = traitlets.Bool(False).tag(sync=True)

    scores = traitlets.Dict(read_only=True).tag(sync=True)
    orders = traitlets.Dict(read_only=True).tag(sync=True)
    sizes: Any = traitlets.List(list(LAYOUT_SIZES), read_only=True).tag(sync=True)

    @traitlets.default("scores")
    def _default_scores(self) -> dict[str, list[float]]:
        """Scores at the relative positions -8 … 8, by setting."""
        found = {}
        for d, trained, runs, permuted in product(
            LAYOUT_SIZES, LAYOUTS, LAYOUTS, (False, True)
        ):
            setting: dict[str, Any] = {"runs": runs, "permuted": permuted}
            scores = layout_scores(d, trained=trained, last=LAYOUT_REACH, **setting)
            key = f"{d},{trained},{runs},{str(permuted).lower()}"
            found[key] = np.round(scores, 4).tolist()
        return found

    @traitlets.default("orders")
    def _default_orders(self) -> dict[str, list[int]]:
        """Which feature of the one layout comes to each place of the other."""
        return {
            f"{d},{a},{b}": rope.layout_permutation(
                d,
                source=a,  # type: ignore[arg-type]
                target=b,  # type: ignore[arg-type]
            ).tolist()
            for d, a, b in product(LAYOUT_SIZES, LAYOUTS, LAYOUTS)
        }

    def picture(self) -> Themed:
        """Lanes and scores of the present setting."""
        names = ("head_dim", "trained", "runs", "permuted")
        setting = {name: getattr(self, name) for name in names}
        alt = (
            f"The features of a head of {self.head_dim} in both orders, joined by "
            f"lines, and the scores of a model trained with the layout {self.trained} "
            f"under code of the layout {self.runs}, "
            f"{'after' if self.permuted else 'without'} the permutation."
        )
        return Themed(lambda: draw.layouts_overview(**setting), alt=alt)
