"""Content of the widget of the chapter on Shaw's vectors, computed by posenc."""

import numpy as np
from widget_page import shades

from posenc.kit.figures.text import signed_offset
from posenc.shaw import relative_position_index
from posenc.shaw.figures import GRAPHS, TWELVE_WORDS, facts, vector_name
from posenc.shaw.widgets import RelativeVectors


def rows_of(w):
    if w.view != "sentence":
        return GRAPHS[w.view].matrix()
    return relative_position_index(w.length, w.length, w.max_distance)


def relative_vectors(w):
    rows, clip = rows_of(w), w.max_distance
    query = min(w.query, len(rows) - 1)
    numbers = {"rows": rows, "query": query}
    if w.view != "sentence":
        edges = len(GRAPHS[w.view].edges)
        return numbers, {f"{edges} edges between {len(rows)} nodes": True}
    known = facts(w.length, clip)
    left, right = ((rows[query] == row).sum() for row in (0, 2 * clip))
    return numbers, {
        f"the table has 2k + 1 = {known['vectors']} vectors": clip > 0,
        f"leftmost vector for {left} key": clip > 0,
        f"rightmost for {right} key": clip > 0,
        "one vector for all pairs": clip == 0,
        f"{known['clipped']} of the {w.length**2} pairs": known["clipped"] > 0,
        "No pair is farther apart": known["clipped"] == 0,
        f"{known['unused']} vector": known["unused"] > 0,
        "never used": known["unused"] > 0,
        f"only {known['offsets']} relative": known["unused"] > 0,
    }


def cell(w, row, column):
    rows, clip = rows_of(w), w.max_distance
    q, k = (min(n, len(rows) - 1) for n in (row, column))
    label = int(rows[q, k])
    if w.view != "sentence":
        graph = GRAPHS[w.view]
        end = f"label {label}, {graph.labels[label]}" if label >= 0 else "no edge"
        return f"query {q} “{graph.nodes[q]}”, key {k} “{graph.nodes[k]}”: {end}"
    clipped = f", clipped to {signed_offset(label - clip)}" * (label - clip != k - q)
    return (
        f"query {q} “{TWELVE_WORDS[q]}”, key {k} “{TWELVE_WORDS[k]}”: relative "
        f"position {signed_offset(k - q)}{clipped} → row {label}, "
        f"{vector_name(label - clip)}"
    )


def key_of_query(w, row, column):
    return cell(w, w.query, row + column)


def table(w):
    rows = relative_position_index(w.length, w.length, w.max_distance)[w.query]
    return [
        [
            f"{k} {TWELVE_WORDS[k]}",
            signed_offset(k - w.query),
            str(row),
            vector_name(int(row) - w.max_distance),
        ]
        for k, row in enumerate(rows)
    ]


def matrix_pixels(w, width, height):
    """Inside the cells, outside of the mark of offset 0."""
    side, rows = (width - 74) // w.length, rows_of(w)
    places = [(59 + k * side, 59 + q * side) for q, k in np.ndindex(rows.shape)]
    return places, shades("coolwarm", rows.ravel() / (2 * w.max_distance))


SHOWN = {RelativeVectors: relative_vectors}
POINTED = {(RelativeVectors, 0): cell, (RelativeVectors, 1): key_of_query}
TABLES = {RelativeVectors: table}
PIXELS = {(RelativeVectors, 0): matrix_pixels}
