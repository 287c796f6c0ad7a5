"""Claims of the page: numbers that its sentences show, and conditions for them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .apart import CLIPPED
from .trained import results


class Numbers:
    """Right answers of the runs that solved their task, as measured or drawn anew.

    Parameters
    ----------
    rng : Generator, optional
        Draws runs with replacement, and adds to each share an error of its size, for a
        bootstrap. None gives what was measured.
    """

    def __init__(self, rng: np.random.Generator | None = None) -> None:
        self.rng = rng
        self._drawn: dict[Any, Any] = {}

    def __call__(
        self,
        task: str,
        encoding: str,
        length: int,
        kind: str = "long",
        factor: float = 1,
        solved: bool = True,
    ) -> Any:
        """Return one share for each run, an array.

        Parameters
        ----------
        task, encoding : str
            Names of the task and of the encoding, trained or changed for the test.
        length : int
            Tokens of the text, or of the long text that a gap or shift belongs to.
        kind : str
            One of "long", "shift", "gap", "inside", "crowd", "unmoved", "moved",
            "moved_far" or "by_place", see `posenc.training.distance_or_crowd`.
        factor : float
            Factor of all scores.
        solved : bool
            True to leave out runs that did not solve the task.
        """
        if kind == "crowd" and encoding in CLIPPED:
            kind = "long"
        tested_runs = results(task)[encoding]
        n = str(length)
        measured = []
        for run, learned in zip(tested_runs.runs, tested_runs.solved, strict=True):
            if not (learned or not solved):
                continue
            if factor != 1:
                tested = run["apart"]["sharper"][n][f"{factor:g}"]
            elif kind != "long":
                tested = run["apart"][kind][n]
            else:
                tested = run["tests"][encoding][n]
            measured.append((tested["accuracy"], tested["error"]))
        shares, errors = np.array(measured).T
        if self.rng is None:
            return shares
        runs = self._runs(task, tested_runs.runs[0]["plan"]["encoding"], len(shares))
        drawn = shares + errors * self.rng.normal(size=len(shares))
        return np.clip(drawn, 0, 1)[runs]

    def _runs(self, task: str, encoding: str, number: int) -> Any:
        """Draw runs at random, the same for all tests of a trained encoding."""
        key = task, encoding, number
        if key not in self._drawn:
            assert self.rng is not None
            self._drawn[key] = self.rng.integers(number, size=number)
        return self._drawn[key]


def span(shares: Any) -> str:
    """Return the lowest and highest share, in percent."""
    low, high = (f"{100 * end(shares):.0f}" for end in (np.min, np.max))
    return f"{low} %" if low == high else f"{low} to {high} %"


class Place(NamedTuple):
    """The arguments of `Numbers` for the numbers of a sentence on the page."""

    task: str
    encoding: str
    length: int
    kind: str = "long"
    factor: float = 1
    solved: bool = True


#: The places, by their names on the page.
SHOWN = {
    "lab_shaw": Place("copy", "shaw", 1024),
    "lab_shaw_wide": Place("copy", "shaw_clip_63", 1024),
    "lab_tables": Place("copy", "learned", 64, solved=False),
    "lab_convolution": Place("copy", "convolutional", 1024),
    "lab_t5": Place("copy", "t5", 1024),
    "lab_t5_wide": Place("copy", "t5_wide", 1024),
    "lab_t5_gap": Place("copy", "t5", 1024, "gap"),
    "lab_t5_inside": Place("copy", "t5", 1024, "inside"),
    "lab_t5_wide_inside": Place("copy", "t5_wide", 1024, "inside"),
    "lab_shaw_wide_inside": Place("copy", "shaw_clip_63", 1024, "inside"),
    "lab_t5_sharper": Place("copy", "t5", 1024, factor=2.5),
    "lab_shaw_sharper": Place("copy", "shaw_clip_63", 1024, factor=2.5),
    "lab_alibi": Place("copy", "alibi", 1024),
    "lab_alibi_128": Place("copy", "alibi", 128),
    "lab_alibi_gap_128": Place("copy", "alibi", 128, "gap"),
    "lab_alibi_gap": Place("copy", "alibi", 1024, "gap"),
    "lab_alibi_inside": Place("copy", "alibi", 1024, "inside"),
    "lab_alibi_crowd": Place("copy", "alibi", 1024, "crowd"),
    "lab_rope_gap": Place("copy", "rope", 256, "gap"),
    "lab_alibi_sharper": Place("copy", "alibi", 64, factor=2),
    "lab_rope_inside": Place("copy", "rope", 256, "inside"),
    "lab_rope_63": Place("copy", "rope_clamped", 256),
    "lab_rope_256": Place("copy", "rope", 256),
    "lab_ntk_256": Place("copy", "rope_ntk", 256),
    "lab_xl_gap": Place("copy", "transformer_xl", 256, "gap"),
    "lab_xl_crowd": Place("copy", "transformer_xl", 256, "crowd"),
    "lab_xl_inside": Place("copy", "transformer_xl", 256, "inside"),
    "lab_xl_256": Place("copy", "transformer_xl", 256),
    "lab_sinusoids_gap": Place("copy", "sinusoidal", 1024, "gap"),
    "lab_sinusoids_inside": Place("copy", "sinusoidal", 1024, "inside"),
    "lab_sinusoids_shift": Place("copy", "sinusoidal", 1024, "shift"),
    "lab_sinusoids_moved": Place("copy", "sinusoidal", 32, "moved"),
    "lab_sinusoids_far": Place("copy", "sinusoidal", 32, "moved_far"),
    "lab_index_128": Place("index", "sinusoidal", 128),
    "lab_index_1024": Place("index", "sinusoidal", 1024),
    "lab_index_rope": Place("index", "rope", 128),
    "lab_index_xl": Place("index", "transformer_xl", 128),
}


def shown() -> dict[str, str]:
    """Return the sentences' numbers by name, the lowest and highest of the runs."""
    measured = Numbers()
    return {name: span(measured(*place)) for name, place in SHOWN.items()}


