"""What late work costs."""

import pytest

from posenc.classroom.late import late_penalty

HOUR, DAY = 3600, 86400


@pytest.mark.parametrize(
    ("seconds", "rule", "points"),
    [
        (10 * DAY, {}, 0),
        (1, {"points_per_day": 2}, 2),  # a day that has begun
        (DAY + 1, {"points_per_day": 2}, 4),
        (6 * HOUR, {"points_per_day": 2, "grace_hours": 6}, 0),
        (25 * HOUR, {"points_per_day": 2, "grace_hours": 6}, 4),  # since it was due
        (9 * DAY, {"points_per_day": 0.5}, 4.5),
    ],
)
def test_penalty(seconds, rule, points):
    assert late_penalty(seconds, rule) == points


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"per_day": 1}, "keys of points_per_day, grace_hours, at_most, got 'per_day'"),
        ({"points_per_day": -1}, "points_per_day must be a number .* 0, got -1"),
        ({"at_most": "5"}, "at_most must be a number of at least 0, got '5'"),
    ],
)
def test_a_rule_that_says_nothing_sensible_is_an_error(rule, words):
    with pytest.raises(ValueError, match=words):
        late_penalty(0, rule)
