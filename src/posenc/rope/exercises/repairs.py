"""Exercises 6 to 8: wrong pairs, two directions, and a cache with a short key."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import FAR_APART, INTERLEAVED, close, scores, turn


def _cases(rng: Any) -> list[Case]:
    cases = []
    for p, d, base in [
        (np.asarray([0]), 4, 10_000.0),
        (np.asarray([0, 1]), 4, 10_000.0),
        (np.asarray([3, 5]), 4, 100.0),
        (np.asarray([0, 1, 2, 9]), 6, 100.0),
        (rng.integers(0, 60, size=5), 8, 1000.0),
        *((np.asarray(far), d, 10_000.0) for far, d in FAR_APART),
    ]:
        q, k = np.round(rng.normal(size=(2, len(p), d)), 1)
        cases.append(case(q, k, p, base=base))
    return cases


def _problem(failure: Failure) -> str:
    p, (m, n) = failure.args[2], failure.entry
    return f"The score of a query at {p[m]} and a key at {p[n]} is wrong."


def _example(failure: Failure) -> str:
    (q, k, _), (m, n) = failure.args, failure.entry
    got, right = failure.received[m, n], failure.right[m, n]
    return (
        f"{failure.call}[{m}, {n}]\nwith q = {q[m]}\nand k = {k[n]}\n"
        f"gives {got:.4g}, should be {right:.4g}"
    )


#: What both tasks on scores have in common.
_TASK: dict[str, Any] = {
    "what": "The table of scores",
    "problem": _problem,
    "held": ["one token with itself", "all pairs, at any positions and base"],
    "example": _example,
    "shown": ["q", "k"],
    "close": close,
}

_HALF_MISTAKES: Mistakes = [
    (
        INTERLEAVED,
        lambda q, k, p, base: scores(turn(q, p, base), turn(k, p, base)),
    ),
    (
        "Queries are turned in half-split pairs and keys in interleaved ones. Both "
        "come from the same checkpoint.",
        lambda q, k, p, base: scores(turn(q, p, base, half=True), turn(k, p, base)),
    ),
    (
        "Keys are turned in half-split pairs and queries in interleaved ones. Both "
        "come from the same checkpoint.",
        lambda q, k, p, base: scores(turn(q, p, base), turn(k, p, base, half=True)),
    ),
    (
        "The permutation is applied the wrong way round: it takes interleaved features "
        "to half-split ones, and these are half-split already.",
        lambda q, k, p, base: scores(
            turn(_to_half(q), p, base), turn(_to_half(k), p, base)
        ),
    ),
    (
        "Both turn clockwise: the scores are those of mirrored positions.",
        lambda q, k, p, base: scores(
            turn(q, p, base, half=True, sign=-1), turn(k, p, base, half=True, sign=-1)
        ),
    ),
]


def _to_half(x: Any) -> Any:
    return np.concatenate([x[:, 0::2], x[:, 1::2]], axis=1)


@ask_for_function(
    "Print the scores of two tokens at the same position, and of two tokens far apart. "
    "Which of them are right?",
    "In a half-split checkpoint feature i is turned together with feature i + d/2. "
    "Which two features does the code turn together?",
    "Either take x[:, : d // 2] and x[:, d // 2 :] for the two members, or keep the "
    "code and permute the features of queries and keys first.",
    right=lambda q, k, p, base: scores(
        turn(q, p, base, half=True), turn(k, p, base, half=True)
    ),
    mistakes=_HALF_MISTAKES,
    **_TASK,
)
def repair_layout(rng: Any) -> Any:
    """Repair code that turns the weights of a checkpoint in the wrong pairs."""
    return _cases(rng)


_DIRECTION_MISTAKES: Mistakes = [
    (
        "Queries and keys turn in opposite directions: the score depends on m + n, the "
        "sum of the positions, and not on their difference.",
        lambda q, k, p, base: scores(turn(q, p, base), turn(k, p, base, sign=-1)),
    ),
    (
        "Queries and keys turn in opposite directions, the queries clockwise: the "
        "score depends on m + n, the sum of the positions.",
        lambda q, k, p, base: scores(turn(q, p, base, sign=-1), turn(k, p, base)),
    ),
    (
        "Both turn clockwise now. The scores are relative, but they are those of "
        "mirrored positions.",
        lambda q, k, p, base: scores(
            turn(q, p, base, sign=-1), turn(k, p, base, sign=-1)
        ),
    ),
    (
        "The queries are turned and the keys are not.",
        lambda q, k, p, base: scores(turn(q, p, base), k),
    ),
]


@ask_for_function(
    "Give all tokens the same query and key. Then every diagonal of the scores should "
    "hold one number. Which entries are equal instead?",
    "Turn (1, 0) by a small positive angle with each of the two ways. Where does it "
    "go, up or down?",
    "In the element-wise form the partner of (x, y) is (-y, x): the minus belongs to "
    "the first member of each pair.",
    right=lambda q, k, p, base: scores(turn(q, p, base), turn(k, p, base)),
    mistakes=_DIRECTION_MISTAKES,
    **_TASK,
)
def repair_directions(rng: Any) -> Any:
    """Repair a rotation matrix and an element-wise formula that do not agree."""
    return _cases(rng)


Call = tuple[int, int, float, int]  # length, head_dim, base, offset


def _table(length: int, head_dim: int, base: float, offset: int) -> Any:
    angles = np.asarray(
        [
            [(offset + m) * base ** (-2 * i / head_dim) for i in range(head_dim // 2)]
            for m in range(length)
        ]
    )
    return np.stack([np.cos(angles), np.sin(angles)])


_NAMES = ("length", "head_dim", "base", "offset")


@exercise(
    "Call it twice, with two bases. Then look at what is in the dictionary.",
    "A cache may be asked again with the same key only if the answer is the same. What "
    "does the answer depend on?",
    "All four arguments belong into the key.",
)
def repair_cache(attempt: Attempt, rng: Any) -> None:
    """Repair a cache of cosines and sines that answers with another table."""
    calls: list[Call] = [
        (3, 4, 10_000.0, 0),
        (3, 4, 10_000.0, 0),
        (3, 4, 100.0, 0),
        (3, 4, 10_000.0, 5),
        (5, 4, 10_000.0, 0),
        (3, 8, 10_000.0, 0),
        (3, 4, 100.0, 5),
        (3, 4, 10_000.0, 0),
        (3, 2, 10_000.0, 40_000),
        (3, 4, 10_000.0, -700),
        (700, 4, 10_000.0, 300),
    ]
    calls += [
        (4, 8, float(rng.integers(50, 90_000)), int(rng.integers(1, 99)))
        for _ in range(4)
    ]
    seen: list[Call] = []
    for number, call in enumerate(calls):
        length, head_dim, base, offset = call
        options = {"base": base, "offset": offset}
        if number:
            answer = attempt.ask(length, head_dim, **options)
        else:
            answer = attempt.choose_style(("numpy",), length, head_dim, **options)
        shape = (2, length, head_dim // 2)
        if isinstance(answer, np.ndarray) and answer.shape != shape:
            stale = _stale(answer, call, seen)
            if stale:
                attempt.reject(
                    f"The table must have shape {shape}, got shape {answer.shape}.",
                    mistakes=stale,
                )
        got = attempt.real_numbers(answer, shape, "The table")
        if not close(got, _table(*call)).all():
            attempt.reject(
                "The table is not the one of these arguments.",
                f"{attempt.call_text(length, head_dim, **options)}, call {number + 1}",
                _stale(got, call, seen),
            )
        seen.append(call)
    attempt.held += [
        "the same call twice",
        "another base, another offset, in any order",
    ]


def _stale(got: Any, call: Call, seen: list[Call]) -> tuple[str, ...]:
    """Name the arguments in which an earlier call with this result differs."""
    for earlier in seen:
        if got.shape == _table(*earlier).shape and close(got, _table(*earlier)).all():
            differ = [
                name for name, a, b in zip(_NAMES, call, earlier, strict=True) if a != b
            ]
            names = " and ".join(differ)
            return (
                f"This is the table of an earlier call with another {names}: the key "
                f"of the cache does not hold {names}.",
            )
    return ()
