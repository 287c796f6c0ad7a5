"""Numbers behind the figures and the widget of the chapter on CAPE.

CTC stands here in plain form, for the chapter's examples: the laboratory uses torch's.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float

#: How CTC's blank is written in a path.
BLANK = "–"


class UnitDraws(NamedTuple):
    """What chance decides for one sequence, as numbers between −1 and 1.

    Attributes
    ----------
    shift, scale : float
        Shift and logarithm of the scale, as shares of their maxima.
    jitter : float array of shape (seq_len,)
        Jitter of each token, as a share of its maximum.
    """

    shift: float
    scale: float
    jitter: Float[np.ndarray, " seq_len"]


def unit_draws(seed: int, seq_len: int) -> UnitDraws:
    """Draws of a seed, in the order of `posenc.cape.augmented_positions`.

    Longer sequences begin with the jitters of shorter ones.
    """
    rng = np.random.default_rng(seed)
    shift, scale = rng.uniform(-1, 1), rng.uniform(-1, 1)
    return UnitDraws(shift, scale, rng.uniform(-1, 1, size=seq_len))


def moved(
    positions: Float[np.ndarray, " seq_len"],
    draws: UnitDraws,
    *,
    max_global_shift: float = 0.0,
    max_local_shift: float = 0.0,
    max_scale: float = 1.0,
    center: bool = True,
) -> Float[np.ndarray, " seq_len"]:
    """What `posenc.cape.augmented_positions` makes of these draws."""
    p = positions - positions.mean() if center else positions
    p = p + max_global_shift * draws.shift + max_local_shift * draws.jitter
    return max_scale**draws.scale * p


def crossings(
    before: Float[np.ndarray, " seq_len"], after: Float[np.ndarray, " seq_len"]
) -> list[tuple[int, int]]:
    """Pairs of tokens that have changed their order."""
    pairs = itertools.combinations(range(len(before)), 2)
    return [
        (i, j) for i, j in pairs if (before[i] - before[j]) * (after[i] - after[j]) < 0
    ]


def swap_chance(step: float, max_local_shift: float) -> float:
    """Chance that the jitters of two tokens turn them around."""
    if 2 * max_local_shift <= step:
        return 0.0
    return 0.5 * (1 - step / (2 * max_local_shift)) ** 2


def collapse(path: str) -> str:
    """CTC's reading of a path: one symbol for each run, and no blanks."""
    return re.sub(r"(.)\1*", r"\1", path).replace(BLANK, "")


def alignments(target: str, num_frames: int) -> list[str]:
    """All paths of so many frames that collapse to a target, blanks last."""
    symbols = [*dict.fromkeys(target), BLANK]
    paths = map("".join, itertools.product(symbols, repeat=num_frames))
    return [path for path in paths if collapse(path) == target]


def ctc_probability(
    chances: Float[np.ndarray, "num_frames num_symbols"], target: Sequence[int]
) -> float:
    """Probability of a target: the sum over its paths, one frame after the other.

    Parameters
    ----------
    chances : array of shape (num_frames, num_symbols)
        Probability of each symbol at each frame; the last symbol is the blank.
    target : sequence of int
        Symbols, without blanks.
    """
    blank = chances.shape[1] - 1
    states = [blank]
    for symbol in target:
        states += [symbol, blank]
    reached = [1.0] + [0.0] * (len(states) - 1)  # before the first frame
    for row in chances:
        before = reached
        reached = []
        for s, symbol in enumerate(states):
            total = before[s] + (before[s - 1] if s else 0.0)
            if s > 1 and symbol not in (blank, states[s - 2]):
                total += before[s - 2]
            reached.append(total * row[symbol])
    return float(sum(reached[-2:]))


def speech_errors(
    runs: Mapping[str, Any], front: str
) -> dict[tuple[str, str], dict[int, dict[int, float]]]:
    """Errors of the laboratory's readers of speech: reader and encoding, seed, length.

    Parameters
    ----------
    runs : mapping
        Results by name, as ``posenc.data.load_folder("lab")`` gives them.
    front : str
        "convolution" or "linear".
    """
    found: dict[tuple[str, str], dict[int, dict[int, float]]] = {}
    for name, run in runs.items():
        plan = run["plan"]
        if name.startswith("speech-") and plan["front"] == front:
            errors = {int(n): row["error"] for n, row in run["tests"].items()}
            key = plan["reader"], plan["encoding"]
            found.setdefault(key, {})[plan["seed"]] = errors
    return {key: found[key] for key in sorted(found)}


def counting_curves(
    runs: Mapping[str, Any],
) -> dict[int, tuple[list[int], list[float]]]:
    """Steps and accuracy of the models that learned to count without an encoding."""
    return {
        run["plan"]["seed"]: (run["curve"]["step"], run["curve"]["accuracy"])
        for name, run in runs.items()
        if name.startswith("count-none-")
    }
