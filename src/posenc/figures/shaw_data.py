"""What the figures of the chapter on Shaw and its widget share: words, graphs."""

from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from jaxtyping import Float, Int

from posenc.shaw import relative_position_index

#: matplotlib's color table for the rows of a table: left of the query, itself, right.
INDEX_COLORS = "coolwarm"

#: The same for the labels of a graph, which have no order.
LABEL_COLORS = "viridis"

#: The five words of source 004, whose two "I" only their neighbors tell apart.
FIVE_WORDS = ("I", "think", "therefore", "I", "am")

#: Twelve words for the widget; its shorter sentences are the beginnings of this one.
_SENTENCE = "one dog bites a man and the man never bites a dog"
TWELVE_WORDS = tuple(_SENTENCE.split())

#: BLEU on newstest2013 by clipping distance (Shaw et al. 2018, table 2), base model.
BLEU_BY_CLIP = {0: 12.5, 1: 25.5, 2: 25.8, 4: 25.9, 16: 25.8, 64: 25.9, 256: 25.8}

#: The same by where the vectors enter (table 3 of the paper).
BLEU_BY_PLACE = {"both": 25.8, "keys only": 25.8, "values only": 25.3, "neither": 12.5}


class Graph(NamedTuple):
    """A small graph: nodes with a place in the unit square, edges with a label.

    Parameters
    ----------
    nodes : tuple of str
        Word or atom of each node.
    places : tuple of (float, float)
        Where each node is drawn; the second number grows downward.
    labels : tuple of str
        Words of each label; label 0 is that of a node with itself.
    edges : tuple of (int, int, int)
        Query node, key node, label; every node also has an edge to itself.
    """

    nodes: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    labels: tuple[str, ...]
    edges: tuple[tuple[int, int, int], ...]

    def matrix(self) -> Int[np.ndarray, "nodes nodes"]:
        """Label of each query and key, −1 where there is no edge."""
        matrix = np.full((len(self.nodes), len(self.nodes)), -1)
        np.fill_diagonal(matrix, 0)
        for query, key, label in self.edges:
            matrix[query, key] = label
        return matrix


def _tree(heads: list[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    """Both edges of each dependency: to the head is label 1, back is `label`."""
    edges: list[tuple[int, int, int]] = []
    for dependent, head, label in heads:
        edges += [(dependent, head, 1), (head, dependent, label)]
    return tuple(edges)


def _bonds(bonds: list[tuple[int, int, int]]) -> tuple[tuple[int, int, int], ...]:
    """Both directions of each bond, with the same label."""
    return tuple(e for a, b, label in bonds for e in ((a, b, label), (b, a, label)))


GRAPHS = {
    "tree": Graph(
        nodes=("the", "dog", "bites", "an", "old", "man"),
        places=(
            (0.06, 0.92),
            (0.24, 0.5),
            (0.5, 0.08),
            (0.52, 0.92),
            (0.94, 0.92),
            (0.76, 0.5),
        ),
        labels=("itself", "its head", "its subject", "its object", "its modifier"),
        edges=_tree([(0, 1, 4), (1, 2, 2), (3, 5, 4), (4, 5, 4), (5, 2, 3)]),
    ),
    "molecule": Graph(  # acetic acid, without its hydrogen atoms
        nodes=("C", "C", "O", "O"),
        places=((0.1, 0.88), (0.48, 0.58), (0.48, 0.06), (0.88, 0.92)),
        labels=("itself", "single bond", "double bond"),
        edges=_bonds([(0, 1, 1), (1, 2, 2), (1, 3, 1)]),
    ),
}


def index_shades(
    index: Int[np.ndarray, "*shape"], num_vectors: int
) -> Float[np.ndarray, "*shape 4"]:
    """Color of each row of a table; those of no row (−1) have the middle color."""
    last = max(num_vectors - 1, 1)
    middle = (num_vectors - 1) / 2
    shown = np.where(np.asarray(index) < 0, middle, index)
    if num_vectors == 1:
        shown = np.full(np.shape(index), 0.5)
    return np.asarray(mpl.colormaps[INDEX_COLORS](shown / last))


def label_shades(
    labels: Int[np.ndarray, "*shape"], num_labels: int
) -> Float[np.ndarray, "*shape 4"]:
    """Color of each label of a graph: gray for a node itself, then one for each."""
    labels = np.asarray(labels)
    shades = np.asarray(mpl.colormaps[LABEL_COLORS](labels / max(num_labels - 1, 1)))
    shades[labels <= 0] = mpl.colormaps[INDEX_COLORS](0.5)
    return shades


def vector_name(offset: int) -> str:
    """Name of the vector of an offset, ``w₋₂`` … ``w₊₂``, in plain characters.

    Examples
    --------
    >>> vector_name(-12), vector_name(0), vector_name(3)
    ('w₋₁₂', 'w₀', 'w₊₃')
    """
    sign = "₋" if offset < 0 else "₊" if offset else ""
    digits = "".join(chr(ord("₀") + int(d)) for d in str(abs(offset)))
    return f"w{sign}{digits}"


def rows_of_query(length: int, query: int, clip: int) -> list[int]:
    """Row of the table for each key, seen from one query."""
    index = relative_position_index(1, length, clip, q_offset=query)
    rows: list[int] = index[0].tolist()
    return rows


def facts(length: int, clip: int) -> dict[str, Any]:
    """How a sentence of `length` tokens uses a table of 2 `clip` + 1 vectors.

    Returns
    -------
    dict
        ``vectors`` in the table, ``offsets`` in the sentence, ``unused`` rows, and the
        pairs of query and key that are ``clipped``: farther apart than `clip`.
    """
    index = relative_position_index(length, length, clip)
    distance = np.abs(np.arange(length) - np.arange(length)[:, None])
    return {
        "vectors": 2 * clip + 1,
        "offsets": 2 * length - 1,
        "unused": 2 * clip + 1 - len(np.unique(index)),
        "clipped": int((distance > clip).sum()),
    }
