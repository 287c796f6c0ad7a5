"""Simple rules: what they get is what counting by hand gives."""

from itertools import pairwise

import numpy as np
import pytest

from posenc.lab.simple_rules import RULES, accuracy
from posenc.lab.tasks import IGNORED, TASKS, Batch, task_named


def by_hand(text, letters):
    """Chance to be right of a rule that finds the last `letters` of a text again."""
    half, chances = len(text) // 2, []
    first = [None, *text[1:half]]
    again = [None, *text[half + 1 :]]
    for place in range(1, half):
        seen = again[max(place - letters, 0) : place]
        after = [
            first[i] for i in range(1, half) if first[max(i - letters, 0) : i] == seen
        ]
        counts = {letter: after.count(letter) for letter in after}
        best = [one for one in counts if counts[one] == max(counts.values())]
        chances.append((again[place] in best) / len(best))
    return chances


@pytest.mark.parametrize("letters", [1, 2, 3])
def test_letters_that_are_found_again(letters):
    batch = task_named("copy_repeated").draw(np.random.default_rng(0), 20, 40)
    name = f"{letters} letter{'s' * (letters > 1)}"
    right = RULES["copy_repeated"][name](batch)
    wanted = [by_hand(text.tolist(), letters) for text in batch.tokens]
    np.testing.assert_allclose(right[batch.scored], np.ravel(wanted))


def test_where_no_letter_comes_twice_one_is_enough():
    assert {accuracy("copy", "1 letter", n) for n in (64, 256, 1024)} == {1.0}
    one, two, three = (accuracy("copy_repeated", f"{n}", 256) for n in RULES["copy"])
    assert one < two < three < 1
    assert accuracy("copy_repeated", "2 letters", 1024) < two


def test_the_most_frequent_value_is_no_secret():
    batch = task_named("recall").draw(np.random.default_rng(1), 3000, 64)
    told = batch.tokens[:, :32]
    right = [
        (np.bincount(row, minlength=16)[8:16].max() / 4)
        for row in (one[(one >= 8) & (one < 16)] for one in told)
    ]
    found = accuracy("recall", "the most frequent value", 64)
    assert found == pytest.approx(np.mean(right), abs=0.03)
    assert accuracy("index", "the most frequent letter", 64) == pytest.approx(
        0.135, abs=0.02
    )


def test_one_bracket_foretells_a_closing_one():
    # It closes what was just opened, and after a closing one the likeliest of three.
    batch = task_named("language").draw(np.random.default_rng(2), 400, 64)
    opened = batch.tokens < 3
    likely = (batch.targets == batch.tokens + 3)[batch.scored & opened].sum()
    rest = (batch.scored & ~opened).sum()
    share = accuracy("language", "1 bracket", 64)
    assert likely / batch.scored.sum() <= share + 0.02
    assert share <= (likely + rest / 2) / batch.scored.sum()
    assert share < accuracy("language", "3 brackets", 64)


def test_a_tune_is_known_by_its_steps():
    rules = RULES["motif"]
    tune, up, down = [0, 4, 4, 2, 5, 0, 7, 1], 7, 3
    notes = [
        15,
        *(n + 5 for n in tune),
        *(n + up for n in tune),
        *(n + down for n in tune),
    ]
    places = np.arange(24)
    known = (places >= 8) & (places % 8 > 0)
    targets = np.where(known, notes[1:], IGNORED)[None]
    batch = Batch(np.array([notes[:-1]]), targets, known[None], 0.0)
    assert known.sum() == 14
    right = {name: rule(batch)[0] for name, rule in rules.items()}
    assert right["the step one bar back"][known].all()
    assert not right["the note one bar back"][known].any()  # no two bars start alike
    wanted = []
    for p in places[known]:
        steps = [b - a for a, b in pairwise(notes[: p + 1])]
        met = [n for n in range(2, len(steps)) if steps[n - 2 : n] == steps[-2:]]
        wanted.append(bool(met) and notes[p] + steps[met[-1]] == notes[p + 1])
    assert right["the step after the last two"][known].tolist() == wanted
    assert sum(wanted) == 2 * 5  # two steps are known from the fourth note on


def test_what_rules_get_of_a_tune():
    shares = {name: accuracy("motif", name, 64) for name in RULES["motif"]}
    assert shares["the step one bar back"] == 1.0
    # A bar starts where the one before it did, one time in eight.
    assert shares["the note one bar back"] == pytest.approx(1 / 8, abs=0.02)
    assert shares["the step after the last two"] == pytest.approx(0.742, abs=0.02)
    longer = accuracy("motif", "the step after the last two", 512)
    assert shares["the step after the last two"] + 0.1 < longer < 1


def test_every_task_with_answers_has_a_rule_and_others_are_named():
    assert RULES.keys() == TASKS.keys() - {"count"}
    with pytest.raises(
        ValueError, match=r"rule must be one of .'1 letter'.*'4 letters'"
    ):
        accuracy("copy", "4 letters", 64)
