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
        assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "b"]
        assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]
        assert len(ax.patches) == 2  # the diagonal

    def test_outputs_have_no_diagonal_and_may_have_marks(self):
        outputs = np.asarray([[0.0, -0.5, 1.974, 2.0]] * 4)
        drawn = Attended(list("abcd"), np.eye(4), outputs)
        ax = figures.outputs(drawn, marks=["✓", "≠", "✓", "≠"])
        assert figure_rules.texts(ax) == ["0", "−.50", "2.0", "2"] * 4 + [
            "✓",
            "≠",
            "✓",
            "≠",
        ]
        assert len(ax.patches) == 0

    def test_a_shuffle_is_marked_row_by_row(self):
        order = [3, 1, 4, 0, 2]
        figure = figures.shuffle(TWINS, order, encoding=True, causal=True)
        after = figure.axes[3]
        setting = {"encoding": True, "causal": True}
        kept = same_outputs(
            attend(TWINS, **setting), attend(TWINS, order, **setting), order
        )
        assert figure_rules.texts(after)[-5:] == ["✓" if same else "≠" for same in kept]
        assert set(kept.tolist()) == {True, False}
        names = [label.get_text() for label in figure.axes[2].get_yticklabels()]
        assert names == ["I₂", "think", "am", "I₁", "therefore"]


def test_the_opening_shows_the_outputs_of_both_orders():
    numbers = [text for text in figure_rules.texts(figures.opening()) if "." in text]
    rows = attend("dog bites man").outputs
    shown = [f"{value:.1f}" for value in [*rows.ravel(), *rows[::-1].ravel()]]
    assert numbers == shown


def test_the_opening_joins_equal_outputs():
    ax = figures.opening()
    ends = [tuple(line.get_xdata()) for line in ax.lines]
    assert ends == [(4.0, 0.0), (2.0, 2.0), (0.0, 4.0)]
    assert {line.get_linestyle() for line in ax.lines} == {"-"}


def test_the_products_are_those_of_the_running_example():
    ax = figures.products()
    heights = {}
    for text in ax.texts:
        heights.setdefault(text.get_text(), []).append(text.get_position()[1])
    assert [heights[token] for token in example.TOKENS] == [
        [top + row for top in (1.5, 7.5)] for row in range(3)
    ]
    shown = figure_rules.texts(ax)
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


def test_paths_name_both_ways():
    shown = figure_rules.texts(figures.paths())
    assert shown.count("eat") == 2
    assert "recurrent network: 4 steps" in shown
    assert "attention: 1 step" in shown


def test_only_in_attention_do_lanes_of_the_encoder_meet():
    ax = figures.encoder_block()
    lanes = [t.get_position()[0] for t in ax.texts if t.get_text() in example.TOKENS]
    lines = [tuple(line.get_xdata()) for line in ax.lines]
    across = [line for line in lines if len(line) == 2]
    assert sorted(across) == [(start, end) for start in lanes for end in lanes]
    # A bypass leaves its lane and goes down beside it, before the next lane.
    around = [line for line in lines if len(line) == 3]
    assert sorted(around) == [
        (lane, lane - 0.55, lane - 0.55) for lane in lanes for _ in range(2)
    ]
    # It passes behind every box.
    lowest_box = min(patch.get_zorder() for patch in ax.patches)
    assert all(
        line.get_zorder() < lowest_box
        for line in ax.lines
        if len(line.get_xdata()) == 3
    )
    widths = [line.get_linewidth() for line in ax.lines]  # thick, says the caption
    thick = {width for line, width in zip(lines, widths, strict=True) if len(line) == 3}
    assert thick == {max(widths)}
    assert min(thick) > 2 * max(set(widths) - thick)
    shown = figure_rules.texts(ax)
    assert shown.count("+") == shown.count("norm") == 2 * len(lanes)
    # The heads are joined and projected before anything is added to them.
    heights = {word: [] for word in ("project", "+", "feed-\nforward")}
    for text in ax.texts:
        if text.get_text() in heights:
            heights[text.get_text()].append(text.get_position()[1])
    assert len(heights["project"]) == len(lanes)
    assert max(heights["project"]) < min(heights["+"]) < min(heights["feed-\nforward"])
    for part in ("head 0", "head 1", "residual connection", "layer normalization"):
        assert part in shown


