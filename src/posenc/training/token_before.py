r"""Heads that see positions alone and are to look at the token before: a sweep.

The score of query m and key n ≤ m is :math:`p_m M p_n^\top / \sqrt d`, with sinusoids
p, one per row. Nothing but the matrix M is trained, on the first positions; then it is
tested on four times as many. The loss is the mean of -log(weight on the token before).
With weights :math:`\alpha`, its derivative by the score of m and n is
:math:`\alpha_{mn}`, less 1 at the token before; by M it is the sum of these, each times
:math:`p_m^\top p_n / \sqrt d`, over the number of queries.
"""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float

from posenc.core.checks import check_int
from posenc.sinusoidal import sinusoidal_encoding

from .loop import circumstances

#: A head is tested on this many times the positions that it was trained on.
STRETCH = 4
#: What is done differently in the controls: the positions seen are brought to equal
#: singular values; ten times the steps; a pull towards 0.
CONTROLS = ("whitened", "longer", "decay")
_DECAY = 1e-3


class Head(NamedTuple):
    """Setting of one head."""

    d_model: int
    base: float
    trained: int
    seed: int
    control: str = ""


@dataclass(frozen=True)
class ShiftPlan:
    """All heads of the sweep.

    Attributes
    ----------
    widths, bases, lengths, seeds : tuple
        Features, bases and trained lengths that are combined, and starts of each.
    controlled : tuple
        Width and trained length at which the controls are done, with every base.
    kept : tuple
        Width and base of the heads whose matrices are kept, those of the first seed.
    steps : int
        Of gradient descent, for each head.
    learning_rate : float
        Step size, divided by the square root of the width.
    """

    widths: tuple[int, ...] = (8, 16, 32, 128)
    bases: tuple[float, ...] = (2.0, 10.0, 100.0, 10_000.0)
    lengths: tuple[int, ...] = (8, 16, 32, 64, 128)
    seeds: tuple[int, ...] = (0, 1, 2)
    controlled: tuple[int, int] = (8, 32)
    kept: tuple[int, float] = (16, 10.0)
    steps: int = 2000
    learning_rate: float = 0.5

    def __post_init__(self) -> None:
        check_int("steps", self.steps, minimum=1)
        for name in ("widths", "bases", "lengths", "seeds"):
            if not getattr(self, name):
                msg = f"{name} must hold a value at least, got {getattr(self, name)!r}"
                raise ValueError(msg)

    @property
    def name(self) -> str:
        """Name of its files, without ending."""
        return "shift"

    @property
    def max_steps(self) -> int:
        """Heads to train: each is a step of the run."""
        return sum(1 for _ in self.heads())

    def heads(self) -> Iterator[Head]:
        """Yield every head, the sweep first, then the controls."""
        for d_model in self.widths:
            for base in self.bases:
                for trained in self.lengths:
                    for seed in self.seeds:
                        yield Head(d_model, base, trained, seed)
        for control in CONTROLS:
            for base in self.bases:
                for seed in self.seeds:
                    d_model, trained = self.controlled
                    yield Head(d_model, base, trained, seed, control)

    @property
    def command(self) -> str | None:
        """Command line that trains it, if there is one."""
        return "python -m posenc.training shift" if self == ShiftPlan() else None

    def as_data(self) -> dict[str, Any]:
        """Return the content of the plan as JSON keeps it."""
        data = {n: [*v] if isinstance(v, tuple) else v for n, v in asdict(self).items()}
        return data | {"max_steps": self.max_steps}

    def start(self) -> "ShiftRun":
        """Return a new run."""
        return ShiftRun(self)


