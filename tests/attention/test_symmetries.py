"""Theorems of the chapter on shuffles and attention, on numbers."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from answer_sources import made

from posenc.attention import scaled_dot_product_attention
from posenc.attention.exercises.orders import MASKS
from posenc.attention.exercises.symmetry import FUNCTIONS
from posenc.attention.figures import attend
from posenc.attention.widgets import ShuffledAttention

NEAR = {"rtol": 1e-12, "atol": 1e-14}


@pytest.mark.parametrize("seed", range(20))
def test_queries_take_their_outputs_along_and_keys_leave_no_trace(seed):
    rng = np.random.default_rng(seed)
    q_len, k_len = rng.integers(1, 9, size=2)
    q, k, v = (rng.normal(size=(n, 4)) for n in (q_len, k_len, k_len))
    bias, mask = rng.normal(size=(q_len, k_len)), rng.random((q_len, k_len)) < 0.7
    before = scaled_dot_product_attention(q, k, v, bias=bias, mask=mask)
    i, j = rng.permutation(q_len), rng.permutation(k_len)
    after = scaled_dot_product_attention(
        q[i], k[j], v[j], bias=bias[i][:, j], mask=mask[i][:, j]
    )
    np.testing.assert_allclose(after, before[i], **NEAR)
    if k_len > 2:  # a value that loses its key is another matter
        lost = scaled_dot_product_attention(q, k, np.roll(v, 1, axis=0))
        assert not np.allclose(lost, scaled_dot_product_attention(q, k, v))


def commutes(mask, order, w, rows):
    def f(x):
        return scaled_dot_product_attention(x @ w[0], x @ w[1], x @ w[2], mask=mask)

    return all(np.allclose(f(x[order]), f(x)[order]) for x in rows)


@pytest.mark.parametrize("seed", range(15))
def test_a_mask_keeps_the_shuffles_that_leave_it_as_it_is(seed):
    """Both directions, for masks at random: rows without any key are among them."""
    rng = np.random.default_rng(seed)
    mask = rng.random((4, 4)) < rng.choice([0.2, 0.5, 0.8])
    w = rng.normal(size=(3, 3, 3))
    # Those of the proof: all rows zero but one.
    rows = [
        *rng.normal(size=(2, 4, 3)),
        *(np.eye(4)[:, [n]] @ np.ones((1, 3)) for n in range(4)),
    ]
    for order in map(list, permutations(range(4))):
        moved = mask[order][:, order]
        assert commutes(mask, order, w, rows) == np.array_equal(moved, mask)


@pytest.mark.parametrize("seed", range(5))
def test_a_bias_keeps_the_shuffles_that_change_it_by_a_number_for_each_row(seed):
    rng = np.random.default_rng(seed)
    gap = np.subtract.outer(np.arange(4), np.arange(4))
    w, rows = rng.normal(size=(3, 3, 3)), rng.normal(size=(3, 4, 3))
    for_rows = rng.normal(size=(4, 1))  # the softmax forgets it
    orders = {}
    for name, bias in {
        "distances": -abs(gap) * 0.7,
        "and a number for each row": -abs(gap) * 0.7 + for_rows,
        "sides": gap * 0.3 - abs(gap),
        "any": rng.normal(size=(4, 4)),
    }.items():

        def f(x, bias=bias):
            return scaled_dot_product_attention(x @ w[0], x @ w[1], x @ w[2], bias=bias)

        orders[name] = []
        for order in map(list, permutations(range(4))):
            apart = bias[order][:, order] - bias
            same = np.allclose(apart, apart[:, :1])
            assert same == all(np.allclose(f(x[order]), f(x)[order]) for x in rows)
            orders[name] += [order] * same
    as_they_are, reversal = [0, 1, 2, 3], [3, 2, 1, 0]
    assert orders["distances"] == [as_they_are, reversal]
    assert orders["and a number for each row"] == [as_they_are, reversal]
    assert orders["sides"] == orders["any"] == [as_they_are]


def test_the_rows_of_the_proof_tell_any_two_masks_apart():
    rng = np.random.default_rng(0)
    w = rng.normal(size=(3, 3, 3))
    for _ in range(200):
        first, second = rng.random((2, 3, 3)) < 0.5
        for i, j in np.argwhere(first != second):
            y = np.zeros((3, 3))
            y[j] = rng.normal(size=3)
            q, k, v = (y @ part for part in w)
            outs = [
                scaled_dot_product_attention(q, k, v, mask=mask)[i]
                for mask in (first, second)
            ]
            hidden = outs[0 if second[i, j] else 1]
            np.testing.assert_array_equal(hidden, 0)
            assert np.abs(outs[1 if second[i, j] else 0]).max() > 0


@pytest.mark.parametrize(
    ("name", "count"),
    [("documents", 72), ("padding", 48), ("ring", 12), ("prefix", 6), ("star", 120)],
)
def test_masks_of_the_exercise_are_those_of_its_words(name, count):
    mask = next(mask for words, mask in MASKS if name in words)
    sees = [np.flatnonzero(row).tolist() for row in mask]
    assert (
        sees
        == {
            "documents": [[0, 1, 2]] * 3 + [[3, 4, 5]] * 3,
            "padding": [[0, 1, 2, 3]] * 6,
            "ring": [[0, 1, 5], [0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [0, 4, 5]],
            "prefix": [[0, 1, 2]] * 3 + [[0, 1, 2, 3], [0, 1, 2, 3, 4], [*range(6)]],
            "star": [[0], *([0, n] for n in range(1, 6))],
        }[name]
    )
    orders = [o for o in permutations(range(6)) if (mask[np.ix_(o, o)] == mask).all()]
    assert len(orders) == count


# The page's answers about its widget, and its solutions, on numbers.


def of_widget(order, **setting):
    """Outputs at each place, as the widget draws them for this order."""
    return attend(ShuffledAttention().sentence, [*order], **setting).outputs


def keepers(order, **setting):
    before = of_widget(range(5), **setting)
    after = of_widget(order, **setting)
    return {n for place, n in enumerate(order) if np.allclose(after[place], before[n])}


def test_answers_about_the_widget_are_right():
    assert keepers([4, 0, 1, 2, 3], encoding=False, causal=False) == {0, 1, 2, 3, 4}
    for order in permutations(range(5)):
        now = of_widget(order, encoding=True, causal=False)
        assert not np.allclose(now[order.index(0)], now[order.index(3)])
        words = keepers(order, encoding=True, causal=False)
        whole = {(0, 1, 2, 3, 4): {0, 1, 2, 3, 4}, (3, 1, 2, 0, 4): {1, 2, 4}}
        assert words == whole.get(order, set())
    assert keepers([0, 2, 1, 3, 4], encoding=False, causal=True) == {0, 3, 4}


def test_inputs_of_the_solution_show_the_three_bugs_one_after_the_other():
    stub = "def suspicious_attention(q, k, v, mask=None):\n"
    page = Path(__file__).parents[2].joinpath("book/attention.md").read_text("utf-8")
    source = stub + page.split(stub)[1].split("```")[0]
    eye, nothing = np.eye(2), np.zeros((1, 2), bool)
    rest = made(source)
    softmax = (
        ("max(axis=0)", "max(axis=-1, keepdims=True)"),
        ("sum(axis=0)", "sum(axis=-1, keepdims=True)"),
    )
    by_rows = made(source, *softmax)
    scaled = made(source, *softmax, ("len(q)", "q.shape[-1]"))
    zero = np.zeros((1, 1)), np.zeros((2, 1)), eye
    np.testing.assert_array_equal(rest(*zero), [[1, 1]])
    np.testing.assert_array_equal(by_rows(*zero), [[1 / 2, 1 / 2]])
    long = np.eye(4)[:1], np.asarray([[2 * np.log(3), 0, 0, 0], [0, 0, 0, 0]]), eye
    np.testing.assert_allclose(by_rows(*long), [[9 / 10, 1 / 10]])
    np.testing.assert_allclose(scaled(*long), [[3 / 4, 1 / 4]])
    np.testing.assert_array_equal(scaled(*zero, nothing), [[1 / 2, 1 / 2]])
    # As long as the softmax runs over the queries, a hidden row gets zeros.
    q, k = np.random.default_rng(0).normal(size=(2, 3, 3))
    hidden = np.asarray([[True] * 3, [False] * 3, [True] * 3])
    np.testing.assert_array_equal(rest(q, k, np.eye(3), hidden)[1], 0)
    np.testing.assert_allclose(scaled(q, k, np.eye(3), hidden)[1], 1 / 3)


def test_where_the_first_word_alone_keeps_its_output_under_the_causal_mask():
    alone = [
        order
        for order in permutations(range(5))
        if keepers(order, encoding=False, causal=True) == {0}
    ]
    assert (0, 4, 2, 1, 3) in alone
    assert (3, 0, 4, 1, 2) in alone
    assert {order[:2] for order in alone if order[0]} == {(3, 0)}


def test_rows_of_the_solution_break_both_symmetries():
    function = {number: f for number, (_, f) in enumerate(FUNCTIONS, start=1)}
    x = np.asarray([[0.0], [1.0]])
    assert (function[2](x), function[2](x[::-1])) == (0, 1)
    assert function[5](x).ravel().tolist() == [0, 1]
    assert function[5](x[::-1]).ravel().tolist() == [1, 1]
    before, after = function[9](x), function[9](x[::-1])
    assert (before[0, 0], after[0, 0], after[1, 0]) == (0, 1, 0.5)
    x = np.asarray([[0.0], [1.0], [2.0]])
    assert function[8](x).ravel().tolist() == [2, 1, 0]
    assert function[8](x[[1, 0, 2]]).ravel().tolist() == [2, 0, 1]
    assert function[8](x)[[1, 0, 2]].ravel().tolist() == [1, 2, 0]