@pytest.mark.parametrize("draw", [figures.encoder_block, figures.paths])
def test_colors_of_query_key_value_and_position_mean_them_alone(draw):
    """No row of a token is drawn as one of the four before it has become it."""
    ax = draw()
    arrows = [text.arrow_patch for text in ax.texts if hasattr(text, "arrow_patch")]
    drawn = [
        *(line.get_color() for line in ax.lines),
        *(text.get_color() for text in ax.texts),
        *(patch.get_edgecolor() for patch in [*ax.patches, *filter(None, arrows)]),
    ]
    roles = {to_rgba(color(r)) for r in ("query", "key", "value", "position")}
    assert not roles & {*map(to_rgba, drawn)}


def test_the_map_shows_every_method_solid_if_it_is_learned():
    ax = figures.encodings_map()
    methods = [entry for _, *columns in DOORS for column in columns for entry in column]
    shown = figure_rules.texts(ax)
    for name, _, slug in methods:
        number = chapters().index(slug) + 1
        assert any(
            text.startswith(name) and text.endswith((name, f"({number})"))
            for text in shown
        )
    # Chapters 3, 10 and 14 have none, says the caption.
    without = {*chapters()} - {slug for _, _, slug in methods}
    assert {chapters().index(slug) + 1 for slug in without} == {3, 10, 14}
    boxes = [patch.get_linestyle() == "-" for patch in ax.patches]
    boxed = [learned for _, learned, _ in methods if learned is not None]
    assert boxes == [*boxed, False, True]  # and the legend
    ends = sorted({round(patch.get_x() + patch.get_width(), 2) for patch in ax.patches})
    assert ends[-1] <= ax.get_xlim()[1]
    # No box of the first column reaches into the second, where its heading stands.
    (second,) = [t.get_position()[0] for t in ax.texts if t.get_text() == "relative"]
    *methods, _, _ = ax.patches  # without the legend
    first = [box for box in methods if box.get_x() < second - 0.2]
    assert max(box.get_x() + box.get_width() for box in first) < second


def test_attention_leads_down_through_every_door_of_the_map():
    ax = figures.encodings_map()
    names = [door for door, *_ in DOORS if not door.startswith("nothing")]
    down = [text for text in ax.texts if text.get_bbox_patch() is not None]
    down.sort(key=lambda text: text.get_position()[1])
    signs = ["×" if name.startswith("multiplied") else "+" for name in names]
    stops = ["$X$", "$Q$, $K$", "$S$", "$A$, $V$"]
    way = [word for pair in zip(stops, signs, strict=True) for word in pair]
    assert [text.get_text() for text in down] == [*way, "$Z$"]
    assert len({text.get_position()[0] for text in down}) == 1
    # Each sign stands beside the words of its door, and what goes on below them.
    beside = [t.get_position()[1] for t in ax.texts if t.get_text() in names]
    heights = [text.get_position()[1] for text in down]
    for at, sign, after in zip(beside, heights[1::2], heights[2::2], strict=True):
        assert at < sign < after


def test_only_the_mask_of_neighbors_stays_when_the_words_turn_around():
    figure = figures.moved_masks()
    shown = {}
    for ax in figure.axes:
        (cells,) = ax.collections
        filled = (cells.get_array() == to_rgba(color("muted"))).all(axis=-1)
        signs = {text.get_position() for text in ax.texts if text.get_text() == "≠"}
        names = [int(label.get_text()) for label in ax.get_yticklabels()]
        (below,) = {text.get_text() for text in ax.texts} - {"≠"}
        shown[below] = filled, signs, names
    gap = np.subtract.outer(np.arange(5), np.arange(5))
    masks = {
        ("causal", "20 cells differ"): gap >= 0,
        ("itself and both neighbors", "the same"): abs(gap) <= 1,
    }
    assert list(shown) == [name for pair in masks for name in pair]
    P = np.eye(5)[::-1]
    for (before, after), mask in masks.items():
        filled, signs, names = shown[before]
        np.testing.assert_array_equal(filled, mask)
        assert (signs, names) == (set(), [0, 1, 2, 3, 4])
        filled, signs, names = shown[after]
        np.testing.assert_array_equal(filled, P @ mask @ P.T)
        changed = np.argwhere(mask != P @ mask @ P.T)
        assert signs == {(key, query) for query, key in changed.tolist()}
        assert names == [4, 3, 2, 1, 0]


def test_hidden_weights_are_dark():
    cells = figures.weights(attend(TWINS, causal=True)).collections[0]
    lowest = to_rgba(plt.get_cmap("viridis")(0.0))
    hidden = (cells.get_array() == lowest).all(axis=-1)
    np.testing.assert_array_equal(hidden, np.triu(np.ones((5, 5), bool), k=1))
