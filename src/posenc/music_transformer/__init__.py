r"""The skew: relative attention without a vector for each pair of query and key.

Companion of ``book/music_transformer.md``. Shaw's position term :math:`q_i \cdot
a_{j-i}` needs only the products of each query with each *offset*. These are one matrix
product, :math:`Q E^\top`: row i holds everything that query i needs, but in the column
of the offset instead of the column of the key. The skew moves each row into place, and
no tensor of shape (L, L, D) is ever made.

The table E has one row per relative position (key minus query), in growing order, and
its last row is the query's own position::

    row      0  …  L-2  L-1        causal: keys at or before the query
    offset  1-L …  -1    0

    row      0  …  L-2  L-1  L  …  2L-2        both sides: causal=False
    offset  1-L …  -1    0   1  …   L-1

Axis names: ``seq_len`` = L, ``head_dim`` = D, ``...`` = batch and heads. A table of
shape (rows, D) is shared by all heads, one of shape (num_heads, rows, D) is not; the
paper has one per head.

References
----------
Huang et al. (2018), Music Transformer, https://arxiv.org/abs/1809.04281: the sections
on relative position-based attention (eq. 3), its memory-efficient implementation
("skewing") and relative local attention, with the two figures that draw them. The
unmasked skew is in no formula of the paper; the steps are those of the authors'
``tensor2tensor/layers/common_attention.py``.
"""

from .local import local_attention, local_mask, local_position_scores
from .scores import (
    attention_scores,
    attention_scores_blocked,
    position_scores,
    relative_attention,
    score_mod,
)
from .skewing import skew, skew_unmasked

__all__ = [
    "attention_scores",
    "attention_scores_blocked",
    "local_attention",
    "local_mask",
    "local_position_scores",
    "position_scores",
    "relative_attention",
    "score_mod",
    "skew",
    "skew_unmasked",
]
