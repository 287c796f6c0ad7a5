"""Simple rules: what they get is what a second computation gives."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from posenc.training.simple_rules import RULES, accuracy
from posenc.training.tasks import IGNORED, Batch, task_named


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


def test_most_frequent_letter_gets_the_share_counted_by_hand():
    batch = task_named("index").draw(np.random.default_rng(1), 3000, 64)
    right = []
    for tokens, targets in zip(batch.tokens, batch.targets, strict=True):
        counted = np.bincount(tokens[1:48], minlength=16)
        best = np.flatnonzero(counted == counted.max())
        right.append(np.isin(targets[-16:], best).mean() / len(best))
    found = accuracy("index", "the most frequent letter", 64)
    assert found == pytest.approx(np.mean(right), abs=0.02)
    assert found == pytest.approx(0.135, abs=0.02)


@pytest.mark.parametrize("brackets", [1, 3])
def test_rule_for_brackets_gets_what_counting_the_followers_gets(brackets):
    # A second way: learn by counting which closing bracket follows most often.
    learned, tried = (
        task_named("language").draw(np.random.default_rng(seed), 1500, 64)
        for seed in (3, 4)
    )
    counts = {}
    for tokens, target in closings(learned, brackets):
        counts.setdefault(tokens, Counter())[target] += 1
    said = {key: count.most_common(1)[0][0] for key, count in counts.items()}
    right = [said[key] == target for key, target in closings(tried, brackets)]
    name = f"{brackets} bracket{'s' * (brackets > 1)}"
    share = RULES["language"][name](tried)[tried.scored].mean()
    assert share == pytest.approx(np.mean(right), abs=0.006)


def closings(batch, brackets):
    """Last few tokens in front of every closing bracket, and that bracket."""
    for tokens, targets in zip(
        batch.tokens.tolist(), batch.targets.tolist(), strict=True
    ):
        for place, target in enumerate(targets):
            if target >= 3:
                yield tuple(tokens[max(place + 1 - brackets, 0) : place + 1]), target


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
