"""Exercises 6 to 8: attention to repair, the labels of a tree, settings to find."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Case, Switches, case
from posenc.kit.exercises.registry import exercise
from posenc.kit.exercises.tasks import Failure, ask_for_function
from posenc.kit.exercises.widget_answers import check_ranges, read_setting

from . import oracle

_NAMES = ("q", "k", "v", "key_table", "value_table")
#: The first of several mistakes is named. The small cases come first, so this order
#: begins with mistakes that show there: with one row, with one token, with two tokens.
_ATTENTION_SWITCHES = {
    name: oracle.MISTAKES[name]
    for name in (
        *("one_table", "unshifted", "swapped", "no_values"),
        *("no_keys", "half_scaled", "unscaled", "narrow"),
    )
}


def _draw_arguments(rng: Any, length: int, d: int, k: int) -> tuple[Any, ...]:
    shapes = [(length, d)] * 3 + [(2 * k + 1, d)] * 2
    return tuple(rng.normal(size=shape) for shape in shapes)


def _show_output(failure: Failure) -> str:
    i = failure.entry[0]
    return (
        f"{failure.call}, with q of shape {failure.args[0].shape} and tables of shape "
        f"{failure.args[3].shape}\n"
        f"query {i}: gives {np.round(failure.received[i], 3)}, should be "
        f"{np.round(failure.right[i], 3)}"
    )


@ask_for_function(
    "Three lines are wrong. Give it a key table that is zero but for the row of the "
    "token itself: which scores change? Then one with the next token's row alone.",
    "Print the index for three tokens and k = 1. Which numbers must not be in it? In "
    "which direction does it grow?",
    "j - i, not i - j; add k after clipping; and the values need value_table.",
    right=oracle.attend,
    what="The output",
    problem="An output is not that of the formulas.",
    example=_show_output,
    shown=_NAMES,
    mistakes=Switches(oracle.attend, _ATTENTION_SWITCHES),
    one_of=True,
    held=["the vectors of the keys", "the vectors of the values"],
    first=lambda rng: Case(_draw_arguments(rng, 2, 2, 1)),
)
def repair_attention(rng: Any) -> Any:
    """Find and repair the three mistakes of an attention with relative vectors."""
    shapes = [(1, 1, 0), (1, 2, 1), (2, 2, 1), (3, 4, 1), (6, 4, 2)]
    return [_draw_arguments(rng, *shape) for shape in shapes]


_TREE_MISTAKES = {
    "exchanged": "The labels are exchanged. A label says what the *key* is to the "
    "*query*: 1 if the key is the query's head.",
    "wraps": "The root has an edge too many: its head is -1, and index -1 quietly "
    "means the last word.",
    "never_first": "Word 0 can be a head, too: only -1 marks the root.",
    "alone": "A word has no edge to itself here. Every word attends to itself, label "
    "0.",
    "one_way": "There are only edges to heads. Each edge has one that leads back, "
    "label 2.",
    "full": "There is an edge between every two words. Only a word, its head and its "
    "dependents are joined.",
}


def _tree(heads: Any, *, mistakes: tuple[str, ...] = ()) -> Any:
    """Return the tables of labels and of edges; or with mistakes, named as above."""
    n = len(heads)
    labels = np.full((n, n), 0 if "full" in mistakes else -1)
    if "alone" not in mistakes:
        np.fill_diagonal(labels, 0)
    head, dependent = (2, 1) if "exchanged" in mistakes else (1, 2)
    for i, h in enumerate(heads.tolist()):
        if h < 0 and "wraps" not in mistakes:
            continue
        if h == 0 and "never_first" in mistakes:
            continue
        labels[i, h] = head
        if "one_way" not in mistakes:
            labels[h, i] = dependent
    return np.maximum(labels, 0), labels >= 0


def _read_tables(attempt: Attempt, answer: Any, right: Any) -> Any:
    """Return the answer's two tables; reject others than of the right size."""
    if not isinstance(answer, list | np.ndarray) or len(answer) != 2:
        attempt.reject(f"Return two tables, labels and edges; got {attempt.kind}.")
    n, (labels, edges) = len(right[0]), answer
    labels = attempt.whole_numbers(labels, (n, n), "The table of labels")
    edges = np.asarray(edges)
    if edges.shape != (n, n) or edges.dtype != bool:
        attempt.reject(
            f"The table of edges must hold True and False and have shape {(n, n)}, got "
            f"{edges.dtype} of shape {edges.shape}."
        )
    return labels, edges


def _one_table(tables: Any) -> Any:
    labels, edges = tables
    return np.where(edges, labels, -1)


