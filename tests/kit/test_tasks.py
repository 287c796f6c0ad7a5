"""The judge of exercises that are stated as data, on a small task of its own."""

import functools
from dataclasses import replace

import numpy as np
import pytest

from posenc.kit.exercises.attempt import Attempt, UnansweredError, WrongError
from posenc.kit.exercises.executor import LocalExecutor
from posenc.kit.exercises.mistakes import Case, Switches, case, name_mistake
from posenc.kit.exercises.tasks import FunctionTask, ValueTask

SENTENCES = {"sign": "The sign is wrong.", "double": "It is doubled.", "one": "Plus 1."}


def ramp(slopes, length, *, start=0, mistakes=()):
    """Slope times position, for each slope."""
    out = np.multiply.outer(slopes, np.arange(start, start + length, dtype=float))
    out = -out if "sign" in mistakes else out
    out = 2 * out if "double" in mistakes else out
    return out + 1 if "one" in mistakes else out


def ramps(rng):
    """Cases from small to large, the last ones random."""
    return [
        case(np.asarray([1.0]), 1),
        case(np.asarray([1.0, 3.0]), 3),
        case(rng.normal(size=2), 5, start=2),
    ]


TASK = {
    "cases": ramps,
    "right": ramp,
    "what": "The ramp",
    "problem": "Another ramp.",
    "mistakes": Switches(ramp, SENTENCES, at_once=2),
    "held": ["every ramp"],
}


def judged(answer, task):
    """Attempt and what was found wrong, or None."""
    attempt = Attempt(LocalExecutor(answer, 60.0), "ramp")
    try:
        task(attempt, np.random.default_rng(0))
    except WrongError as wrong:
        return attempt, wrong
    return attempt, None


def with_mistakes(*names):
    return functools.partial(ramp, mistakes=names)


