"""The widget of the comparison on the side of Python."""

import json
import re

import numpy as np
import pytest

from posenc import sinusoidal
from posenc.compare.figures import TITLES
from posenc.compare.widgets import MethodMatrices, ShiftedSentence
from posenc.core.running_example import W_K, W_Q, X


def test_methods_are_put_in_the_books_order_once():
    assert MethodMatrices(methods=["rope", "t5", "rope"]).methods == ["t5", "rope"]


def test_buttons_choose_by_the_comparison():
    groups = MethodMatrices().groups
    assert groups["all methods"] == list(TITLES)
    assert groups["numbers added"] == ["t5", "swin", "alibi"]
    assert groups["relative ones"] == [
        "shaw", "music_transformer", "transformer_xl", "t5", "swin", "alibi", "rope",
        "convolutional",
    ]  # fmt: skip


def rotated_score(q, k, m, n):
    """Query at m, key at n, each pair of features turned as a complex number."""
    rates = np.asarray([1.0, 0.01])
    turned = [
        (row[::2] + 1j * row[1::2]) * np.exp(1j * at * rates)
        for row, at in ((q, m), (k, n))
    ]
    return (turned[0] * turned[1].conj()).sum().real / 2


#: What T5's and ALiBi's biases of the running example add, by key minus query.
ADDED = {
    "t5": {-2: -1, -1: 2, 0: 0, 1: 1, 2: -2},
    "alibi": {-2: -1, -1: -0.5, 0: 0, 1: -0.5, 2: -1},
}


class TestShiftedSentence:
    SHIFTS = (0, 1, 7, 18)

    @pytest.mark.parametrize("swapped", [False, True])
    @pytest.mark.parametrize("shift", SHIFTS)
    def test_scores_follow_the_words_in_the_window(self, shift, swapped):
        x = X[::-1] if swapped else X
        scores = ShiftedSentence().scores
        sines = x + sinusoidal.sinusoidal_table(21, 4)[shift : shift + 3]
        q, k = x @ W_Q, x @ W_K
        for i, j in np.ndindex(3, 3):
            found = {name: scores[name][swapped][shift][i][j] for name in scores}
            right = {name: q[i] @ k[j] / 2 + by[j - i] for name, by in ADDED.items()}
            right["sinusoidal"] = (sines[i] @ W_Q) @ (sines[j] @ W_K) / 2
            right["rope"] = rotated_score(q[i], k[j], shift + i, shift + j)
            assert found == pytest.approx(right, abs=5.1e-5)

    def test_only_addition_notices_the_shift(self):
        """To the last digit: what the page says of it are comparisons of numbers."""
        scores = ShiftedSentence().scores
        for name, (usual, swapped) in scores.items():
            for shifts in (usual, swapped):
                same = [matrix == shifts[0] for matrix in shifts]
                assert same == [True, *[name != "sinusoidal"] * 18]
        assert all(
            value != start
            for shifts in scores["sinusoidal"]
            for matrix in shifts[1:]
            for value, start in zip(np.ravel(matrix), np.ravel(shifts[0]), strict=True)
        )

    def test_signs_equal_those_of_the_library(self):
        widget = ShiftedSentence()
        assert widget.biases == {name: [*by.values()] for name, by in ADDED.items()}
        assert widget.angles == [float(n) for n in range(21)]
        assert widget.sines[5] == [
            round(f(a), 4) for a in (5, 0.05) for f in (np.sin, np.cos)
        ]
        numbers = np.asarray(list(widget.scores.values()))
        assert 0 <= widget.limit - np.abs(numbers).max() < 0.5
        assert not re.search(r"-0\.0[],]", json.dumps(widget.scores))
