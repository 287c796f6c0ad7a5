"""Results of simple rules on the tasks: without a model, at any length.

They say how much of a fall is the task's own. A rule that sees two letters answers less
of `copy_repeated` the longer the text; of `copy`, where no letter comes twice, it
answers all.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from posenc.core.checks import check_choice

from .tasks import BAR, IGNORED, KINDS, Batch, task_named

#: Texts on which a rule is tried.
_TRIED = 200


@cache
def accuracy(task: str, rule: str, length: int) -> float:
    """Return the share of right answers that a rule gets, by drawing texts.

    Parameters
    ----------
    task : str
        Name of a task.
    rule : str
        Key of `RULES[task]`.
    length : int
        Tokens of each text.

    Raises
    ------
    ValueError
        If the task has no rule of that name.
    """
    known = RULES.get(task, {})
    check_choice("rule", rule, tuple(known))
    batch = task_named(task).draw(np.random.default_rng([length, 1]), _TRIED, length)
    right = known[rule](batch)
    return float(right[batch.scored].mean())


def _after_the_same(letters: int) -> Callable[[Batch], Any]:
    """Find the last few letters in the first half; say what followed most often.

    Where several letters followed as often, one of them is drawn: the share of right
    answers is that of its chance.
    """

    def share(tokens: Any) -> Any:
        half = len(tokens) // 2
        again = tokens.copy()
        again[half] = tokens[0]  # both signs stand in front of the same letters
        followers_of: dict[tuple[int, ...], Counter[int]] = {}
        right = np.zeros(len(tokens))
        for place in range(half):
            context = tuple(again[max(place + 1 - letters, 0) : place + 1])
            if place + 1 < half:
                followers_of.setdefault(context, Counter())[again[place + 1]] += 1
        for place in range(half, len(tokens) - 1):
            context = tuple(again[max(place + 1 - letters, half) : place + 1])
            followers = followers_of[context]
            most = max(followers.values())
            best = [letter for letter, count in followers.items() if count == most]
            right[place] = (again[place + 1] in best) / len(best)
        return right

    return lambda batch: np.array([share(row) for row in batch.tokens])


def _most_frequent(first: int, last: int) -> Callable[[Batch], Any]:
    """Return the rule "most frequent token from `first` to `last` so far".

    It needs neither positions nor keys.
    """

    def share(tokens: Any, targets: Any) -> Any:
        asked = targets != IGNORED
        before = tokens[: asked.argmax()]
        counts = np.bincount(before, minlength=last + 1)[first : last + 1]
        best = np.flatnonzero(counts == counts.max()) + first
        return asked * np.isin(targets, best) / len(best)

    return lambda batch: np.array(
        [share(*row) for row in zip(batch.tokens, batch.targets, strict=True)]
    )


def _paired_off(brackets: int) -> Callable[[Batch], Any]:
    """Return a rule: pair the last few brackets off, and close the last open one.

    Where none of them is, each kind is as likely: the share is then that of a guess.
    """

    def share(tokens: list[int]) -> list[float]:
        still_open: list[int] = []
        right = []
        for place, token in enumerate(tokens):
            if token < KINDS:
                still_open.append(place)
            elif token < 2 * KINDS:
                still_open.pop()
            in_reach = still_open and still_open[-1] > place - brackets
            right.append(1.0 if in_reach else 1 / KINDS)
        return right

    return lambda batch: np.array([share(row) for row in batch.tokens.tolist()])


def _a_bar_ago(*, moved: bool) -> Callable[[Batch], Any]:
    """Return the rule "the note one bar earlier", or the step to it.

    Moved, the step to it is added to the last note, which is always right.
    """

    def right(batch: Batch) -> Any:
        answers = np.roll(batch.tokens, BAR - 1, axis=1)  # the first bar is no question
        if moved:
            answers = answers + batch.tokens - np.roll(batch.tokens, BAR, axis=1)
        return answers == batch.targets

    return right


def _after_two_steps(batch: Batch) -> Any:
    """Take the step that followed the last two steps, when they came the last time.

    It has the tune, but not the place one bar back.
    """

    def right(notes: list[int], targets: list[int]) -> list[bool]:
        steps = [after - before for before, after in pairwise(notes)]
        follower: dict[tuple[int, ...], int] = {}
        right_answers = []
        for place, (note, target) in enumerate(zip(notes, targets, strict=True)):
            if place > 2:
                follower[tuple(steps[place - 3 : place - 1])] = steps[place - 1]
            step = follower.get(tuple(steps[max(place - 2, 0) : place]))
            right_answers.append(step is not None and note + step == target)
        return right_answers

    pairs = zip(batch.tokens.tolist(), batch.targets.tolist(), strict=True)
    return np.array([right(*pair) for pair in pairs])


_COPIES = {f"{n} letter{'s' * (n > 1)}": _after_the_same(n) for n in (1, 2, 3)}
_LETTERS = _most_frequent(0, 15)

#: By task: rules and how they answer: share of right answers at each place of a batch.
RULES: dict[str, dict[str, Callable[[Batch], Any]]] = {
    "copy": _COPIES,
    "copy_repeated": _COPIES,
    "index": {"the most frequent letter": _LETTERS},
    "index_letter": {"the most frequent letter": _LETTERS},
    "motif": {
        "the note one bar back": _a_bar_ago(moved=False),
        "the step after the last two": _after_two_steps,
        "the step one bar back": _a_bar_ago(moved=True),
    },
    "language": {f"{n} bracket{'s' * (n > 1)}": _paired_off(n) for n in (1, 3, 15)},
}
