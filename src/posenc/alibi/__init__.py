r"""ALiBi: a penalty that grows in a straight line with the distance.

Companion of ``book/alibi.md``. Nothing is learned and nothing is added to the input:
head h subtracts :math:`m_h` times the distance from its scores, before the softmax.

Axis names: ``num_heads`` = H, ``q_len`` = Q, ``k_len`` = K.

References
----------
Press, Smith and Lewis (2022), Train Short, Test Long: Attention with Linear Biases
Enables Input Length Extrapolation, https://arxiv.org/abs/2108.12409, sec. 3. The slopes
for other numbers of heads than powers of two are those of the authors' code,
``ofirpress/attention_with_linear_biases``, ``fairseq/models/transformer.py``,
``get_slopes``.
"""

from .bias import (
    alibi_bias,
    alibi_bias_at,
    alibi_bias_full,
    alibi_reach,
    alibi_slopes,
    score_mod,
)

__all__ = [  # noqa: RUF022  in the order of the reference
    "alibi_slopes",
    "alibi_bias",
    "alibi_bias_full",
    "alibi_bias_at",
    "score_mod",
    "alibi_reach",
]
