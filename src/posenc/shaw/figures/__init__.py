"""Figures of the chapter on Shaw's vectors: index tables, the band, labels."""

from .arrows_to_rows import index_arrows
from .cost import cost_over_length
from .flow_of_data import data_flow
from .graphs import GRAPHS, LABEL_COLORS, Graph, graph_edges, label_shades
from .matrices_of_labels import absolute_and_relative, band, index_matrix, label_matrix
from .memory import FORMS, megabytes, memory_table
from .opening_picture import opening
from .published_scores import BLEU_BY_CLIP, BLEU_BY_PLACE, bleu
from .sentence_as_graph import sequence_graph
from .trained_tables import cosines, trained_cosines, vits_products
from .widget_picture import overview
from .words_and_rows import (
    FIVE_WORDS,
    INDEX_COLORS,
    TWELVE_WORDS,
    facts,
    index_shades,
    rows_of_query,
    vector_name,
)

__all__ = [
    "BLEU_BY_CLIP",
    "BLEU_BY_PLACE",
    "FIVE_WORDS",
    "FORMS",
    "GRAPHS",
    "INDEX_COLORS",
    "LABEL_COLORS",
    "TWELVE_WORDS",
    "Graph",
    "absolute_and_relative",
    "band",
    "bleu",
    "cosines",
    "cost_over_length",
    "data_flow",
    "facts",
    "graph_edges",
    "index_arrows",
    "index_matrix",
    "index_shades",
    "label_matrix",
    "label_shades",
    "megabytes",
    "memory_table",
    "opening",
    "overview",
    "rows_of_query",
    "sequence_graph",
    "trained_cosines",
    "vector_name",
    "vits_products",
]
