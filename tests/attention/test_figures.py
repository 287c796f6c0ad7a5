"""Figures of the chapter on attention: what they draw is what posenc computes."""

import figure_rules
import numpy as np
import pytest

from posenc.attention import figures
from posenc.attention.figures import (
    DOORS,
    SENTENCES,
    WORDS,
    Attended,
    attend,
    same_outputs,
)
from posenc.core import running_example as example
from posenc.core.chapters import chapters
from posenc.sinusoidal import sinusoidal_encoding

TWINS = "I think therefore I am"

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "outputs": [{"attended": attend(TWINS)}],
    "shuffle": [{"sentence": TWINS, "order": [4, 3, 2, 1, 0]}],
    "weights": [{"attended": attend(TWINS)}],
}

#: Arguments, and what the drawing must hold: see `figure_rules`.
SMALL = Attended(["a", "b"], np.asarray([[1, 0], [0.25, 0.75]]), np.zeros((2, 4)))
OUTPUTS = attend("dog bites man").outputs
SHOWS = {
    "opening": ({}, [f"{number:.1f}" for number in OUTPUTS[0]]),
    "weights": ({"attended": SMALL}, ["1", "0", ".25", ".75"]),
}


def orders(sentence, count=5):
    rng, length = np.random.default_rng(0), len(sentence.split())
    return [rng.permutation(length).tolist() for _ in range(count)]


class TestAttend:
    @pytest.mark.parametrize("causal", [False, True])
    @pytest.mark.parametrize("encoding", [False, True])
    @pytest.mark.parametrize("sentence", SENTENCES)
    def test_attention_by_loops(self, sentence, encoding, causal):
        for order in orders(sentence):
            got = attend(sentence, order, encoding=encoding, causal=causal)
            words = [sentence.split()[n] for n in order]
            places = np.arange(len(words), dtype=float)
            x = np.stack([WORDS[word] for word in words])
            x = x + encoding * sinusoidal_encoding(places, 4)
            q, k, v = x @ example.W_Q, x @ example.W_K, x @ example.W_V
            assert got.words == words
            for i in range(len(words)):
                seen = i + 1 if causal else len(words)
                powers = np.exp([q[i] @ k[j] / 2 for j in range(seen)])
                want = np.zeros(len(words))
                want[:seen] = powers / powers.sum()
                np.testing.assert_allclose(got.weights[i], want, rtol=1e-12)
                np.testing.assert_allclose(got.outputs[i], want @ v, atol=1e-12)

    @pytest.mark.parametrize("sentence", SENTENCES)
    def test_a_shuffle_shows_with_an_encoding_alone(self, sentence):
        for order in orders(sentence):
            moved = np.asarray(order) != np.arange(len(order))
            plain = same_outputs(attend(sentence), attend(sentence, order), order)
            assert plain.all()
            before, after = (attend(sentence, o, encoding=True) for o in (None, order))
            same = same_outputs(before, after, order)
            assert same.all() == (not moved.any())
            assert not same[moved].any()


def test_the_map_shows_every_method_with_its_chapter():
    methods = [entry for _, *columns in DOORS for column in columns for entry in column]
    shown = figure_rules.texts(figures.encodings_map())
    for name, _, slug in methods:
        number = chapters().index(slug) + 1
        assert any(
            text.startswith(name) and text.endswith((name, f"({number})"))
            for text in shown
        )
    # Chapters 3, 10 and 14 have none, says the caption.
    without = {*chapters()} - {slug for _, _, slug in methods}
    assert {chapters().index(slug) + 1 for slug in without} == {3, 10, 14}
