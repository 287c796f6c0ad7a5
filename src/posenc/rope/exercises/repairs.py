"""Exercises 6 to 10: repairs, a cache of rotated keys, planes to count."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Case, Mistakes, case
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

from .oracle import FAR_APART, INTERLEAVED, close, scores, turn


def _repair_cases(rng: Any) -> list[Case]:
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


def _repair_problem(failure: Failure) -> str:
    p, (m, n) = failure.args[2], failure.entry
    return f"The score of a query at {p[m]} and a key at {p[n]} is wrong."


def _show_repair(failure: Failure) -> str:
    (q, k, _), (m, n) = failure.args, failure.entry
    got, right = failure.received[m, n], failure.right[m, n]
    return (
        f"{failure.call}[{m}, {n}]\nwith q = {q[m]}\nand k = {k[n]}\n"
        f"gives {got:.4g}, should be {right:.4g}"
    )


#: Settings that both tasks on scores share.
_TASK: dict[str, Any] = {
    "what": "The table of scores",
    "problem": _repair_problem,
    "held": ["one token with itself", "all pairs, at any positions and base"],
    "example": _show_repair,
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
    return _repair_cases(rng)


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
    return _repair_cases(rng)


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


def _cached_scores(
    cached: Any,
    q: Any,
    k: Any,
    base: float,
    *,
    start: int | None = None,
    keys: str = "",
) -> Any:
    """Return scores of the queries from `start` on; `keys` names a mistake."""
    past = len(cached)
    start = past if start is None else start
    positions = range(start, start + len(q))
    new = k if keys == "unturned" else turn(k, positions, base)
    old = turn(cached, range(past), base) if keys == "twice" else cached
    return scores(turn(q, positions, base), np.concatenate([old, new]))


_CACHED_MISTAKES: Mistakes = [
    (
        "The new tokens are taken to stand at positions 0, 1, …. They stand behind the "
        "cached ones.",
        lambda c, q, k, base: _cached_scores(c, q, k, base, start=0),
    ),
    (
        "The new tokens stand one position too far: with P keys in the cache, at "
        "positions 0 … P - 1, the next one stands at P.",
        lambda c, q, k, base: _cached_scores(c, q, k, base, start=len(c) + 1),
    ),
    (
        "The cached keys are turned a second time. They were turned when they came in.",
        lambda c, q, k, base: _cached_scores(c, q, k, base, keys="twice"),
    ),
    (
        "The new keys are not turned.",
        lambda c, q, k, base: _cached_scores(c, q, k, base, keys="unturned"),
    ),
]


def _cached_problem(failure: Failure) -> str:
    (i, j), past = failure.entry, len(failure.args[0])
    return (
        f"With {past} {'key' if past == 1 else 'keys'} in the cache, the score of new "
        f"query {i} and key {j} is another one."
    )


def _show_cached(failure: Failure) -> str:
    i, j = failure.entry
    got, right = failure.received[i, j], failure.right[i, j]
    return f"{failure.call}[{i}, {j}]\ngives {got:.4g}, should be {right:.4g}"


@ask_for_function(
    "The cached keys stand at positions 0 … P - 1 and are turned already. Where does "
    "the first new token stand?",
    "Turn the new queries and the new keys at positions P, P + 1, …; leave the cached "
    "keys alone.",
    "np.concatenate([cached_keys, turned_k]) are all keys; the scores are "
    "turned_q @ all_keys.T.",
    right=_cached_scores,
    what="The table of scores",
    problem=_cached_problem,
    mistakes=_CACHED_MISTAKES,
    held=["cached keys are used as they are", "several new tokens at once"],
    example=_show_cached,
    shown=["cached_keys", "q", "k"],
    close=close,
    uses=("rope.rotary_angles", "rope.apply_rotary"),
)
def cached_scores(rng: Any) -> Any:
    """Scores of new tokens against a cache and against themselves."""
    cases = []
    for past, new, d, base in [
        (1, 1, 2, 10_000.0),
        (2, 1, 4, 100.0),
        (3, 2, 4, 10_000.0),
        (20, 4, 8, 500.0),
        (700, 2, 4, 10_000.0),
    ]:
        cached, q, k = (rng.normal(size=(rows, d)) for rows in (past, new, new))
        cases.append(case(cached, q, k, base=base))
    return cases


_TRAINED, _HEAD_DIM = 2048, 64
_PLANES = _HEAD_DIM // 2
_ASKED = (
    "planes that do not finish a round in 2,048 tokens, base 10,000",
    "planes that do not finish a round in 2,048 tokens, base 500,000",
    "planes that YaRN leaves exactly as they are, base 10,000",
)


def _turns(base: float) -> list[float]:
    planes = range(_PLANES)
    return [_TRAINED * base ** (-2 * i / _HEAD_DIM) / (2 * math.pi) for i in planes]


def _slow(base: float) -> int:
    return sum(t < 1 for t in _turns(base))


def _first_slow(base: float) -> int:
    return _PLANES - _slow(base)


def _radians(base: float) -> int:
    """Count the planes that do not turn by one radian."""
    return sum(t * 2 * math.pi < 1 for t in _turns(base))


def _just_finished(base: float) -> str:
    """Return the sentence on the last plane that finishes a round."""
    i = _first_slow(base) - 1
    return (
        f"Plane {i} does finish: it makes {_turns(base)[i]:.2f} rounds. In the clocks "
        "its shade is a full circle."
    )


_BASES = (10_000.0, 500_000.0)
_KEPT = sum(t >= 32 for t in _turns(_BASES[0]))
_FINISHED = "These planes do finish a round. Count the others."


@ask_for_value(
    "The first line of facts under the clocks counts the planes of questions 1 and 2.",
    "For question 3, open “The same as text” and compare the columns “trained” and "
    "“now” with YaRN chosen.",
    "By formula: plane i makes 2048 / (2 pi) * base ** (-i / 32) turns. Count those "
    "below 1, and those of at least 32.",
    what="The list of counts",
    entry="a number",
    line=lambda i, count: f"question {i + 1}: not {count} ({_ASKED[i]})",
    mistakes=[
        (
            "The two bases are swapped: a larger base is slower.",
            [_slow(_BASES[1]), _slow(_BASES[0]), _KEPT],
        ),
    ],
    slips=[
        *((i, _first_slow(base), _FINISHED) for i, base in enumerate(_BASES)),
        *(
            (
                i,
                _radians(base),
                "That counts planes that turn by less than one radian. A round is "
                "2 pi of them.",
            )
            for i, base in enumerate(_BASES)
        ),
        *(
            (
                i,
                _slow(base) - 1,
                "One is missing: both ends count, the first slow plane and plane 31.",
            )
            for i, base in enumerate(_BASES)
        ),
        *((i, _slow(base) + 1, _just_finished(base)) for i, base in enumerate(_BASES)),
        (1, _slow(_BASES[0]), "That is the count for base 10,000: set the base."),
        (
            2,
            _KEPT - 1,
            "One is missing: planes are counted from 0, and plane 0 is one of them.",
        ),
        (
            2,
            _PLANES - _slow(_BASES[0]),
            "That counts every plane that finishes a round. YaRN keeps only those with "
            "at least 32 rounds as they are.",
        ),
        (
            2,
            _PLANES - _KEPT,
            "That counts the planes that YaRN slows down. Count the others.",
        ),
        (
            2,
            sum(t >= 32 for t in _turns(_BASES[1])),
            "That is the count for base 500,000: question 3 goes back to 10,000.",
        ),
    ],
    held=["all three counts"],
)
def count_planes() -> list[int]:
    """Slow planes for two bases, and the planes that YaRN keeps."""
    return [*map(_slow, _BASES), _KEPT]
