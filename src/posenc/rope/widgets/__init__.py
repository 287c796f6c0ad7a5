"""The widgets of the chapter on rotary embedding: plane, clocks, decay, layouts."""

from itertools import product
from typing import Any

import numpy as np
import traitlets

from posenc import rope
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, table
from posenc.kit.widgets.guess import steps
from posenc.rope import figures as draw
from posenc.rope.figures import (
    CONTENTS,
    FURTHER,
    KEY,
    METHODS,
    QUERY,
    SHARES,
    decay_curves,
    layout_scores,
)

__all__ = ["DecayCurves", "LayoutMixup", "PlaneClocks", "TurnedPair"]

LAST_POSITION = 24
PLANES = (1, 2, 4)
SPEEDS = (5, 10, 15, 30, 45, 60, 90)


class TurnedPair(BookWidget):
    """A query and a key in one plane or several, turned by their positions.

    Parameters
    ----------
    m, n : int, default 1 and 3
        Positions of the query and of the key, 0 … 24.
    degrees : int, default 30
        Turn per token in plane 0, one of `SPEEDS`.
    q_angle, k_angle : int, default 30 and 90
        Angles of both in plane 0 before they are turned: multiples of 15, below 360.
    planes : {1, 2, 4}, default 1
        Number of planes; their scores are added. Each turns half as fast as the one
        before, and the query and the key of the further ones are given.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> TurnedPair(m=2).n
    3
    """

    m = traitlets.Int(1, min=0, max=LAST_POSITION)
    n = traitlets.Int(3, min=0, max=LAST_POSITION)
    degrees = traitlets.Enum(SPEEDS, default_value=30)
    q_angle = traitlets.Enum(range(0, 360, 15), default_value=30)
    k_angle = traitlets.Enum(range(0, 360, 15), default_value=90)
    planes = traitlets.Enum(PLANES, default_value=1)

    last_position = traitlets.Int(LAST_POSITION, read_only=True)
    lengths = traitlets.List([QUERY[0], KEY[0]], read_only=True)
    further: Any = traitlets.List(
        [
            {"share": share, "long": q[0], "short": k[0], "q": q[1], "k": k[1]}
            for share, (q, k) in zip(SHARES[1:], FURTHER, strict=True)
        ],
        read_only=True,
    )
    choices = traitlets.List(list(PLANES), read_only=True)
    speeds: Any = traitlets.List(list(SPEEDS), read_only=True)

    def picture(self) -> Themed:
        """Plane and score of the present setting."""
        one = self.planes == 1
        where = (
            f"one plane that turns {self.degrees}° per token"
            if one
            else f"{self.planes} planes, the first of which turns {self.degrees}° per "
            "token and each other half as fast as the one before"
        )
        alt = (
            f"A query at position {self.m} and a key at position {self.n} as arrows in "
            f"{where}, and their score against the relative position: "
            f"{'a cosine' if one else 'a sum of cosines'}."
        )
        setting = {"m": self.m, "n": self.n, "step": self.degrees}
        setting |= {"planes": self.planes}
        angles = {"q_angle": self.q_angle, "k_angle": self.k_angle}
        return Themed(lambda: draw.plane_overview(**setting, **angles), alt=alt)


SIZES = (8, 16, 32, 64)
BASES = (100, 10_000, 500_000)
TRAINED = (512, 2048, 8192)
SCALES = (1, 2, 4, 8, 16)
DISTANCES = tuple(
    sorted({*range(33), *(2**i for i in range(18)), *(3 * 2**i for i in range(16))})
)


