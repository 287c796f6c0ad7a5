"""What holds for the exercises of every chapter.

``tests/<slug>/test_exercises.py`` imports `TestExercises`; the chapter is the folder
where that file lies. Answers run in this process: they are ours, and that is many
times as fast. The process of an answer is tested in
``tests/kit/test_exercises.py``.
"""

import functools
import re
from pathlib import Path

import numpy as np
import page_parser
import pytest
import torch
from answer_sources import (
    answers_of,
    as_answer,
    cells,
    known_mistakes,
    right_answers,
    solutions,
)

import posenc
from posenc.exercises import check, hint, names
from posenc.grading.api_block import ApiBlocker, allowed_in
from posenc.kit.exercises.registry import find

#: Made once for all answers that may call the same functions.
block = functools.cache(ApiBlocker)


#: Seconds for an answer that ends: the machine may be busy, and no test is about speed.
PATIENT = 60


def every(slug):
    """Names of a chapter's exercises, those for marks behind those of its page."""
    return names(slug, graded=True)


def judge(name, answer, **options):
    """Check an answer in this process, however long it takes."""
    options = {"record": False, "isolate": False, "time_limit": 3600} | options
    return check(name, answer, **options)


def blocked(name, answer):
    """Return an answer that may call what grading allows it to call."""
    if not callable(answer):
        return answer
    blocker = block(frozenset(allowed_in(find(name))))

    @functools.wraps(answer)
    def call(*args, **options):
        with blocker:
            return answer(*args, **options)

    return call


def tensor(array):
    """Return the array as a tensor, of float32 at most."""
    made = torch.from_numpy(array.copy())
    return made.float() if made.is_floating_point() else made


def dressed(value, dress):
    """Return the value with each array, and each list of numbers, in other clothes."""
    if isinstance(value, list) and {*map(type, value)} in ({int}, {float}):
        value = np.array(value)
    if isinstance(value, tuple | list):
        return type(value)(dressed(part, dress) for part in value)
    full = isinstance(value, np.ndarray) and value.size > 0  # no rows have no width
    return dress(value) if full else value


def spoiled(result, number, done):
    """A result whose last entries are `number`, wherever it holds real numbers.

    Each adds one to the list `done`: a result may hold none.
    """
    if isinstance(result, tuple | list):
        return type(result)(spoiled(part, number, done) for part in result)
    array = np.array(result.tolist() if hasattr(result, "tolist") else result)
    if array.dtype.kind not in "iufc":
        return result
    array = array.astype(np.result_type(array, float))
    array.reshape(-1)[-1:] = number
    done.append(number)
    return array if array.ndim else array.item()


class TestExercises:
    """Answers in ``answers.py`` and known mistakes of one chapter are judged."""

    def pytest_generate_tests(self, metafunc):
        """Make a test for each exercise, each answer and each mistake."""
        slug = Path(metafunc.module.__file__).parent.name
        wanted = metafunc.fixturenames
        if "words" in wanted:
            wrong = answers_of(slug).WRONG.items()
            rows = [(n, answer, words) for n, rs in wrong for answer, *words in rs]
            metafunc.parametrize(("name", "answer", "words"), rows)
        elif "told" in wanted:
            known = [(n, *m) for n in every(slug) for m in known_mistakes(n)]
            ids = [f"{n}-{told[:50]}" for n, told, _ in known]
            metafunc.parametrize(("name", "told", "mistaken"), known, ids=ids)
        elif "right" in wanted:
            right = [(n, a) for n in every(slug) for a in right_answers(n)]
            metafunc.parametrize(("name", "right"), right)
        elif "name" in wanted:
            metafunc.parametrize("name", every(slug))
        else:
            metafunc.parametrize("slug", [slug])

    def test_some_are_for_marks_and_on_no_page(self, slug):
        """Two variants at least; they ask for functions, and are listed on demand."""
        graded = every(slug)[len(names(slug)) :]
        assert len(graded) >= 2
        assert not any(find(name).graded for name in names(slug))
        for name in graded:
            assert find(name).graded
            assert find(name).asks_for == "function"
            assert name not in page_parser.page(slug)

    def test_the_oracle_shares_no_code_with_the_book(self, slug):
        """It stands on Python and NumPy alone."""
        path = Path(posenc.__file__).parent / slug / "exercises" / "oracle.py"
        text = path.read_text("utf-8") if path.exists() else ""
        assert not re.search(r"^\s*(from|import) (posenc|\.)", text, re.MULTILINE)

    @pytest.mark.slow
    def test_right_answers_pass_in_any_style(self, name, right):
        """Whatever the seed is."""
        result = judge(name, as_answer(name, right))
        assert result, result
        assert result.held

    @pytest.mark.parametrize("dress", [np.ndarray.tolist, tensor])
    def test_right_answers_pass_in_any_clothes(self, name, dress):
        """Arrays as lists, and arrays and lists of numbers as tensors of float32."""
        right = solutions(name.partition(".")[0])[name]

        def answer(*args, **options):
            return dressed(right(*args, **options), dress)

        asks_for_value = find(name).asks_for == "value"
        worn = dressed(right, dress) if asks_for_value else answer
        assert judge(name, worn, seed=1)

    @pytest.mark.parametrize(
        "number", [np.nan, pytest.param(np.inf, marks=pytest.mark.slow)]
    )
    def test_what_is_no_number_does_not_pass(self, name, number):
        """Though no comparison with it says that it is wrong."""
        right, done = right_answers(name)[0], []
        if find(name).asks_for == "value":
            answer = spoiled(as_answer(name, right), number, done)
        else:
            function = as_answer(name, right)

            def answer(*args, **options):
                return spoiled(function(*args, **options), number, done)

        with np.errstate(all="ignore"):
            result = judge(name, answer, seed=1)
        assert result.status == ("failed" if done else "passed"), result

    def test_known_mistakes_are_named(self, name, told, mistaken):
        """The function that makes a mistake is an answer that gets its sentence."""
        result = judge(name, as_answer(name, mistaken), seed=1)
        assert result.status == "failed", result
        assert result.mistakes == (told,), result

    def test_wrong_answers_fail_and_are_explained(self, name, answer, words):
        """One seed, so that a failure can be repeated."""
        result = judge(name, as_answer(name, answer), seed=1)
        assert not result
        assert all(word in repr(result) for word in words), result

    def test_hints_come_in_steps(self, name):
        """Three of them, and the last one again."""
        texts = [hint(name, number).text for number in (1, 2, 3)]
        assert len(set(texts)) == 3
        assert "No hint" in repr(hint(name, 4))
        assert "No hint" in repr(hint(name, 0))
        hint(name, 1)
        shown = [hint(name).text for _ in range(3)]
        assert shown == [*texts[1:], texts[2]]

    def test_solutions_of_the_page_pass_and_its_stubs_do_not(self, slug):
        """In one scope, as on the page; they call what the exercise allows alone."""

        def check_blocked(name, answer):
            return judge(name, blocked(name, answer))

        scope = {"np": np, "posenc": posenc, "check": check_blocked, "hint": hint}
        solved = []
        for kind, code in cells(slug):
            *lines, last = code.splitlines()
            if kind == "stub":
                exec(code, scope)
                continue
            exec("\n".join(lines), scope)
            result = eval(last, scope)
            if kind == "solution":
                assert result, result
                solved.append(result.name)
            elif "repair" in result.name:
                assert result.status == "failed"
                assert result.mistakes
            else:
                assert result.status == "unanswered"
        assert list(dict.fromkeys(solved)) == every(slug)
