"""The widget of the chapter on Shaw: index table, vectors of a query, graphs."""

from typing import Any

import traitlets

from posenc.kit.figures.themes import Themed
from posenc.kit.widgets.base import BookWidget, color_table, table
from posenc.shaw import relative_position_index
from posenc.shaw.figures import (
    GRAPHS,
    INDEX_COLORS,
    LABEL_COLORS,
    TWELVE_WORDS,
    overview,
    vector_name,
)

__all__ = ["RelativeVectors"]

MAX_LENGTH = len(TWELVE_WORDS)
MAX_CLIP = 6
VIEWS = ("sentence", *GRAPHS)


class RelativeVectors(BookWidget):
    """Vectors that a query uses for its keys, in a sentence or in a labeled graph.

    Parameters
    ----------
    view : {"sentence", "tree", "molecule"}, default "sentence"
        A sentence, whose labels are clipped relative positions; or a graph.
    length : int, default 8
        Words of the sentence, 1 … 12.
    max_distance : int, default 2
        Clipping distance k of the sentence, 0 … 6.
    query : int, default 2
        Query whose vectors are drawn; the last one there is, if it is beyond.

    Raises
    ------
    traitlets.TraitError
        If a value is none of those above.

    Examples
    --------
    >>> RelativeVectors(max_distance=1).indices["1"][10:13]
    [0, 1, 2]
    """

    view = traitlets.Enum(VIEWS, default_value="sentence")
    length = traitlets.Int(8, min=1, max=MAX_LENGTH)
    max_distance = traitlets.Int(2, min=0, max=MAX_CLIP)
    query = traitlets.Int(2, min=0, max=MAX_LENGTH - 1)

    @table
    def indices(self) -> dict[str, list[int]]:
        """Row of the table by clipping distance, for offsets −11 … 11."""
        reach, found = MAX_LENGTH - 1, {}
        for k in range(MAX_CLIP + 1):
            index = relative_position_index(1, 2 * reach + 1, k, q_offset=reach)
            found[str(k)] = index[0].tolist()
        return found

    @table
    def names(self) -> dict[str, str]:
        return {str(r): vector_name(r) for r in range(-MAX_CLIP, MAX_CLIP + 1)}

    @table
    def words(self) -> list[str]:
        return list(TWELVE_WORDS)

    @table
    def graphs(self) -> dict[str, Any]:
        return {
            name: {
                "nodes": graph.nodes,
                "places": graph.places,
                "labels": graph.labels,
                "matrix": graph.matrix().tolist(),
            }
            for name, graph in GRAPHS.items()
        }

    @table
    def colors(self) -> dict[str, str]:
        return {"index": color_table(INDEX_COLORS), "label": color_table(LABEL_COLORS)}

    def picture(self) -> Themed:
        """Table and vectors of the present setting."""
        view, length, clip = self.view, self.length, self.max_distance
        size = length if view == "sentence" else len(GRAPHS[view].nodes)
        query = min(self.query, size - 1)
        if view == "sentence":
            alt = (
                f"Table of the vectors that {length} queries use for {length} keys, "
                f"clipped at distance {clip}; below it the words, each tied to the "
                f"vector that query {query} uses for it."
            )
        else:
            alt = (
                f"Table of the labels of a {view} with {size} nodes, and the {view} "
                f"itself, with the labeled edges of node {query}."
            )
        setting: dict[str, Any] = {"length": length, "clip": clip, "query": query}
        return Themed(lambda: overview(view=view, **setting), alt=alt)