class PlaneClocks(BookWidget):
    """All planes of a head as clocks, with what training has shown of each dial.

    Parameters
    ----------
    head_dim : int, default 32
        One of `SIZES`.
    base : int, default 10_000
        One of `BASES`.
    trained_len : int, default 2048
        Tokens of the training, one of `TRAINED`: distances up to it count as met.
    method : str, default "none"
        One of ``"none"``, ``"interpolation"``, ``"ntk"``, ``"yarn"``.
    scale : int, default 8
        One of `SCALES`; "none" does not use it.
    distance : int, default 4096
        Tokens from the key to the query, one of `DISTANCES`: the hands show what it
        turns.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    head_dim = traitlets.Enum(SIZES, default_value=32)
    base = traitlets.Enum(BASES, default_value=10_000)
    trained_len = traitlets.Enum(TRAINED, default_value=2048)
    method = traitlets.Enum(tuple(METHODS), default_value="none")
    scale = traitlets.Enum(SCALES, default_value=8)
    distance = traitlets.Enum(DISTANCES, default_value=4096)

    @table
    def choices(self) -> dict[str, Any]:
        return {
            "head_dim": SIZES,
            "base": BASES,
            "trained_len": TRAINED,
            "method": list(METHODS.items()),
            "scale": SCALES,
            "distance": DISTANCES,
        }

    def picture(self) -> Themed:
        """Clocks and wavelengths of the present setting."""
        names = ("head_dim", "base", "trained_len", "method", "scale", "distance")
        setting = {name: getattr(self, name) for name in names}
        alt = (
            f"{self.head_dim // 2} clocks, one for each plane, with their hands at "
            f"distance {self.distance:,}, and a curve of tokens per round against the "
            f"plane: base {self.base:,}, trained to distance {self.trained_len:,}, "
            f"scaling {METHODS[self.method]}."
        )
        return Themed(lambda: draw.clocks_overview(**setting), alt=alt)


DECAY_SIZES, DECAY_BASES, DECAY_LAST = (16, 64, 128), (10_000, 500_000), 299
#: Distances at which the score is guessed, and the most steps up or down.
DECAY_HANDLES, MOST_STEPS = (10, 50, 100, 200, DECAY_LAST), 48


class DecayCurves(BookWidget):
    """Score of one query and key against distance, with its bound and the mean.

    The page draws no score until the reader has guessed it.

    Parameters
    ----------
    content : str, default "ones"
        What the query and the key hold: ``"ones"``, ``"aligned"`` or ``"random"``.
    head_dim : int, default 128
        One of `DECAY_SIZES`.
    base : int, default 10_000
        One of `DECAY_BASES`.
    guess : list of int
        For each of `DECAY_HANDLES`, how far the guess lies above the score at distance
        0, in 24ths of the largest score; at most `MOST_STEPS`.
    revealed : bool, default False
        Whether the page draws the score.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.
    """

    content = traitlets.Enum(tuple(CONTENTS), default_value="ones")
    head_dim = traitlets.Enum(DECAY_SIZES, default_value=128)
    base = traitlets.Enum(DECAY_BASES, default_value=10_000)
    guess = steps(len(DECAY_HANDLES), MOST_STEPS)
    revealed = traitlets.Bool(False)

    @table
    def curves(self) -> dict[str, dict[str, list[float]]]:
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

    @table
    def means(self) -> dict[str, list[float]]:
        """Mean of the partial sums at the same distances, to four decimals."""
        distances = np.arange(DECAY_LAST + 1.0)
        return {
            f"{d},{base}": np.round(
                rope.mean_partial_sum(distances, d, base=base), 4
            ).tolist()
            for d, base in product(DECAY_SIZES, DECAY_BASES)
        }

    @table
    def choices(self) -> dict[str, Any]:
        return {
            "content": list(CONTENTS.items()),
            "head_dim": DECAY_SIZES,
            "base": DECAY_BASES,
            "last": DECAY_LAST,
            "handles": DECAY_HANDLES,
            "most": MOST_STEPS,
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


LAYOUTS, LAYOUT_SIZES, LAYOUT_REACH = ("interleaved", "half"), (4, 8), 8


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

    head_dim = traitlets.Enum(LAYOUT_SIZES, default_value=8)
    trained = traitlets.Enum(LAYOUTS, default_value="half")
    runs = traitlets.Enum(LAYOUTS, default_value="interleaved")
    permuted = traitlets.Bool(False)

    sizes: Any = traitlets.List(list(LAYOUT_SIZES), read_only=True)

    @table
    def scores(self) -> dict[str, list[float]]:
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

    @table
    def orders(self) -> dict[str, list[int]]:
        """Feature of the one layout that comes to each place of the other."""
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
