r"""Relative positions as vectors: one vector per clipped offset, on keys and on values.

Companion of ``book/shaw.md``. The pair of query i and key j has two learned vectors,
:math:`a^K_{ij}` and :math:`a^V_{ij}`, which depend on the relative position
:math:`j - i` (key minus query) alone, and no longer change beyond a maximal distance k:

.. math::

    e_{ij} &= \frac{q_i \cdot (k_j + a^K_{ij})}{\sqrt d} , \\
    z_i &= \sum_j \alpha_{ij} (v_j + a^V_{ij}) , \qquad
    a_{ij} = w_{\mathrm{clip}(j - i, k)} .

So a table holds 2k + 1 vectors. Row k belongs to the query's own position, the rows
below k to keys on its left, the rows above k to keys on its right.

Axis names: ``q_len`` = Q, ``k_len`` = K, ``head_dim`` = D, ``...`` = batch and heads.
A table of shape (2k + 1, D) is shared by all heads, as in the text of the paper; one of
shape (num_heads, 2k + 1, D) gives each head its own.

References
----------
Shaw, Uszkoreit and Vaswani (2018), Self-Attention with Relative Position
Representations, https://arxiv.org/abs/1803.02155: sec. 3.1 with eq. 3 and 4 (the two
vectors), 3.2 (clipping and graphs), 3.3 with eq. 5 (products in batches).
"""

from .attention import graph_attention, position_values, relative_attention
from .labels import relative_position_index
from .plain import (
    position_scores_batched,
    position_scores_broadcast,
    position_values_batched,
    position_values_broadcast,
)
from .scores import (
    attention_scores,
    attention_scores_blocked,
    position_scores,
    score_mod,
)

__all__ = [
    "attention_scores",
    "attention_scores_blocked",
    "graph_attention",
    "position_scores",
    "position_scores_batched",
    "position_scores_broadcast",
    "position_values",
    "position_values_batched",
    "position_values_broadcast",
    "relative_attention",
    "relative_position_index",
    "score_mod",
]
