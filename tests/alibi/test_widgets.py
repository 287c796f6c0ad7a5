"""The widget of the chapter on ALiBi on the side of Python."""

import numpy as np
from figure_rules import drawn

from posenc import t5
from posenc.alibi import alibi_slopes
from posenc.alibi.figures import DEEPEST, SHARES, learned_bias
from posenc.alibi.widgets import LENGTHS, MAX_HEADS, LinearBias
from posenc.core import data


def test_slopes_of_every_number_of_heads_begin_a_list():
    lists = LinearBias().slopes
    for num_heads in range(1, MAX_HEADS + 1):
        level = num_heads.bit_length() - 1
        np.testing.assert_array_equal(lists[level][:num_heads], alibi_slopes(num_heads))
    assert [len(slopes) for slopes in lists] == [1, 3, 7, 15, 31, 63, 64]


def test_staircase_is_head_7_of_mpnet():
    stairs = LinearBias().staircase
    starts = np.asarray(stairs["starts"])
    assert starts.tolist() == t5.bucket_starts().tolist()
    np.testing.assert_array_equal(stairs["bias"][:16], learned_bias(-starts))
    np.testing.assert_array_equal(stairs["bias"][17:], learned_bias(starts[1:]))
    column = np.asarray(data.load("mpnet_bias")["bias"])[:, 7]
    np.testing.assert_array_equal(stairs["bias"], column)


def test_choices_are_what_python_accepts():
    assert LinearBias().choices == {
        "max_heads": MAX_HEADS,
        "length": LENGTHS,
        "shares": SHARES,
        "deepest": DEEPEST,
    }
    for length in LENGTHS:
        assert LinearBias(length=length).length == length


def test_picture_follows_the_state():
    before = LinearBias().picture()
    assert "Slope 0.25 of head 2 of 8" in before.alt
    assert before.alt.endswith("64 tokens with equal scores, for the past only.")
    first = drawn(before)
    for change in ({"head": 3}, {"length": 128}, {"causal": False}, {"num_heads": 9}):
        after = LinearBias(**change).picture()
        assert after.alt != before.alt
        assert drawn(after) != first


def test_a_head_beyond_the_last_is_the_last():
    assert "of head 4 of 4" in LinearBias(num_heads=4, head=9).picture().alt