def test_the_first_case_and_the_first_entry_that_are_wrong_are_the_example():
    def answer(slopes, length, *, start=0):
        out = ramp(slopes, length, start=start)
        out[-1, length // 2 :] += length > 1
        return out

    attempt, wrong = judged(answer, FunctionTask(**TASK))
    assert wrong.problem == "Another ramp."
    assert wrong.example == "ramp(np.array([1., 3.]), 3)[1, 1]\ngives 4, should be 3"
    assert wrong.mistakes == ()
    assert attempt.held == []
    _, wrong = judged(answer, FunctionTask(**TASK, shown=["slopes"]))
    assert wrong.example.startswith("ramp(slopes, 3)[1, 1]\n")


def test_mistakes_are_named_alone_before_together():
    for names in (["sign"], ["double"], ["one"], ["sign", "one"], ["sign", "double"]):
        _, wrong = judged(with_mistakes(*names), FunctionTask(**TASK))
        assert wrong.mistakes == tuple(SENTENCES[name] for name in names)
    _, wrong = judged(with_mistakes("sign", "double", "one"), FunctionTask(**TASK))
    assert wrong.mistakes == ()
    _, wrong = judged(with_mistakes("sign", "one"), FunctionTask(**TASK, one_of=True))
    assert wrong.mistakes == ("2 mistakes at once. One of them: The sign is wrong.",)


def test_one_mistake_is_told_before_two_that_look_like_it():
    adds = {"1": 1, "2": 2, "3": 3}
    switches = Switches(lambda n, mistakes: n + sum(adds[m] for m in mistakes), adds)
    assert name_mistake([((5,), 8)], switches) == (3,)
    assert name_mistake([((5,), 9)], switches) == (1, 3)


def in_parts(rng):
    return {"short ones": ramps(rng)[:2], "long ones": ramps(rng)[2:]}


def test_stepwise_a_part_is_judged_before_the_next_one_is_asked():
    def answer(slopes, length, *, start=0):
        assert length < 5
        return -ramp(slopes, length)

    fields = {**TASK, "cases": in_parts}
    _, wrong = judged(answer, FunctionTask(**fields, stepwise=True))
    assert wrong.mistakes == ("The sign is wrong.",)
    _, wrong = judged(answer, FunctionTask(**fields))
    assert "AssertionError" in wrong.problem


@pytest.mark.parametrize("fails", [lambda n: None, lambda n: n + None])
def test_task_names_the_special_case_that_fails(fails):
    cases = [Case((1,)), Case((2,), trap="Two is special.")]
    task = FunctionTask(lambda rng: cases, lambda n: n, "It")
    _, wrong = judged(lambda n: n if n == 1 else fails(n), task)
    assert wrong.mistakes == ("Two is special.",)
    assert wrong.problem.startswith(("It returns None here.", "It raises TypeError"))
    _, wrong = judged(lambda n: n + 1, task)
    assert wrong.mistakes == ()
    changed = [Case(([2],), trap="Two is special.")]
    _, wrong = judged(lambda n: n.pop(), FunctionTask(lambda rng: changed, max, "It"))
    assert "changes its input" in wrong.problem
    assert wrong.mistakes == ()
    cases.reverse()
    _, wrong = judged(lambda n: n if n == 2 else fails(n), task)
    assert wrong.mistakes == ()


VALUES = ValueTask(
    [[0.5, 1.0], [2.0, -3.0]],
    what="The table",
    entry="a number",
    line=lambda i, number: f"{i} is not {number:g}",
    mistakes=[("Negative.", [[-0.5, -1], [-2, 3]]), ("Ones.", lambda: np.ones((2, 2)))],
    held=["the table"],
    order=lambda i: -i[1],
)


def test_a_value_is_read_and_its_wrong_entries_are_listed():
    assert judged(lambda: [[0.5, 1], (2, -3)], VALUES)[0].held == ["the table"]
    _, wrong = judged(lambda: [[0, 1], [2, 3]], VALUES)
    assert wrong.problem == "2 of 4 are not right."
    assert wrong.example == "(1, 1) is not 3\n(0, 0) is not 0"
    assert judged(lambda: [[0, 1], [2, -3]], VALUES)[1].problem.startswith("1 of 4 is")
    assert judged(lambda: [[-0.5, -1], [-2, 3]], VALUES)[1].mistakes == ("Negative.",)
    assert judged(lambda: [[1, 1], [1, 1]], VALUES)[1].mistakes == ("Ones.",)


def test_task_names_mistake_of_some_entries():
    slip = replace(VALUES, slips=[((0, 1), 7.0, "Seven."), ((1, 0), 7.0, "Lucky.")])
    assert judged(lambda: [[9, 7], [2, -3]], slip)[1].mistakes == ("Seven.",)
    _, wrong = judged(lambda: [[0.5, 7], [7, -3]], slip)
    assert wrong.mistakes == ("Seven.", "Lucky.")
    assert judged(lambda: [[9, 1], [2, -3]], slip)[1].mistakes == ()
    assert [*slip.all_mistakes()][2:] == [
        ("Seven.", [[0.5, 7.0], [2.0, -3.0]]),
        ("Lucky.", [[0.5, 1.0], [7.0, -3.0]]),
    ]
    _, wrong = judged(lambda: [[-0.5, 1], [2, 3]], VALUES)
    assert wrong.mistakes == ("Negative. (In 2 of 4 entries.)",)
    doubtful = replace(VALUES, mistakes=[*VALUES.mistakes, ("Odd.", [[-0.5] * 2] * 2)])
    assert judged(lambda: [[-0.5, 1], [2, -3]], doubtful)[1].mistakes == ()
    pairs = replace(VALUES, mistakes=[(("A.", "B."), [[4.0] * 2] * 2)])
    assert judged(lambda: [[4, 1], [2, -3]], pairs)[1].mistakes == ()


def test_task_dots_are_reported_as_unanswered():
    with pytest.raises(UnansweredError):
        judged(lambda: [[..., ...], [..., ...]], VALUES)
    _, wrong = judged(lambda: [[0.5, ...], [2, -3]], VALUES)
    assert wrong.problem == "Some entries are still dots: replace each with a number."
