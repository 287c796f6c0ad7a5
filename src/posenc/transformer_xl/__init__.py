r"""Memory across segments: scores from four terms, and the relative shift.

Companion of ``book/transformer_xl.md``. The keys are those of a memory followed by the
current segment, the queries those of the segment alone. A score holds four terms, in
which a position enters only as the *distance* i - j (query minus key, the opposite sign
of the relative position):

.. math::

    A_{ij} &= \underbrace{q_i \cdot k_j}_{a} + \underbrace{q_i \cdot r_{i-j}}_{b}
    + \underbrace{u \cdot k_j}_{c} + \underbrace{v \cdot r_{i-j}}_{d} \\
    &= (q_i + u) \cdot k_j + (q_i + v) \cdot r_{i-j} .

Here :math:`r_t = R_t W_{K,R}`, where :math:`R_t` is the sinusoid at the distance t, and
u and v are learned. Only k_len distances occur, so only k_len vectors r are made. The
product of the queries with them has a column per distance, and a shift of each row
makes it a column per key.

Axis names: ``q_len`` = Q, ``k_len`` = K >= Q, ``head_dim`` = D, ``...`` = batch and
heads. Queries are the last Q of the K positions, so all is aligned bottom right.

References
----------
Dai et al. (2019), Transformer-XL: Attentive Language Models Beyond a Fixed-Length
Context, https://arxiv.org/abs/1901.02860, sec. 3.2 (memory), sec. 3.3 (the four terms),
appendix B (the shift).
"""

from .attention import relative_attention, score_mod
from .scores import (
    ScoreTerms,
    attention_scores,
    position_scores,
    relative_shift,
    relative_shift_padded,
    score_terms,
)

__all__ = [  # noqa: RUF022  in the order of the reference
    "ScoreTerms",
    "relative_shift",
    "relative_shift_padded",
    "position_scores",
    "attention_scores",
    "score_terms",
    "relative_attention",
    "score_mod",
]
