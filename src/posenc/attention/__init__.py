r"""Scaled dot-product attention, with a place for every encoding to enter.

Companion of ``book/attention.md``. An additive encoding is a `bias` on the scores, a
multiplicative one changes `q` and `k` before the call, and `mask` says who may look at
whom.

Axis names: ``q_len`` = Q, ``k_len`` = K, ``head_dim`` = D, ``...`` = batch and heads.

References
----------
Vaswani et al. (2017), Attention Is All You Need, https://arxiv.org/abs/1706.03762,
sec. 3.2.1, eq. 1.
"""

from .dot_product import attend as attend
from .dot_product import attend_checked as attend_checked
from .dot_product import attention_weights, scaled_dot_product_attention
from .masks import causal_mask, causal_mask_mod, document_mask_mod, window_mask_mod

__all__ = [  # noqa: RUF022  in the order of the reference
    "causal_mask",
    "attention_weights",
    "scaled_dot_product_attention",
    "causal_mask_mod",
    "window_mask_mod",
    "document_mask_mod",
]
