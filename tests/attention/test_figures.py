"""Figures of the chapter on attention: what they draw is what posenc computes."""

import figure_rules
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgba

from posenc.attention import attention_weights, figures, scaled_dot_product_attention
from posenc.attention.figures import (
    DOORS,
    MAX_LENGTH,
    SENTENCES,
    WORDS,
    Attended,
    attend,
    numbered,
    same_outputs,
    score_tables,
)
from posenc.core import running_example as example
from posenc.core.chapters import chapters
from posenc.kit.figures.themes import color
from posenc.sinusoidal import sinusoidal_encoding

TWINS = "I think therefore I am"

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "outputs": [{"attended": attend(TWINS)}],
    "shuffle": [{"sentence": TWINS, "order": [4, 3, 2, 1, 0]}],
    "weights": [{"attended": attend(TWINS)}],
}


def orders(sentence, count=5):
    rng, length = np.random.default_rng(0), len(sentence.split())
    return [rng.permutation(length).tolist() for _ in range(count)]


class TestAttend:
    def test_the_running_example(self):
        got = attend("dog bites man")
        assert got.words == list(example.TOKENS)
        want = attention_weights(example.Q, example.K)
        np.testing.assert_array_equal(got.weights, want)
        np.testing.assert_array_equal(got.outputs, want @ example.V)

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

    def test_equal_words_are_numbered(self):
        assert numbered(TWINS.split()) == ["I₁", "think", "therefore", "I₂", "am"]
        assert numbered(["a", "b", "a", "a"]) == ["a₁", "b", "a₂", "a₃"]
        assert numbered(["dog"]) == ["dog"]


@pytest.mark.parametrize("encoding", [False, True])
@pytest.mark.parametrize("sentence", SENTENCES)
def test_tables_add_up_to_scores_and_outputs(sentence, encoding):
    tables = {name: np.asarray(rows) for name, rows in score_tables().items()}
    for order in orders(sentence):
        words = [sentence.split()[n] for n in order]
        ids = [tables["words"].tolist().index(word) for word in words]
        place = np.arange(len(words))
        scores = tables["content"][np.ix_(ids, ids)]
        values = tables["word_values"][ids]
        if encoding:
            scores = scores + tables["content_position"][np.ix_(ids, place)]
            scores = scores + tables["position_content"][np.ix_(place, ids)]
            scores = scores + tables["position"][np.ix_(place, place)]
            values = values + tables["position_values"][place]
        weights = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
        want = attend(sentence, order, encoding=encoding)
        np.testing.assert_allclose(weights, want.weights, atol=1e-7)
        np.testing.assert_allclose(weights @ values, want.outputs, atol=1e-7)


def test_tables_hold_all_words_and_the_longest_sentence():
    tables = score_tables()
    assert {w for s in SENTENCES for w in s.split()} <= set(tables["words"])
    assert np.shape(tables["position"]) == (MAX_LENGTH, MAX_LENGTH)
    assert max(len(s.split()) for s in SENTENCES) == MAX_LENGTH


class TestHeatMaps:
    def test_weights_stand_in_their_cells(self):
        weights = np.asarray([[1.0, 0.0], [0.25, 0.75]])
        ax = figures.weights(Attended(["a", "b"], weights, np.zeros((2, 4))))
        placed = {text.get_position(): text.get_text() for text in ax.texts}
        assert placed == {(0, 0): "1", (1, 0): "0", (0, 1): ".25", (1, 1): ".75"}

    def test_a_shuffle_is_marked_row_by_row(self):
        order = [3, 1, 4, 0, 2]
        figure = figures.shuffle(TWINS, order, encoding=True, causal=True)
        after = figure.axes[3]
        setting = {"encoding": True, "causal": True}
        kept = same_outputs(
            attend(TWINS, **setting), attend(TWINS, order, **setting), order
        )
        assert figure_rules.texts(after)[-5:] == ["✓" if same else "≠" for same in kept]


def test_the_opening_shows_the_outputs_of_both_orders():
    numbers = [text for text in figure_rules.texts(figures.opening()) if "." in text]
    rows = attend("dog bites man").outputs
    shown = [f"{value:.1f}" for value in [*rows.ravel(), *rows[::-1].ravel()]]
    assert numbers == shown


def test_the_products_are_those_of_the_running_example():
    shown = figure_rules.texts(figures.products())
    scores = example.Q @ example.K.T / 2
    for sign, before, after in (
        ("×", example.Q, example.K.T),
        ("/ 2 =", example.K.T, scores),
        ("=", example.V, None),
    ):
        place = shown.index(sign)
        whole = [f"{number:.0f}" for number in before.ravel()]
        assert shown[place - 1 - before.size : place - 1] == whole  # then its name
        if after is not None:
            whole = [f"{number:.0f}" for number in after.ravel()]
            assert shown[place + 1 : place + 1 + after.size] == whole
    out = scaled_dot_product_attention(example.Q, example.K, example.V)
    last = shown[shown.index("=") + 1 :][:12]
    near = [float(text) for text in last]
    np.testing.assert_allclose(near, out.ravel(), atol=0.051)


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


def test_only_the_mask_of_neighbors_stays_when_the_words_turn_around():
    figure = figures.moved_masks()
    shown = [
        (ax.collections[0].get_array() == to_rgba(color("muted"))).all(axis=-1)
        for ax in figure.axes
    ]
    gap = np.subtract.outer(np.arange(5), np.arange(5))
    causal, neighbors, P = gap >= 0, abs(gap) <= 1, np.eye(5)[::-1]
    wanted = [causal, P @ causal @ P.T, neighbors, P @ neighbors @ P.T]
    np.testing.assert_array_equal(shown, wanted)
    assert not np.array_equal(wanted[0], wanted[1])
    assert np.array_equal(wanted[2], wanted[3])


def test_hidden_weights_are_dark():
    cells = figures.weights(attend(TWINS, causal=True)).collections[0]
    lowest = to_rgba(plt.get_cmap("viridis")(0.0))
    hidden = (cells.get_array() == lowest).all(axis=-1)
    np.testing.assert_array_equal(hidden, np.triu(np.ones((5, 5), bool), k=1))