def _same_tables(received: Any, right: Any) -> Any:
    return _one_table(received) == _one_table(right)


def _words(label: int) -> str:
    return "no edge" if label < 0 else f"label {label}"


def _random_tree(rng: Any, n: int) -> list[int]:
    """Draw a tree's heads: each word but the root depends on an earlier one."""
    order = rng.permutation(n).tolist()
    heads = [-1] * n
    for place in range(1, n):
        heads[order[place]] = order[int(rng.integers(place))]
    return heads


def _show_edge(failure: Failure) -> str:
    i, j = failure.entry
    got, want = (_one_table(x)[i, j] for x in (failure.received, failure.right))
    return (
        f"{failure.call}\nquery {i}, key {j}: gives {_words(got)}, should be "
        f"{_words(want)}"
    )


@ask_for_function(
    "Begin with a table of zeros for the labels, and one of False for the edges. Then "
    "go through the words one by one.",
    "For word i with head h: labels[i, h] = 1, for the head is the key there; and "
    "labels[h, i] = 2. Both are edges.",
    "Leave out the root, whose head is -1: labels[i, -1] would write into the last "
    "column. And every word has an edge to itself.",
    right=_tree,
    what="The tables",
    read=_read_tables,
    close=_same_tables,
    problem="A pair of words is not right.",
    example=_show_edge,
    mistakes=Switches(_tree, _TREE_MISTAKES),
    held=["every edge of the tree, in both directions", "the root"],
    first=lambda rng: case(np.asarray([1, -1, 1])),
)
def graph_labels(rng: Any) -> Any:
    """Labels and edges of a syntax tree, from the head of each word."""
    cases = [[-1], [-1, 0], [1, -1], [1, -1, 1], [2, 2, -1, 2], [1, 2, -1, 5, 5, 2]]
    cases += [_random_tree(rng, int(n)) for n in rng.integers(4, 12, size=5)]
    cases.append(_random_tree(rng, 300))
    return [(np.asarray(heads),) for heads in cases]


_RANGES = {"length": (1, 100), "max_distance": (0, 100)}


@exercise(
    "First part: read the note with the circle, and make k larger than the sentence "
    "needs. Second part: set the query to 4, and watch the last note.",
    "First part: a sentence of L words has 2L - 1 relative positions, and the table "
    "has 2k + 1 rows. Second part: k decides about the left side alone.",
    "First part: any k = length. Second part: keys 0, 1 and 2 must share the leftmost "
    "vector, so k = 2; then count the keys from 6 on.",
    asks_for="value",
)
def find_settings(attempt: Attempt, rng: Any) -> None:
    """Two settings with a given property, found with the widget."""
    answer = attempt.ask_for_list()
    if not isinstance(answer, list) or len(answer) != 2:
        attempt.reject(f"The answer is a list of two settings, got {attempt.kind}.")
    length, k = _read_setting(attempt, "first", answer[0])
    used = {int(x) for x in oracle.index(length, length, k).ravel()}
    unused = 2 * k + 1 - len(used)
    if unused != 2:
        attempt.reject(
            "Exactly two vectors must be unused.",
            f"Your first setting has {2 * k + 1} vectors and leaves {unused} unused.",
            ("k is the largest distance in the sentence: all vectors are used then.",)
            if k == length - 1
            else (),
        )
    attempt.held.append("exactly two vectors are never used")
    length, k = _read_setting(attempt, "second", answer[1])
    if length <= 4:
        attempt.reject("Your second setting has no query 4: it needs more words.")
    rows = oracle.index(length, length, k)[4].tolist()
    left, right = rows.count(0), rows.count(2 * k)
    if (left, right) != (3, 5):
        attempt.reject(
            "Query 4 must use the leftmost vector for three keys and the rightmost for "
            "five.",
            f"Your second setting: leftmost for {left}, rightmost for {right}.",
            _setting_mistakes(left, right),
        )
    attempt.held.append("query 4 shares vectors as asked")


def _setting_mistakes(left: int, right: int) -> tuple[str, ...]:
    if (left, right) == (5, 3):
        return ("Left and right are exchanged: left are the keys before the query.",)
    if left == 2:
        return ("k is one too large: the key at distance k itself shares the vector.",)
    if left == 4:
        return ("k is one too small: the keys nearer than k have their own vectors.",)
    return ()


def _read_setting(attempt: Attempt, which: str, value: Any) -> tuple[int, int]:
    what = f"The {which} setting"
    setting = read_setting(attempt, what, value, _RANGES)
    check_ranges(attempt, what, setting, _RANGES)
    return setting["length"], setting["max_distance"]
