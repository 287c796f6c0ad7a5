r"""Shifting is rotating: what follows from sine and cosine in pairs.

Companion of ``book/rotation.md``. A step of k positions turns each sine–cosine pair of
`posenc.sinusoidal.sinusoidal_encoding` by an angle that depends on k alone, so that

.. math:: \mathrm{PE}(t + k) &= T_k\,\mathrm{PE}(t) \quad\text{for every } t , \\
    \mathrm{PE}(s) \cdot \mathrm{PE}(t) &= \sum_i \cos(\theta_i (s - t)) .

Axis names: ``seq_len`` = L, ``d_model`` = D, ``head_dim``, ``...`` = batch and heads.

References
----------
Vaswani et al. (2017), Attention Is All You Need, https://arxiv.org/abs/1706.03762,
sec. 3.5, states the linear map; Dai et al. (2019), Transformer-XL,
https://arxiv.org/abs/1901.02860, sec. 3.3, the four terms.
"""

from .shift import shift_operator
from .similarity import ScoreTerms, position_similarity, score_terms

__all__ = [  # noqa: RUF022  in the order of the reference
    "shift_operator",
    "position_similarity",
    "ScoreTerms",
    "score_terms",
]
