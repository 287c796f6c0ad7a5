"""The widget of the first chapter: shuffle the words, compare weights and outputs."""

from typing import Any

import traitlets

from posenc.attention.figures import (
    OUTPUT_COLORS,
    OUTPUT_LIMIT,
    SENTENCES,
    WEIGHT_COLORS,
    numbered,
    score_tables,
    shuffle,
)
from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table

__all__ = ["ShuffledAttention"]


class ShuffledAttention(BookWidget):
    """Attention over a sentence, before and after its words change places.

    Parameters
    ----------
    sentence : str, default "I think therefore I am"
        One of `posenc.attention.figures.SENTENCES`.
    order : list of int, optional
        Which word of the sentence stands at each place (default: as it is written).
    encoding : bool, default False
        Add the sinusoidal encoding of the place to each word.
    causal : bool, default False
        Hide the words after the query.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above, or `order` does not name each word once. A
        new `sentence` of another length brings its own order.

    Examples
    --------
    >>> widget = ShuffledAttention(sentence="dog bites man")
    >>> widget.order
    [0, 1, 2]
    >>> widget.order = [0, 1]
    Traceback (most recent call last):
        ...
    traitlets.traitlets.TraitError: order must name each of the places 0 … 2 once, ...
    """

    sentence = traitlets.Enum(SENTENCES, default_value=SENTENCES[1])
    order = traitlets.List(traitlets.Int())
    encoding = traitlets.Bool(False)
    causal = traitlets.Bool(False)

    @traitlets.default("order")
    def _default_order(self) -> list[int]:
        return list(range(len(self.sentence.split())))

    @table
    def tables(self) -> dict[str, Any]:
        return score_tables()

    @table
    def names(self) -> dict[str, list[str]]:
        """Words of each sentence, with numbers where one occurs twice."""
        return {sentence: numbered(sentence.split()) for sentence in SENTENCES}

    @table
    def colors(self) -> dict[str, Any]:
        return {
            "weight": color_table(WEIGHT_COLORS),
            "output": color_table(OUTPUT_COLORS),
            "limit": OUTPUT_LIMIT,
        }

    @traitlets.validate("order")
    def _check_order(self, proposal: Any) -> list[int]:
        order, length = proposal["value"], len(self.sentence.split())
        if sorted(order) != list(range(length)):
            msg = (
                f"order must name each of the places 0 … {length - 1} once, got {order}"
            )
            raise traitlets.TraitError(msg)
        return order

    @traitlets.observe("sentence")
    def _new_sentence(self, change: Any) -> None:
        """Forget an order that fits the old sentence alone."""
        if len(self.order) != len(change["new"].split()):
            self.order = self._default_order()

    def picture(self) -> Themed:
        """Weights and outputs of the present setting, before and after."""
        words = self.sentence.split()
        shuffled = " ".join(words[n] for n in self.order)
        with_what = {
            (False, False): "neither encoding nor mask",
            (True, False): "a position encoding",
            (False, True): "a causal mask",
            (True, True): "a position encoding and a causal mask",
        }[self.encoding, self.causal]
        alt = (
            f"Attention weights and outputs of “{self.sentence}”, and below them those "
            f"of “{shuffled}”, with {with_what}. "
            "A mark after each row tells whether the word has kept its output."
        )
        setting = {"encoding": self.encoding, "causal": self.causal}
        return Themed(lambda: shuffle(self.sentence, self.order, **setting), alt=alt)
