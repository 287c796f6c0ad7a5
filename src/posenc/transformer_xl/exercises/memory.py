"""Exercises 5 to 8: garbage of the shift, a layer's memory and its reach."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Mistakes
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function
from posenc.kit.exercises.widget_answers import check_ranges, read_setting

from .oracle import first_reached as reached
from .oracle import shifted, softmax


def _scores(content: Any, position: Any) -> Any:
    return content + np.nan_to_num(shifted(position))


def _zeroed(content: Any, position: Any, diagonal: int) -> Any:
    """Return scores whose position part is 0 beyond the diagonal."""
    return content + np.tril(np.nan_to_num(shifted(position)), diagonal)


def _memory(content: Any) -> int:
    return int(content.shape[1] - content.shape[0])


_MASK_MISTAKES: Mistakes = [
    (
        "The upper triangle is set to 0, as if no key could stand right of the "
        "diagonal. With a memory the valid cells reach further: j <= i + (k_len - "
        "q_len). And a score of 0 hides nothing: exp(0) = 1.",
        lambda c, p: softmax(_zeroed(c, p, 0), diagonal=c.shape[1]),
    ),
    (
        "The upper triangle is hidden as if there were no memory. Valid are the cells "
        "with j <= i + (k_len - q_len).",
        lambda c, p: softmax(_scores(c, p), diagonal=0),
    ),
    (
        "The position part is cut off as if there were no memory, though the mask is "
        "right.",
        lambda c, p: softmax(_zeroed(c, p, 0)),
    ),
    (
        "Garbage is set to 0 and still takes part: exp(0) = 1. The score of a hidden "
        "key is minus infinity.",
        lambda c, p: softmax(_scores(c, p), hidden=0.0),
    ),
    (
        "The position part is 0 beyond the diagonal, but the content of later keys is "
        "still seen: a hidden key must have a score of minus infinity.",
        lambda c, p: softmax(_zeroed(c, p, _memory(c)), diagonal=c.shape[1]),
    ),
    (
        "The mask is one column too wide: the next token is seen.",
        lambda c, p: softmax(c + np.asarray(_with_next(p)), diagonal=_memory(c) + 1),
    ),
]


def _with_next(position: Any) -> Any:
    """Return shifted products, with the garbage that a view shows."""
    q_len, k_len = position.shape
    flat = [*position.ravel(), *([0.0] * k_len)]
    rows = [flat[q_len - 1 + i * (k_len - 1) :][:k_len] for i in range(q_len)]
    return np.asarray(rows)


def _show_weights(failure: Failure) -> str:
    i, j = failure.entry
    got, right = failure.received[i, j], failure.right[i, j]
    return f"{failure.call}\nquery {i}, key {j}: gives {got:.4g}, should be {right:.4g}"


@ask_for_function(
    "Print the shifted matrix for two queries and four keys. Which cells are garbage, "
    "and which does np.tril remove?",
    "np.tril keeps j <= i. Valid are the cells with j <= i + (k_len - q_len). And ask "
    "yourself what weight a score of 0 gets.",
    "Leave the shifted matrix alone. Add it to the content, then set the scores with "
    "j > i + (k_len - q_len) to -np.inf, then take the softmax.",
    right=lambda content, position: softmax(_scores(content, position)),
    what="The weights",
    problem="The weights are not those of the visible keys.",
    mistakes=_MASK_MISTAKES,
    held=["no later key has any weight", "no key of the memory is lost"],
    example=_show_weights,
    close=lambda a, b: np.isclose(a, b, rtol=1e-4, atol=1e-6),
    uses=("transformer_xl.relative_shift",),
)
def repair_mask(rng: Any) -> Any:
    """Repair weights whose author mistrusted the upper triangle of the shift."""
    shapes = [(1, 1), (2, 2), (1, 3), (2, 4), (3, 3), (3, 5), (4, 9)]
    return [rng.normal(size=(2, *shape)) for shape in shapes]


def _rows(memory: Any, hidden: Any, memory_len: int) -> Any:
    rows = [*memory, *hidden]
    last = rows[max(len(rows) - memory_len, 0) :]
    return np.asarray(last).reshape(len(last), hidden.shape[1])


_MEMORY_MISTAKES: Mistakes = [
    (
        "Only the segment is kept. Where the memory is longer than a segment, rows of "
        "the old memory stay in it.",
        lambda m, h, n: h[max(len(h) - n, 0) :],
    ),
    (
        "With memory_len = 0 everything is kept: rows[-0:] is rows[0:], the whole.",
        lambda m, h, n: _rows(m, h, n) if n else np.concatenate([m, h]),
    ),
    (
        "Only the segment is kept, and with memory_len = 0 all of it: rows[-0:] is "
        "rows[0:].",
        lambda m, h, n: h[-n:],
    ),
    (
        "The oldest rows are kept. The memory holds the last ones.",
        lambda m, h, n: np.concatenate([m, h])[:n],
    ),
    (
        "The segment comes before the memory. The older tokens come first.",
        lambda m, h, n: _rows(h, m, n),
    ),
    (
        "The memory grows without end: only memory_len rows are kept.",
        lambda m, h, n: np.concatenate([m, h]),
    ),
]


def _read_memory(attempt: Attempt, answer: Any, right: Any) -> Any:
    rows = np.shape(answer)[0] if np.ndim(answer) == 2 else 0
    return attempt.real_numbers(answer, (rows, 2), "The memory")


def _same_rows(received: Any, right: Any) -> bool:
    return received.shape == np.shape(right) and bool(np.allclose(received, right))


def _show_memory(failure: Failure) -> str:
    memory, hidden, _ = failure.args
    count = len(failure.received)
    return (
        f"{failure.call}\nkeeps {count} row{'s' * (count != 1)}, should keep the last "
        f"{len(failure.right)} of {len(memory)} + {len(hidden)}"
    )


@ask_for_function(
    "Try a memory of 0 rows, of 1 row, and of more rows than the segment has.",
    "In Python -0 is 0. So rows[-0:] is rows[0:]. And which rows are left if the "
    "memory is longer than the segment?",
    "rows = np.concatenate([memory, hidden]); return "
    "rows[max(len(rows) - memory_len, 0):].",
    right=_rows,
    what="The memory",
    problem="Other rows are kept.",
    mistakes=_MEMORY_MISTAKES,
    held=["a memory of no tokens", "a memory longer than a segment"],
    example=_show_memory,
    read=_read_memory,
    close=_same_rows,
)
def repair_memory(rng: Any) -> Any:
    """Repair the memory that a layer hands to the next segment."""
    lengths = [(0, 1, 1), (0, 2, 1), (1, 1, 1), (1, 1, 0), (2, 2, 2), (2, 2, 0)]
    lengths += [(4, 2, 4), (3, 2, 4), (0, 2, 5), (1, 4, 3), (6, 3, 7), (400, 300, 600)]
    return [
        (*(np.round(rng.normal(size=(rows, 2)), 1) for rows in (old, new)), memory_len)
        for old, new, memory_len in lengths
    ]


def _start(p: int, segment_len: int) -> int:
    return p - p % segment_len


_REACH_MISTAKES: Mistakes = [
    (
        "With several layers, that is right only where memory_len is a multiple of "
        "segment_len. A state of the memory looks back from the beginning of *its own* "
        "segment.",
        lambda p, s, m, n: max(_start(p, s) - n * m, 0),
    ),
    (
        "That is the reach for memories as long as a segment. Here a memory has "
        "memory_len tokens.",
        lambda p, s, m, n: max(_start(p, s) - n * s, 0),
    ),
    (
        "With several layers, that is right only for memories of 1 to segment_len "
        "tokens. A longer one leads back by several segments per layer, and one of 0 "
        "tokens by none.",
        lambda p, s, m, n: max(_start(p, s) - m - (n - 1) * s, 0),
    ),
    (
        "The text begins at token 0: nothing before it can be reached.",
        lambda p, s, m, n: _unclamped(p, s, m, n),
    ),
    (
        "It is counted from the token itself. A query sees its memory and its segment, "
        "and the memory ends where the segment begins.",
        lambda p, s, m, n: max(p - n * m, 0),
    ),
    (
        "It is counted from the token itself, and too far back.",
        lambda p, s, m, n: max(p - n * (m + s), 0),
    ),
    (
        "A whole segment too far: the query's own segment is not a memory.",
        lambda p, s, m, n: max(_start(p, s) - n * (m + s), 0),
    ),
    (
        "One layer alone is counted.",
        lambda p, s, m, n: reached(p, s, m, 1),
    ),
    (
        "One layer too many is counted.",
        lambda p, s, m, n: reached(p, s, m, n + 1),
    ),
    (
        "Whole segments are counted: the last step goes back by memory_len alone.",
        lambda p, s, m, n: max(_start(p, s) - n * s * -(-m // s), 0),
    ),
]


def _unclamped(p: int, segment_len: int, memory_len: int, num_layers: int) -> int:
    for _ in range(num_layers):
        p = _start(p, segment_len) - memory_len
    return p


@ask_for_function(
    "One layer: from position p to the beginning of its segment, then back by "
    "memory_len. What does the next layer do with the token you arrive at?",
    "That token belongs to a segment of its own. Its state was computed when that "
    "segment was the current one, with a memory before it.",
    "for each layer: p = p - p % segment_len - memory_len, but at least 0.",
    right=reached,
    what="The result",
    problem="The reach begins elsewhere.",
    mistakes=_REACH_MISTAKES,
    held=["one layer and several", "memories of any length, none included"],
)
def first_reached(rng: Any) -> Any:
    """First token of the text that an output can know about."""
    cases = [(p, s, m, n) for p in (0, 5, 11) for s in (1, 3, 4) for m in (0, 1, 4)
             for n in (1, 2, 3)]  # fmt: skip
    cases += [
        (23, 4, 4, 3),
        (40, 5, 7, 4),
        (99, 10, 3, 5),
        (700, 3, 1, 4),
        (1300, 520, 510, 2),
    ]
    for p, s, m, n in rng.integers((0, 1, 0, 1), (90, 9, 20, 6), size=(20, 4)):
        cases.append((int(p), int(s), int(m), int(n)))
    return sorted(set(cases), key=sum)


_RANGES = {"segment_len": (1, 8), "memory_len": (0, 12), "num_layers": (1, 5)}


@exercise(
    "First setting: with one layer the reach is the segment and one memory. Put the "
    "query at 23 and move the memory.",
    "Second setting: a memory of one token leads to the end of the segment before, and "
    "that state has seen its whole segment, and one token more.",
    "Try segments of 5 and memories of 1 and 2, and count the layers.",
    asks_for="value",
)
def find_settings(attempt: Attempt, rng: Any) -> None:
    """Two settings with a given reach, found with the widget."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 2:
        attempt.reject(f"The answer is a list of two settings, got {attempt.kind}.")
    first = _read_setting(attempt, "first", answer[0])
    if first["num_layers"] != 1:
        attempt.reject("The first setting must have one layer.")
    start = reached(23, **first)
    if start != 9:
        attempt.reject(
            "The first setting must reach token 9 and none before.",
            _missed("first", start, 9),
        )
    attempt.held.append("one layer that reaches from token 23 to token 9")
    second = _read_setting(attempt, "second", answer[1])
    if not 0 < second["memory_len"] < 3:
        attempt.reject("The memory of the second setting must hold 1 or 2 tokens.")
    start = reached(23, **second)
    if start != 8:
        attempt.reject(
            "The second setting must reach token 8 and none before.",
            _missed("second", start, 8),
        )
    attempt.held.append("a memory of one or two tokens that reaches token 8")


def _missed(which: str, start: int, goal: int) -> str:
    tokens = f"{abs(start - goal)} token{'s' if abs(start - goal) > 1 else ''}"
    return (
        f"Your {which} setting reaches token {start} from token 23: {tokens} too "
        f"{'few' if start > goal else 'many'}"
    )


def _read_setting(attempt: Attempt, which: str, value: Any) -> dict[str, int]:
    what = f"The {which} setting"
    setting = read_setting(attempt, what, value, _RANGES)
    check_ranges(attempt, what, setting, _RANGES)
    return setting