def _far_apart(s: Numbers) -> bool:
    shaw, convolution, t5 = (
        s("copy", name, 1024) for name in ("shaw", "convolutional", "t5")
    )
    lost = ("alibi", "rope", "transformer_xl", "sinusoidal")
    return bool(
        shaw.min() > convolution.max()
        and convolution.min() > 2 * t5.max()
        and t5.min() > max(s("copy", name, 1024).max() for name in lost)
        and max(s("copy", name, 1024).max() for name in lost) < 0.1
    )


def _relative_is_not_enough(s: Numbers) -> bool:
    lost = s("copy", "rope", 256).max()
    return bool(
        lost < min(s("copy", name, 256).min() for name in ("shaw", "t5", "alibi"))
    )


def _ntk_repairs_a_part(s: Numbers) -> bool:
    plain, ntk, interpolated, yarn = (
        {n: s("copy", f"rope{rule}", n) for n in (128, 256)}
        for rule in ("", "_ntk", "_interpolation", "_yarn")
    )
    return bool(
        all(ntk[n].min() > plain[n].max() for n in (128, 256))
        and interpolated[128].mean() < plain[128].mean()
        and yarn[128].mean() < plain[128].mean()
    )


def _t5_fails_in_the_crowd(s: Numbers) -> bool:
    gap, wide = (s("copy", name, 1024, "gap") for name in ("t5", "t5_wide"))
    both, both_wide = (s("copy", name, 1024) for name in ("t5", "t5_wide"))
    shaw, shaw_wide = (s("copy", name, 1024) for name in ("shaw", "shaw_clip_63"))
    inside = [s("copy", n, 1024, "inside").min() for n in ("t5_wide", "shaw_clip_63")]
    return bool(
        min(gap.min(), wide.min(), s("copy", "shaw_clip_63", 1024, "gap").min()) > 0.95
        and min(inside) > 0.95
        and both_wide.max() < both.min()
        and shaw_wide.max() < shaw.min()
        and both.max() < 0.3
    )


