"""The chapter's sentences on one head, tried with other starts."""

import numpy as np
import pytest

from posenc.core import data
from posenc.training.token_before import (
    Head,
    encodings,
    scores,
    train_head,
    turning_part,
)

OUTSIDE = np.kron(np.eye(8), np.ones((2, 2))) == 0


def shares(p, matrix, trained):
    """Share of the queries 1, 2, … that are right, in training and beyond."""
    right = scores(p, matrix).argmax(axis=1) == np.arange(len(p)) - 1
    return right[1:trained].mean(), right[trained:].mean()


@pytest.mark.parametrize("seed", [0, 1])
def test_only_the_average_of_a_head_extrapolates(seed):
    head = Head(16, 10.0, 16, seed)
    p = encodings(head)
    learned = train_head(p[:16], steps=2000, learning_rate=0.5 * 4, seed=seed)
    average = turning_part(learned)
    assert shares(p, average, 16) == (1, 1)
    assert shares(p, learned - average, 16) == (1, 0)
    inside, beyond = shares(p, learned, 16)
    assert inside == 1
    assert 0 < beyond < 0.5
    outside = np.sum(learned[OUTSIDE] ** 2) / np.sum(learned**2)
    assert 0.34 < outside < 0.38


def test_clocks_that_part_by_a_round_in_training_go_on_at_new_places():
    apart = 0
    for head in data.load_folder("lab_runs")["shift"]["tests"]:
        theta = head["base"] ** (-np.arange(0, head["d_model"], 2) / head["d_model"])
        least = np.abs(np.diff(theta)).min() * (head["trained"] - 1)
        if not head["control"] and least >= 2 * np.pi:
            apart += 1
            assert min(head["near"]) == 1
    assert apart == 5