class ShiftRun:
    """Run of a `ShiftPlan`: a step trains and tests one head."""

    def __init__(self, plan: ShiftPlan) -> None:
        self.plan, self.step = plan, 0
        self.heads = [*plan.heads()]
        self.curve: dict[str, list[float]] = {}
        self.seconds: list[float] = []
        self.found: list[dict[str, Any]] = []

    @property
    def finished(self) -> bool:
        """True if all heads are trained."""
        return self.step >= len(self.heads)

    def last(self) -> dict[str, float]:
        """Return what was measured of the last head."""
        return {name: values[-1] for name, values in self.curve.items()}

    def advance(self) -> None:
        """Train and test the next head."""
        start = time.perf_counter()
        head = self.heads[self.step]
        p = encodings(head)
        longer = 10 if head.control == "longer" else 1
        matrix = train_head(
            p[: head.trained],
            steps=self.plan.steps * longer,
            learning_rate=self.plan.learning_rate * head.d_model**0.5,
            seed=head.seed,
            decay=_DECAY if head.control == "decay" else 0.0,
        )
        self.found.append(measure(head, p, matrix))
        reported = (*self.plan.kept, self.plan.seeds[0], "")
        if (head.d_model, head.base, head.seed, head.control) == reported:
            self.found[-1]["matrix"] = matrix.round(3).tolist()
        self.seconds.append(time.perf_counter() - start)
        self.step += 1
        for name, value in (("step", self.step), ("beyond", self.found[-1]["beyond"])):
            self.curve.setdefault(name, []).append(value)

    def state(self) -> dict[str, Any]:
        """Return all that `restore` needs to go on."""
        return {
            "plan": self.plan.as_data(),
            "step": self.step,
            "curve": self.curve,
            "seconds": self.seconds,
            "found": self.found,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore what `state` returned."""
        self.step, self.curve = state["step"], state["curve"]
        self.seconds, self.found = state["seconds"], state["found"]

    def results(self) -> dict[str, Any]:
        """Return what is kept of the run: one entry for heads that differ in seed."""
        cells: dict[Head, dict[str, Any]] = {}
        for head, result in zip(self.heads, self.found, strict=True):
            setting = {n: v for n, v in head._asdict().items() if n != "seed"}
            cell = cells.setdefault(head._replace(seed=0), setting | spectrum(head))
            for name, value in result.items():
                cell.setdefault(name, []).append(value)
        return {
            **circumstances(torch.device("cpu")),
            "steps": self.step,
            "milliseconds_per_step": round(1e3 * median(self.seconds), 2),
            "curve": self.curve,
            "tests": [*cells.values()],
        }


def encodings(head: Head) -> Float[np.ndarray, "positions d_model"]:
    """Return encodings of all positions of the test, one per row, trained ones first.

    Whitened, they are multiplied by the matrix that gives the positions of training
    equal singular values, as large as before on average. A head can do with them just
    what it can do without: the same scores belong to another matrix.
    """
    positions = np.arange(STRETCH * head.trained)
    p = sinusoidal_encoding(positions, head.d_model, base=head.base)
    if head.control != "whitened":
        return p
    _, singular, directions = np.linalg.svd(p[: head.trained], full_matrices=False)
    return p @ (directions.T / singular) * np.sqrt(np.mean(singular**2))


def spectrum(head: Head) -> dict[str, Any]:
    """Return singular values of the trained positions: smallest to largest, and rank.

    The rank counts those above a thousandth of the largest.
    """
    singular = np.zeros(head.d_model)
    values = np.linalg.svd(encodings(head)[: head.trained], compute_uv=False)
    singular[: len(values)] = values
    ratio = singular[-1] / singular[0]
    return {
        "ratio": float(f"{ratio:.3g}"),
        "rank": int((singular > 1e-3 * singular[0]).sum()),
    }


def train_head(
    positions: Float[np.ndarray, "positions d_model"],
    *,
    steps: int,
    learning_rate: float,
    seed: int,
    decay: float = 0.0,
) -> Float[np.ndarray, "d_model d_model"]:
    """Return a head's matrix after gradient descent on all queries but the first.

    It starts from normal random numbers with the spread of a product of two projections
    at their usual start.

    Parameters
    ----------
    positions : array of shape (positions, d_model)
        Encodings of the positions of training.
    steps, learning_rate, seed
        Of gradient descent, and of its start.
    decay : float, default 0
        Share of the matrix that is added to its gradient.
    """
    count, d = positions.shape
    matrix = np.random.default_rng(seed).normal(size=(d, d)) / np.sqrt(d)
    token_before = np.eye(count, k=-1)
    for _ in range(steps):
        error = (weights(positions, matrix) - token_before)[1:]
        gradient = positions[1:].T @ error @ positions / (np.sqrt(d) * (count - 1))
        matrix -= learning_rate * (gradient + decay * matrix)
    return matrix


def scores(
    p: Float[np.ndarray, "positions d_model"],
    matrix: Float[np.ndarray, "d_model d_model"],
    farthest: int | None = None,
) -> Float[np.ndarray, "positions positions"]:
    """Return scores of queries and keys; minus infinity for a masked or far key."""
    products = p @ matrix @ p.T / np.sqrt(p.shape[1])
    distance = np.arange(len(p))[:, None] - np.arange(len(p))
    hidden = distance < 0
    if farthest is not None:
        hidden |= distance > farthest
    products[hidden] = -np.inf
    return products


def weights(
    p: Float[np.ndarray, "positions d_model"],
    matrix: Float[np.ndarray, "d_model d_model"],
) -> Float[np.ndarray, "positions positions"]:
    """Return attention weights: the softmax of each row of the scores."""
    logits = scores(p, matrix)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def turning_part(
    matrix: Float[np.ndarray, "d d"],
) -> Float[np.ndarray, "d d"]:
    """Return the part of a matrix that commutes with every shift.

    Where all clocks have frequencies of their own, a matrix commutes with the shift by
    one token if it turns and stretches each clock by itself: blocks (a, c; -c, a) on
    the diagonal. Those nearest to a matrix have the mean of the block's diagonal for a,
    and half the difference of its other two entries for c.
    """
    part = np.zeros_like(matrix)
    for i in range(0, len(matrix), 2):
        (first, second), (third, fourth) = matrix[i : i + 2, i : i + 2]
        a, c = (first + fourth) / 2, (second - third) / 2
        part[i : i + 2, i : i + 2] = [[a, c], [-c, a]]
    return part


def measure(
    head: Head,
    p: Float[np.ndarray, "positions d_model"],
    matrix: Float[np.ndarray, "d_model d_model"],
) -> dict[str, Any]:
    """Return how often the largest weight is on the token before, in and beyond.

    Returns
    -------
    dict
        ``weight``: mean weight on the token before, in training. ``inside``,
        ``beyond``: share of the queries that are right, on the positions of training
        and on all others. ``near``: the same beyond, among keys no farther away than
        any in training. ``turning``: ``beyond`` of the `turning_part` alone; and
        ``turning_inside``, ``turning_near``.
    """
    before = np.diag(weights(p[: head.trained], matrix), k=-1)
    results = {"weight": before.mean(), **_shares(head, p, matrix)}
    if head.control != "whitened":  # there, the blocks belong to no clocks
        shares = _shares(head, p, turning_part(matrix))
        names = {
            "inside": "turning_inside",
            "beyond": "turning",
            "near": "turning_near",
        }
        results |= {names[name]: share for name, share in shares.items()}
    return {name: round(float(value), 4) for name, value in results.items()}


def _shares(head: Head, p: Any, matrix: Any) -> dict[str, float]:
    targets = np.arange(len(p)) - 1
    right = scores(p, matrix).argmax(axis=1) == targets
    near = scores(p, matrix, head.trained - 1).argmax(axis=1) == targets
    return {
        "inside": right[1 : head.trained].mean(),
        "beyond": right[head.trained :].mean(),
        "near": near[head.trained :].mean(),
    }