def _alibi_stands_neither_with_the_other(s: Numbers) -> bool:
    gap, crowd, both = (
        s("copy", "alibi", 1024, kind) for kind in ("gap", "crowd", "long")
    )
    near = (s("copy", "alibi", 128, kind) for kind in ("gap", "long"))
    return bool(
        (both < gap * crowd / 8).all()
        and max(crowd.max(), gap.max()) < 0.99
        and np.less(*near).all()
    )


def _rope_fails_by_distance(s: Numbers) -> bool:
    gap, crowd = s("copy", "rope", 256, "gap"), s("copy", "rope", 1024, "crowd")
    inside = s("copy", "rope", 256, "inside")
    return bool((inside < gap).all() and gap.max() < 0.5 and crowd.min() > 0.99)


def _transformer_xl_fails_by_distance(s: Numbers) -> bool:
    gap, inside, both = (
        s("copy", "transformer_xl", 256, kind) for kind in ("gap", "inside", "long")
    )
    return bool(gap.min() > 0.9 and max(inside.max(), both.max()) < 0.5)


def _sinusoids_fail_by_place(s: Numbers) -> bool:
    """Return True if the first part's places matter most, and every part's matter."""
    shift, inside, gap = (
        s("copy", "sinusoidal", 1024, kind) for kind in ("shift", "inside", "gap")
    )
    if not (shift.max() < 0.15 < inside.min() and inside.max() < 0.5 < gap.min()):
        return False
    second, first = s("copy", "sinusoidal", 64) - gap, gap - inside
    if not (second.min() > 0.15 and first.mean() > second.mean()):
        return False
    unmoved, moved, far = (
        s("copy", "sinusoidal", 32, kind) for kind in ("unmoved", "moved", "moved_far")
    )
    return bool(
        unmoved.min() > 0.99 and moved.max() < 0.7 and moved.min() > 0.5 > 3 * far.max()
    )


def _t5_is_diluted(s: Numbers) -> bool:
    others = ("alibi", "rope", "transformer_xl", "sinusoidal")
    factors = (1.5, 2.0, 2.5, 3.0)
    return bool(
        s("copy", "t5", 1024, factor=2.5).min() > 0.95
        and (
            s("copy", "shaw_clip_63", 1024, factor=2.5)
            > s("copy", "shaw_clip_63", 1024)
        ).all()
        and max(s("copy", n, 1024, factor=f).max() for n in others for f in factors)
        < 0.05
    )


def _a_start_sign_is_an_origin(s: Numbers) -> bool:
    return all(
        s("index", name, 64, solved=False).min()
        > s("index_letter", name, 64, solved=False).max() + 0.4
        for name in ("none", "t5", "alibi")
    )


def _sinusoids_answer_index(s: Numbers) -> bool:
    near, far = (s("index", "sinusoidal", n) for n in (128, 1024))
    if not near.min() > 0.9 or not far.min() > 0.6:
        return False
    by_sign, by_place = (
        s("index", "sinusoidal", 63, kind) for kind in ("moved", "by_place")
    )
    return bool(by_sign.max() < 0.1 and by_place.min() > 0.99)


def _rope_loses_index(s: Numbers) -> bool:
    rules = ("", "_interpolation", "_ntk", "_yarn")
    return bool(
        max(s("index", f"rope{rule}", 128).max() for rule in rules) < 0.3
        and s("index", "transformer_xl", 128).min() > 0.4
    )


#: Claims of the sentences, in their order on the page.
CLAIMS: dict[str, Callable[[Numbers], bool]] = {
    "far apart": _far_apart,
    "relative is not enough": _relative_is_not_enough,
    "NTK": _ntk_repairs_a_part,
    "T5": _t5_fails_in_the_crowd,
    "ALiBi": _alibi_stands_neither_with_the_other,
    "RoPE": _rope_fails_by_distance,
    "Transformer-XL": _transformer_xl_fails_by_distance,
    "sinusoids": _sinusoids_fail_by_place,
    "sharper": _t5_is_diluted,
    "start sign": _a_start_sign_is_an_origin,
    "index, sinusoids": _sinusoids_answer_index,
    "index, RoPE": _rope_loses_index,
}
