"""Exercise 7: a syntax tree as labels and edges."""

from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.mistakes import Switches, case
from posenc.kit.exercises.tasks import Failure, ask_for_function

_MISTAKES = {
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
    """Table of labels and table of edges; or with mistakes, named as above."""
    n = len(heads)
    found = np.full((n, n), 0 if "full" in mistakes else -1)
    if "alone" not in mistakes:
        np.fill_diagonal(found, 0)
    head, dependent = (2, 1) if "exchanged" in mistakes else (1, 2)
    for i, h in enumerate(heads.tolist()):
        if h < 0 and "wraps" not in mistakes:
            continue
        if h == 0 and "never_first" in mistakes:
            continue
        found[i, h] = head
        if "one_way" not in mistakes:
            found[h, i] = dependent
    return np.maximum(found, 0), found >= 0


def _read(attempt: Attempt, answer: Any, right: Any) -> Any:
    """Two tables of the right size."""
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


def _same(received: Any, right: Any) -> Any:
    return _one_table(received) == _one_table(right)


def _words(label: int) -> str:
    return "no edge" if label < 0 else f"label {label}"


def _random_tree(rng: Any, n: int) -> list[int]:
    """Heads of a tree: each word but the root depends on one drawn before it."""
    order = rng.permutation(n).tolist()
    heads = [-1] * n
    for place in range(1, n):
        heads[order[place]] = order[int(rng.integers(place))]
    return heads


def _show(failure: Failure) -> str:
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
    read=_read,
    close=_same,
    problem="A pair of words is not right.",
    example=_show,
    mistakes=Switches(_tree, _MISTAKES),
    held=["every edge of the tree, in both directions", "the root"],
    first=lambda rng: case(np.asarray([1, -1, 1])),
)
def graph_labels(rng: Any) -> Any:
    """Labels and edges of a syntax tree, from the head of each word."""
    cases = [[-1], [-1, 0], [1, -1], [1, -1, 1], [2, 2, -1, 2], [1, 2, -1, 5, 5, 2]]
    cases += [_random_tree(rng, int(n)) for n in rng.integers(4, 12, size=5)]
    cases.append(_random_tree(rng, 300))
    return [(np.asarray(heads),) for heads in cases]
