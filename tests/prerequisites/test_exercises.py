"""Questions of the self-test: judged as exercises are, and none of the course's."""

import pytest
from answer_sources import cells, known_mistakes

from posenc.exercises import check, names
from posenc.kit.exercises.registry import chapters, find

NAMES = names("prerequisites")


def test_self_tests_are_on_the_page_and_in_no_course():
    checks = [code for kind, code in cells("prerequisites") if kind == "check"]
    assert [code.split('"')[1] for code in checks] == NAMES
    assert "prerequisites" not in chapters()
    assert not {*NAMES} & {*names()}


@pytest.mark.parametrize("name", NAMES)
def test_the_right_numbers_pass_and_dots_are_no_answer(name):
    result = check(name, find(name).checker.right, record=False)
    assert result.status == "passed"
    assert result.held
    assert check(name, ...).status == "unanswered"


@pytest.mark.parametrize(
    ("name", "told", "mistaken"),
    [(name, *known) for name in NAMES for known in known_mistakes(name)],
)
def test_known_mistakes_are_named(name, told, mistaken):
    result = check(name, mistaken, record=False)
    assert result.status == "failed", result
    assert result.mistakes == (told,), result


def test_three_digits_are_enough():
    assert check("prerequisites.period", [628], record=False)
    assert check("prerequisites.half_turn", [-1, -2, 2.236, 2.236], record=False)
    third = [0.333, 0.333, 0.333, 0]
    assert check("prerequisites.softmax", [[0.25] * 4, third], record=False)
    assert not check("prerequisites.period", [600], record=False)
