"""Attention on sentences of few words, with an encoding and without one."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from posenc.attention import attention_weights, causal_mask
from posenc.core import running_example as example
from posenc.sinusoidal import sinusoidal_table

#: matplotlib's color tables for weights (0 … 1) and for outputs (-3 … 3).
WEIGHT_COLORS = "viridis"


OUTPUT_COLORS = "coolwarm"


OUTPUT_LIMIT = 3.0


#: Sentences to shuffle; in the second and the fourth a word occurs twice.
SENTENCES = (
    "dog bites man",
    "I think therefore I am",
    "I am going to eat",
    "the cat sees the dog",
)


#: Embedding of each word: shape (4,).
WORDS: dict[str, Float[np.ndarray, "4"]] = {
    **dict(zip(example.TOKENS, example.X, strict=True)),
    "I": np.asarray([2.0, 0.0, 1.0, 0.0]),
    "think": np.asarray([0.0, 2.0, 0.0, 1.0]),
    "therefore": np.asarray([1.0, 0.0, 0.0, 2.0]),
    "am": np.asarray([0.0, 1.0, 2.0, 0.0]),
    "going": np.asarray([1.0, 2.0, 0.0, 0.0]),
    "to": np.asarray([0.0, 0.0, 1.0, 1.0]),
    "eat": np.asarray([2.0, 0.0, 0.0, 1.0]),
    "the": np.asarray([1.0, 0.0, 0.0, 1.0]),
    "cat": np.asarray([0.0, 2.0, 1.0, 0.0]),
    "sees": np.asarray([2.0, 1.0, 0.0, 0.0]),
}


#: The longest sentence.
MAX_LENGTH = max(len(sentence.split()) for sentence in SENTENCES)


class Attended(NamedTuple):
    """Attention over one order of a sentence.

    Parameters
    ----------
    words : list of str
        As they stand now.
    weights : float array of shape (L, L)
        Queries down, keys across.
    outputs : float array of shape (L, 4)
        One row per word.
    """

    words: list[str]
    weights: Float[np.ndarray, "L L"]
    outputs: Float[np.ndarray, "L 4"]


def attend(
    sentence: str,
    order: Sequence[int] | None = None,
    *,
    encoding: bool = False,
    causal: bool = False,
) -> Attended:
    """Self-attention of the running example over a sentence, in another order.

    Parameters
    ----------
    sentence : str
        Words out of `WORDS`, with spaces between them.
    order : sequence of int, optional
        Which word of the sentence stands at each place (default: as it is written).
    encoding : bool, default False
        Add the sinusoidal encoding of the place to each word.
    causal : bool, default False
        Hide the words after the query.
    """
    words = sentence.split()
    words = [words[n] for n in (range(len(words)) if order is None else order)]
    x = np.stack([WORDS[word] for word in words])
    if encoding:
        x = x + sinusoidal_table(len(words), 4)
    mask = causal_mask(len(words), len(words)) if causal else None
    q, k, v = x @ example.W_Q, x @ example.W_K, x @ example.W_V
    weights = attention_weights(q, k, mask=mask)
    return Attended(words, weights, weights @ v)


def same_outputs(
    before: Attended, after: Attended, order: Sequence[int]
) -> Bool[np.ndarray, " L"]:
    """Whether the word at each place has the output that it had before the shuffle."""
    return np.isclose(after.outputs, before.outputs[list(order)]).all(axis=-1)


def numbered(words: Sequence[str]) -> list[str]:
    """Words with a small number where the same one occurs again.

    Examples
    --------
    >>> numbered(["I", "think", "therefore", "I", "am"])
    ['I₁', 'think', 'therefore', 'I₂', 'am']
    """
    names, seen = [], dict.fromkeys(words, 0)
    for word in words:
        seen[word] += 1
        again = list(words).count(word) > 1
        names.append(word + "₀₁₂₃₄₅₆₇₈₉"[seen[word]] if again else word)
    return names


def score_tables() -> dict[str, Any]:
    """Tables from which every score and output can be added up.

    With a word x and the encoding p of its place, the score is
    (x + p) W_Q · (y + r) W_K / 2: a sum of four numbers, each found in a table. The
    value (x + p) W_V is a sum of two rows.

    Returns
    -------
    dict
        ``"words"``: the vocabulary; ``"content"`` (V, V), ``"content_position"``
        (V, L), ``"position_content"`` (L, V), ``"position"`` (L, L): scores, queries
        down and keys across, scaled; ``"word_values"`` (V, 4) and
        ``"position_values"`` (L, 4).
    """
    names = list(WORDS)
    x, p = np.stack(list(WORDS.values())), sinusoidal_table(MAX_LENGTH, 4)
    scores = {
        f"{query}_{key}": rows @ example.W_Q @ (columns @ example.W_K).T / 2
        for query, rows in (("content", x), ("position", p))
        for key, columns in (("content", x), ("position", p))
    }
    tables = {
        "content": scores["content_content"],
        "content_position": scores["content_position"],
        "position_content": scores["position_content"],
        "position": scores["position_position"],
        "word_values": x @ example.W_V,
        "position_values": p @ example.W_V,
    }
    rounded = {name: table.round(9).tolist() for name, table in tables.items()}
    return {"words": names, **rounded}
