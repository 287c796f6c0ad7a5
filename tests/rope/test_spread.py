"""Distributions of scores at a distance, for the exercise's claims, by drawing."""

import numpy as np
import pytest

from posenc import rope
from posenc.rope.exercises import turns

DRAWS = 20_000


def normal(rng):
    return rng.normal(size=(DRAWS, 2)) @ (1, 1j)


def even(rng):
    """Angles drawn evenly from the circle, with a length of 0.7."""
    return 0.7 * np.exp(2j * np.pi * rng.random(DRAWS))


def coins(rng):
    return rng.choice([-1, 1], size=(DRAWS, 2)) @ (1, 1j)


def with_itself(turn):
    """Queries of the normal distribution, and keys that are these, turned."""

    def draw(rng):
        q = normal(rng)
        return q, q * np.exp(1j * turn)

    return draw


#: The queries and the keys of one plane, for each statement of the exercise.
DRAWN = {
    "a": lambda rng: (normal(rng), 3 * normal(rng)),
    "b": lambda rng: (1.0, 3 * normal(rng)),
    "c": with_itself(0),
    "d": lambda rng: (1.0, even(rng)),
    "e": lambda rng: (1.0, coins(rng)),
    "f": lambda rng: (1.0, normal(rng) + 1 + 1j),
    "g": with_itself(50),
}


def gap(scores, other):
    """Largest difference between the two distributions (Kolmogorov and Smirnov)."""
    both = np.concatenate([scores, other])
    below = [np.searchsorted(np.sort(x), both, side="right") for x in (scores, other)]
    return np.abs(below[0] - below[1]).max() / DRAWS


@pytest.mark.parametrize("letter", DRAWN)
def test_the_answers_of_the_exercise_are_those_of_draws(letter):
    draw = DRAWN[letter]

    def score(distance, seed):
        q, k = draw(np.random.default_rng(seed))
        return (q * np.conj(k) * np.exp(1j * distance)).real

    at_zero = score(0, 0)
    gaps = [gap(at_zero, score(n, n)) for n in (1, 2, 50, 51)]
    stays = turns._CONTENTS["abcdefg".index(letter)][0]
    assert (max(gaps) < 0.03) == stays


def test_turning_all_planes_keeps_scores_of_independent_vectors():
    rng = np.random.default_rng(0)
    q, k = rng.normal(size=(2, DRAWS, 128))
    at_zero = (q * k).sum(1)
    for distance in (10, 1000):
        turned = q @ rope.rotation_matrix(distance, 128).T
        assert gap(at_zero, (turned * k).sum(1)) < 0.03
        assert gap((q * q).sum(1), (turned * q).sum(1)) > 0.5


def test_uneven_variance_keeps_the_distribution_if_equal_within_planes():
    rng = np.random.default_rng(0)
    spread = np.repeat([1.0, 5.0, 0.2], 2)
    q, k = spread * rng.normal(size=(2, DRAWS, 6))
    uneven = np.asarray([10, 1, 1, 1, 1, 1])  # the two features of plane 0 differ
    for factor, stays in ((1, True), (uneven, False)):
        at_zero = (factor * q * factor * k).sum(1)
        far = factor * q @ rope.rotation_matrix(2, 6, base=4.0).T
        assert (gap(at_zero, (far * factor * k).sum(1)) < 0.03) == stays


def test_the_waves_of_the_exercise_add_up_to_the_score():
    q, k = np.random.default_rng(1).normal(size=(2, 8))
    alpha, beta = turns._waves(q, k)
    for m, n in ((0, 3), (7, 2), (40, 41)):
        turn = rope.rotary_angles(np.array(float(n - m)), 8)
        turned = (rope.rotation_matrix(p, 8) @ x for p, x in ((m, q), (n, k)))
        right = np.dot(*turned)
        assert (alpha * np.cos(turn) + beta * np.sin(turn)).sum() == pytest.approx(
            right
        )
