"""Predict a result, build a control, find the missing one, read a learning curve."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes, Switches
from posenc.kit.exercises.tasks import Failure, ask_for_function, ask_for_value

#: Length of a text, and different letters of the task.
_LENGTHS, _LETTERS = (64, 1024), 16
#: A run has solved its task at this share of right answers.
_SOLVED = 0.95


def _places(count: float, share: float = 0.5) -> list[float]:
    """Return places of letters of a part of the text, over the number of pairs."""
    return [(length * share - 1) / count for length in _LENGTHS]


@ask_for_value(
    "How many different pairs do 16 letters make? Each comes as often as any other.",
    "The first half is half of the text, without the start sign. A pair ends at nearly "
    "each of its letters.",
    "16 times 16 pairs, and about 31 or 511 places: divide.",
    what="The answer",
    entry="a number",
    line=lambda i, value: f"{value:g} is not the number at {_LENGTHS[i]:,} tokens",
    mistakes=[
        (
            "That is the number for one letter. Two letters make 16 times 16 pairs.",
            _places(_LETTERS),
        ),
        (
            "Two letters make 16 times 16 pairs, not 16 + 16.",
            _places(2 * _LETTERS),
        ),
        (
            "That counts places of the whole text. The rule looks at its first half.",
            _places(_LETTERS**2, share=1),
        ),
        (
            "That counts half of the first half, or half of the places. All pairs of "
            "the first half count.",
            _places(_LETTERS**2, share=0.25),
        ),
        (
            "That is the chance of one place. How many places are there?",
            [1 / _LETTERS**2] * 2,
        ),
        (
            "The right place is counted, too.",
            [1 + number for number in _places(_LETTERS**2)],
        ),
        ("The task has 16 letters, not 26.", _places(26**2)),
    ],
    held=["both numbers of wrong places"],
    # From one decimal place to the exact count, which leaves out two or three places.
    close=lambda received, right: np.isclose(received, right, rtol=0.18, atol=0),
)
def wrong_places() -> list[float]:
    """Wrong places with the same two letters, in a short text and in a long one."""
    return _places(_LETTERS**2)


def _gap_test(
    length: int, cut: int, filler: int, mistakes: Sequence[str] = ()
) -> tuple[Any, Any]:
    """Return the positions of the real tokens, and the mask of all columns."""
    if "next" in mistakes:
        cut += 1
    if "before" in mistakes:
        cut = max(cut - 1, 0)
    positions = np.arange(length)
    if "still" not in mistakes:
        positions = positions + np.where(positions < cut, 0, filler)
    if "one short" in mistakes:
        positions = positions - (positions >= cut + filler) * (filler > 0)
    if "all moved" in mistakes:
        positions = np.arange(length) + filler
    first = cut
    if "late" in mistakes:
        first = min(cut + 1, length)
    if "early" in mistakes:
        first = max(cut - 1, 0)
    columns = np.arange(length + filler)
    hidden = (columns >= first) & (columns < first + filler)
    query, key = columns[:, None], columns[None, :]
    allowed = (key <= query) & (~hidden[None, :] | (key == query))
    if "seen" in mistakes:
        allowed = key <= query
    if "among" in mistakes:
        allowed = (key <= query) & (~hidden[None, :] | hidden[:, None])
    if "not causal" in mistakes:
        allowed = ~hidden[None, :] | (key == query)
    if "alone" in mistakes:
        allowed = allowed & ~(hidden[:, None] & (key != query))
    if "empty" in mistakes:
        allowed = allowed & ~hidden[None, :]
    if "strict" in mistakes:
        allowed = allowed & ((key != query) | hidden[None, :])
    if "parts" in mistakes:
        allowed = allowed & ~((query >= cut + filler) & (key < cut))
    if "swapped" in mistakes:
        allowed = allowed.T
    return positions, ~allowed if "inverted" in mistakes else allowed


_GAP_MISTAKES = Switches(
    _gap_test,
    {
        "still": "The tokens behind the filler keep their old positions. Each of them "
        "moves by as many places as there are filler columns.",
        "one short": "The tokens behind the filler stand one place too early.",
        "all moved": "Tokens in front of the filler are moved, too. They stay.",
        "seen": "Tokens attend to the filler. So there are more keys: a crowd, and no "
        "gap test.",
        "among": "Filler columns see other filler. Each is seen by itself alone.",
        "next": "The filler stands behind token number `cut`. It belongs in front of "
        "it.",
        "before": "The filler stands in front of the token before number `cut`. Tokens "
        "are counted from 0.",
        "late": "The filler stands one column too late in the mask. Its first column "
        "is number `cut`.",
        "early": "The filler stands one column too early in the mask. Its first column "
        "is number `cut`.",
        "not causal": "Tokens attend to later ones. No column sees a later column.",
        "alone": "A filler column sees real tokens before it, too. (Nobody reads what "
        "it makes of them, so this would do no harm.)",
        "empty": "A filler column sees nothing, so its softmax has no key. Let it see "
        "itself.",
        "strict": "Real tokens do not see themselves.",
        "parts": "Real tokens behind the filler do not see those in front of it. So "
        "the test asks nothing about distances between the parts.",
        "swapped": "Queries and keys are exchanged: rows are queries.",
        "inverted": "True and False are exchanged: True is for a pair that may attend.",
    },
    at_once=2,
)
_EVERY_COLUMN = (
    "There is a position for every column. Only those of the real tokens are asked for."
)


def _read_pair(attempt: Attempt, answer: Any, right: tuple[Any, Any]) -> Any:
    if not isinstance(answer, list) or len(answer) != 2:
        attempt.reject(f"Return positions and a mask, got {attempt.kind}.")
    attempt.kind = ""  # the kind of each is not that of the pair
    given, length, columns = np.shape(answer[0]), len(right[0]), len(right[1])
    if len(given) == 1 and length != given[0] <= columns:
        attempt.reject(
            "The number of positions is not that of the real tokens.",
            f"It gives {given[0]}, should be {length}.",
            (
                _EVERY_COLUMN
                if given[0] == columns
                else f"Columns left for the filler: {columns - given[0]}, should be "
                f"{columns - length}.",
            ),
        )
    axes = "(length + filler, length + filler)"
    return (
        attempt.read_like(answer[0], right[0], "The array of positions"),
        attempt.read_like(answer[1], right[1], "The mask", axes),
    )


def _show_pair(failure: Failure) -> str:
    length, cut, filler = failure.args
    (entry,) = failure.entry
    if entry < length:
        got, right = (pair[0][entry] for pair in (failure.received, failure.right))
        return f"{failure.call}\nposition of token {entry}: {got}, should be {right}"
    query, key = divmod(entry - length, length + filler)
    kinds = [
        "filler" if cut <= column < cut + filler else "real" for column in (query, key)
    ]
    got = failure.received[1][query, key]
    return (
        f"{failure.call}\nquery at column {query} ({kinds[0]}), key at column {key} "
        f"({kinds[1]}): {got}, should be {not got}"
    )


@ask_for_function(
    "Positions: tokens in front of `cut` keep theirs; the others move by `filler`.",
    "Mask: begin with the causal one, key <= query. Then forbid the filler columns, "
    "`cut` to `cut + filler - 1`, as keys.",
    "allowed = (key <= query) & (~hidden[None, :] | (key == query)), with hidden True "
    "at the filler columns.",
    right=_gap_test,
    what="The result",
    problem=lambda failure: (
        "A position is not where it would be in the long text."
        if failure.entry[0] < failure.args[0]
        else "The mask is not that of the gap test."
    ),
    example=_show_pair,
    mistakes=_GAP_MISTAKES,
    held=["positions with a gap", "no more keys than in the short text"],
    read=_read_pair,
    close=lambda a, b: np.concatenate(
        [np.ravel(np.equal(x, y)) for x, y in zip(a, b, strict=True)]
    ),
)
def gap_test(rng: Any) -> Any:
    """Positions and mask of a short text with the distances of a long one."""
    small = [(2, 1, 2), (3, 2, 0), (4, 2, 3), (4, 0, 2)]
    lengths = rng.integers(5, 12, size=4)
    drawn = [
        (length, int(rng.integers(1, length - 1)), int(rng.integers(1, 9)))
        for length in lengths.tolist()
    ]
    return [*small, *drawn, (510, 505, 20), (20, 3, 510)]


def _first_solved(steps: Sequence[int], accuracy: Sequence[float]) -> int:
    first = -1
    for step, share in zip(reversed(steps), reversed(accuracy), strict=True):
        if share < _SOLVED:
            break
        first = step
    return first


def _stays(steps: Sequence[int], accuracy: Sequence[float], above: Any) -> int:
    """Return the place from which on all shares are above, or their number."""
    place = len(steps)
    while place and above(accuracy[place - 1]):
        place -= 1
    return place


def _crossing(steps: Sequence[int], accuracy: Sequence[float]) -> int:
    pairs = zip(steps, accuracy, strict=True)
    return next((step for step, share in pairs if share >= _SOLVED), -1)


def _place(steps: Sequence[int], accuracy: Sequence[float]) -> int:
    place = _stays(steps, accuracy, lambda share: share >= _SOLVED)
    return place if place < len(steps) else -1


def _above(steps: Sequence[int], accuracy: Sequence[float]) -> int:
    place = _stays(steps, accuracy, lambda share: share > _SOLVED)
    return steps[place] if place < len(steps) else -1


def _last_below(steps: Sequence[int], accuracy: Sequence[float]) -> int:
    place = _stays(steps, accuracy, lambda share: share >= _SOLVED)
    return -1 if place == len(steps) else steps[max(place - 1, 0)]


def _below(steps: Sequence[int], accuracy: Sequence[float]) -> int:
    pairs = zip(steps, accuracy, strict=True)
    return max((step for step, share in pairs if share < _SOLVED), default=-1)


def _mean_of_rest(steps: Sequence[int], accuracy: Sequence[float]) -> int:
    means = np.cumsum(accuracy[::-1])[::-1] / np.arange(len(steps), 0, -1)
    pairs = zip(steps, means, strict=True)
    return next((step for step, mean in pairs if mean >= _SOLVED), -1)


def _twice(steps: Sequence[int], accuracy: Sequence[float]) -> int:
    following = [*accuracy[1:], 1.0]
    pairs = zip(steps, accuracy, following, strict=True)
    return next((s for s, a, b in pairs if min(a, b) >= _SOLVED), -1)


_CURVE_MISTAKES: Mistakes = [
    (
        "That is the first step at which the curve comes so high. It may fall again: "
        "it has to stay there to the end.",
        _crossing,
    ),
    ("That is the place in the list. The step is asked for.", _place),
    (
        "A share of exactly 0.95 solves the task, too: at least, not more than.",
        _above,
    ),
    (
        "Only the last value is looked at, and the last step returned.",
        lambda steps, accuracy: steps[-1] if accuracy[-1] >= _SOLVED else -1,
    ),
    (
        "That is the last step before the task is solved, one too early.",
        _last_below,
    ),
    (
        "That is the last step below 0.95. The one after it is asked for, or -1 if "
        "there is none.",
        _below,
    ),
    (
        "That is the last step below 0.95. The one after it is asked for: the first "
        "one, if no share is below.",
        lambda steps, accuracy: (
            -1 if accuracy[-1] < _SOLVED else _below(steps, accuracy)
        ),
    ),
    (
        "The mean of the rest is at least 0.95 there. *All* shares from that step on "
        "have to be.",
        _mean_of_rest,
    ),
    (
        "Two high values in a row are not enough. It has to stay there to the end.",
        _twice,
    ),
    (
        "A curve that ends below 0.95 has not solved the task: return -1.",
        lambda steps, accuracy: (
            steps[-1] if accuracy[-1] < _SOLVED else _first_solved(steps, accuracy)
        ),
    ),
]


@ask_for_function(
    "Where does the curve lie below 0.95 for the last time?",
    "Walk from the end as long as the values are at least 0.95. The last one that you "
    "passed is the answer.",
    "Begin with first = -1. For each pair from the end: if the accuracy is below 0.95, "
    "break; else first = step.",
    right=_first_solved,
    what="The step",
    problem="It is not the step from which on the task stays solved.",
    mistakes=_CURVE_MISTAKES,
    held=["curves that rise and stay", "curves that fall again", "no solution"],
)
def first_solved(rng: Any) -> Any:
    """First step from which on a learning curve stays solved."""
    small = [
        ([100], [0.95]),
        ([100, 200], [0.5, 0.9]),
        ([100, 200, 300], [0.5, 0.96, 0.97]),
        ([250, 500, 750], [0.3, 0.95, 1.0]),
        ([100, 200, 300], [0.96, 0.97, 0.9]),
        ([100, 200, 300, 400, 500], [0.2, 0.97, 0.98, 0.93, 0.96]),
        ([100, 200, 300, 400, 500, 600], [0.2, 0.97, 0.93, 0.95, 0.97, 0.99]),
    ]
    drawn = [
        (
            (every * np.arange(1, 31)).tolist(),
            np.sort(rng.uniform(0.6, 1, size=30)).round(2).tolist(),
        )
        for every in rng.integers(10, 400, size=3).tolist()
    ]
    steps = np.arange(1, 701) * 100
    late = np.where(np.arange(700) < 600, 0.9, 0.99)
    late[3] = 0.96
    return [*small, *drawn, (steps.tolist(), late.tolist())]


_MODELS, _REASONS = "ABCDE", ("distance", "crowd", "both", "more than both")
_WHICH = ["crowd", "distance", "both", "more than both", "crowd"]


def _words(attempt: Attempt, answer: Any, choices: Sequence[Sequence[str]]) -> Any:
    """Read the words of an answer, each of them one of the choices at its place."""
    if not isinstance(answer, list) or len(answer) != len(choices):
        attempt.reject(
            f"The answer is a list of {len(choices)} words, got {attempt.kind}."
        )
    words = [str(value).strip().lower() for value in answer]
    for number, (word, some) in enumerate(zip(words, choices, strict=True), start=1):
        if word not in some:
            listed = ", ".join(f'"{choice}"' for choice in some)
            attempt.reject(f'Entry {number} must be one of {listed}; got "{word}".')
    return np.array(words, dtype=object)


@ask_for_value(
    "Leave the long text alone at first. Which of the two tests leaves less than half "
    "of the number in the first column?",
    "One test does: its name. Both do: both. None does: more than both.",
    "For C, 30 and 25 are both below half of 97. For E half is 48.",
    what="The answer",
    entry="a word",
    line=lambda i, word: f'model {_MODELS[i]}: not "{word}"',
    mistakes=[
        (
            "Distance and crowd are exchanged: the gap has new distances, the crowd "
            "has more keys.",
            ["distance", "crowd", "both", "more than both", "distance"],
        ),
        (
            "The long text harms all five. It has new distances and a crowd at once, "
            "so it cannot tell them apart: look at the two tests.",
            ["both"] * 5,
        ),
    ],
    slips=[
        *(
            (2, word, "Both tests leave C less than half, not only one of them.")
            for word in ("distance", "crowd")
        ),
        (
            2,
            "more than both",
            "Each of the two tests alone takes more than half of C's answers.",
        ),
        (
            3,
            "both",
            "Each of the two tests leaves D more than half of its answers. Only the "
            "long text does not.",
        ),
        (
            4,
            "more than both",
            "The crowd leaves E 12, less than half of 96.",
        ),
        (
            4,
            "both",
            "Half of 96 is 48, and the gap leaves E 49.",
        ),
    ],
    held=["the reason of each model"],
    close=np.equal,
    read=lambda attempt, answer: _words(attempt, answer, [_REASONS] * len(_WHICH)),
)
def which_reason() -> Any:
    """Reasons why five models fail on a long text, from two controls."""
    return np.array(_WHICH, dtype=object)


_TESTS = ("shift", "gap", "crowd", "sharper", "more steps")
_AMOUNTS = ("most", "few")


@ask_for_value(
    "Both explanations expect the same of every text in which the letters that are "
    "asked for stand where they stood in training. So these must move.",
    "The start sign has to move with the letters. Then one explanation finds them, and "
    "the other looks at the old places.",
    "Shift the whole text. A model that counts from the sign finds most letters; one "
    "that has learned absolute places names their neighbors.",
    what="The answer",
    entry="a word",
    line=lambda i, word: (
        f'"{word}" does not decide it'
        if i == 0
        else f'explanation {i} does not expect "{word}"'
    ),
    slips=[
        (
            0,
            "gap",
            "The gap moves the questions alone. The letters that they ask for stay "
            "where they stood in training, so both explanations expect the same.",
        ),
        (
            0,
            "crowd",
            "More keys at old positions leave the letters that are asked for where "
            "they were, so both explanations expect the same. And with sinusoids there "
            "is no such test: tokens that share a position have no order.",
        ),
        (
            0,
            "sharper",
            "A factor on the scores tells dilution from confusion. No letter moves, so "
            "it does not decide whether a model counts from the sign.",
        ),
        (
            0,
            "more steps",
            "More steps give other models, and it is these that are asked about. And "
            "the letters would still stand at trained positions.",
        ),
        (
            1,
            "few",
            "The sign moves with the letters, and no place is new to a letter or a "
            "question. A model that counts from the sign, wherever it stands, does not "
            "notice.",
        ),
        (
            2,
            "most",
            "At each place that is learned by heart another letter stands now.",
        ),
    ],
    held=["the test", "what each explanation expects of it"],
    close=np.equal,
    read=lambda attempt, answer: _words(attempt, answer, (_TESTS, _AMOUNTS, _AMOUNTS)),
)
def missing_control() -> Any:
    """Test that decides whether models count from the start sign."""
    return np.array(["shift", "most", "few"], dtype=object)
