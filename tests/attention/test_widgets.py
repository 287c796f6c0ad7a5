"""The widget of the chapter on attention on the side of Python."""

import pytest
import traitlets

from posenc.attention.figures import SENTENCES
from posenc.attention.widgets import ShuffledAttention


@pytest.mark.parametrize("order", [[0, 1], [0, 0, 1], [1, 2, 3], [], [0, 1, 2, 3]])
def test_an_order_names_each_word_once(order):
    widget = ShuffledAttention(sentence="dog bites man")
    with pytest.raises(traitlets.TraitError, match=r"each of the places 0 … 2 once"):
        widget.order = order
    assert widget.order == [0, 1, 2]
    with pytest.raises(traitlets.TraitError, match="order must"):
        ShuffledAttention(sentence="dog bites man", order=order)


def test_a_longer_sentence_brings_its_order_a_similar_one_keeps_it():
    widget = ShuffledAttention(sentence="dog bites man", order=[1, 0, 2])
    widget.sentence = SENTENCES[1]
    assert widget.order == [0, 1, 2, 3, 4]
    widget.order = [1, 0, 2, 3, 4]
    widget.sentence = SENTENCES[2]
    assert widget.order == [1, 0, 2, 3, 4]


@pytest.mark.parametrize("turn", [False, True])
def test_the_page_may_set_both_at_once(turn):
    widget = ShuffledAttention(sentence="dog bites man")
    state = {"sentence": SENTENCES[3], "order": [0, 2, 1, 3, 4]}
    widget.set_state(dict(list(state.items())[:: -1 if turn else 1]))
    assert (widget.sentence, widget.order) == (SENTENCES[3], [0, 2, 1, 3, 4])
