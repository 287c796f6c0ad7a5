"""The judge of exercises that are stated as data, on a small task of its own."""

import functools
from dataclasses import replace

import numpy as np
import pytest

from posenc.kit.exercises.attempt import Attempt, UnansweredError, WrongError
from posenc.kit.exercises.executor import LocalExecutor
from posenc.kit.exercises.mistakes import Case, Switches, case, name_mistake, one_of
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


def test_a_mistake_of_another_shape_is_named_if_it_gives_all_results():
    task = FunctionTask(
        **{**TASK, "mistakes": [("Turned.", lambda *args, **o: ramp(*args, **o).T)]},
        axes="(slopes, length)",
        first=lambda rng: case(np.ones(2), 3),
    )
    _, wrong = judged(lambda *args, **o: ramp(*args, **o).T, task)
    assert wrong.problem == (
        "The ramp must have shape (slopes, length) = (2, 3), got shape (3, 2)."
    )
    assert wrong.mistakes == ("Turned.",)
    for also in (9.0, lambda *args: 1 + (args[1] > 3)):  # the last cases alone

        def answer(*args, also=also, **o):
            factor = also(*args) if callable(also) else also
            return factor * ramp(*args, **o).T

        assert judged(answer, task)[1].mistakes == ()
    _, wrong = judged(lambda *args, **o: ramp(*args, **o)[0], task)
    assert wrong.mistakes == ()


@pytest.mark.parametrize(
    ("right", "answer", "told"),
    [
        (lambda n: n, lambda n: n + 0.5, "must be whole numbers, got a float"),
        (lambda n: n > 1, lambda n: 1, "must be True or False, got an int"),
        (lambda n: n + 0.5, lambda n: 1j, "must be real numbers, got a complex"),
        (lambda n: n * 1j, lambda n: "i", "must be real or complex numbers, got a str"),
    ],
)
def test_the_right_result_says_which_numbers_are_asked_for(right, answer, told):
    task = FunctionTask(lambda rng: [(2,)], right, "The result")
    assert told in judged(answer, task)[1].problem
    assert judged(right, task)[1] is None


def test_whole_numbers_are_compared_exactly():
    task = FunctionTask(lambda rng: [(10**9,)], lambda n: n, "The result", "Not it.")
    assert judged(lambda n: n + 1, task)[1].problem == "Not it."


def in_parts(rng):
    return {"short ones": ramps(rng)[:2], "long ones": ramps(rng)[2:]}


def test_parts_that_hold_are_reported_and_the_one_that_fails_is_named():
    fields = {**TASK, "cases": in_parts, "held": []}
    del fields["problem"]

    def answer(slopes, length, *, start=0):
        return ramp(slopes, length)

    attempt, wrong = judged(answer, FunctionTask(**fields))
    assert wrong.problem == "Not so: long ones."
    assert attempt.held == ["short ones"]
    attempt, wrong = judged(ramp, FunctionTask(**fields))
    assert attempt.held == ["short ones", "long ones"]


def test_stepwise_a_part_is_judged_before_the_next_one_is_asked():
    def answer(slopes, length, *, start=0):
        assert length < 5
        return -ramp(slopes, length)

    fields = {**TASK, "cases": in_parts}
    _, wrong = judged(answer, FunctionTask(**fields, stepwise=True))
    assert wrong.mistakes == ("The sign is wrong.",)
    _, wrong = judged(answer, FunctionTask(**fields))
    assert "AssertionError" in wrong.problem


def test_properties_are_reported_of_wrong_results_too():
    properties = [
        ("rows as many as slopes", lambda out, slopes, length, start=0: len(out) > 0),
        ("starts at 0", lambda out, slopes, length, start=0: out[0, 0] == 0),
    ]
    task = FunctionTask(**TASK, properties=properties)
    attempt, wrong = judged(with_mistakes("double"), task)
    assert wrong
    assert attempt.held == ["rows as many as slopes"]  # start=2 begins elsewhere


def test_task_unexplained_result_may_get_a_guess():
    task = FunctionTask(**TASK, otherwise=lambda seen: (f"{len(seen)} seen.",))
    assert judged(with_mistakes("sign"), task)[1].mistakes == ("The sign is wrong.",)
    (told,) = judged(lambda *args, **o: ramp(*args, **o) ** 2 + 7, task)[1].mistakes
    assert told.endswith(" seen.")


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


def test_notes_of_a_case_and_what_comes_after_all_cases():
    def then(attempt, rng):
        attempt.reject("Too slow.")

    noted = Case((2,), note="two")
    task = FunctionTask(lambda rng: [noted], lambda n: n, "It", "Wrong for {note}.")
    assert judged(lambda n: 1, task)[1].problem == "Wrong for two."
    task = FunctionTask(lambda rng: [noted], lambda n: n, "It", held=["h"], then=then)
    attempt, wrong = judged(lambda n: n, task)
    assert (attempt.held, wrong.problem) == (["h"], "Too slow.")


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


def test_words_are_read_as_the_task_says():
    task = ValueTask(
        np.array(["a", 1], dtype=object),
        what="The list",
        entry="a word or a number",
        line=lambda i, value: f"{i} is not {value!r}",
        close=np.equal,
        mistakes=[("Turned.", lambda: (1, "a"))],
        slips=[(0, "A", "Capital.")],
        read=lambda attempt, answer: np.array(answer, dtype=object),
    )
    assert judged(lambda: ["a", 1], task)[1] is None
    assert judged(lambda: [1, "a"], task)[1].mistakes == ("Turned.",)
    assert judged(lambda: [1, 1], task)[1].mistakes == ("Turned. (In 1 of 2 entries.)",)
    _, wrong = judged(lambda: ["A", 1], task)
    assert (wrong.example, wrong.mistakes) == ("0 is not 'A'", ("Capital.",))


def test_task_dots_are_reported_as_unanswered():
    with pytest.raises(UnansweredError):
        judged(lambda: [[..., ...], [..., ...]], VALUES)
    _, wrong = judged(lambda: [[0.5, ...], [2, -3]], VALUES)
    assert wrong.problem == "Some entries are still dots: replace each with a number."


def test_several_mistakes_are_one_entry_of_a_list():
    known = [(("A.", "B."), lambda n: n + 2), ("C.", lambda n: n + 3)]
    assert name_mistake([((1,), 3), (case(n=2), 4)], known) == ("A.", "B.")
    assert name_mistake([((1,), 4)], known) == ("C.",)
    assert name_mistake([((1,), 9)], known) == ()
    assert one_of(("C.",)) == ("C.",)
