r"""T5's relative position bias: buckets of distances, one learned scalar per head.

Companion of ``book/t5.md``. The relative position :math:`r = \text{key} - \text{query}`
is mapped to one of a few buckets: near distances have a bucket each, far ones share,
in steps that grow like a geometric progression. A table gives each bucket one scalar
per head, which is added to the attention score before the softmax.

Axis names: ``q_len`` = Q, ``k_len`` = K, ``num_heads`` = H.

References
----------
Raffel et al. (2020), Exploring the Limits of Transfer Learning with a Unified
Text-to-Text Transformer, https://arxiv.org/abs/1910.10683, sec. 2.1. The rule itself is
in no equation of the paper; it is that of the authors' code,
``mesh_tensorflow/transformer/transformer_layers.py``, ``_relative_position_bucket``.
"""

from .bias import (
    relative_position_bias,
    relative_position_bias_at,
    relative_position_bias_full,
    score_mod,
)
from .buckets import bucket_starts, relative_position_bucket

__all__ = [  # noqa: RUF022  in the order of the reference
    "bucket_starts",
    "relative_position_bucket",
    "relative_position_bias",
    "relative_position_bias_full",
    "relative_position_bias_at",
    "score_mod",
]
