r"""Rotary position embedding (RoPE). Companion of ``book/rope.md``.

Feature pair :math:`i` of a query or key at position :math:`m` is turned in its plane by
the angle :math:`m\,\theta_i`, with :math:`\theta_i = b^{-2i/D}` and
:math:`i = 0, \dots, D/2 - 1`. The score of a rotated query and a rotated key then
depends on the two positions only through their offset.

Axis names: ``seq_len`` = L, ``head_dim`` = D (even), ``...`` = batch and heads.

References
----------
Su et al. (2021), RoFormer, https://arxiv.org/abs/2104.09864, sec. 3.4.2, eq. 34, and
sec. 3.4.3 for the decay.
"""

from .angles import rotary_angles
from .axial import axial_angles
from .decay import decay_bound, mean_partial_sum
from .layouts import Layout, layout_permutation
from .matrix import rotation_matrix
from .scaling import Scaling, scaled_angles, scaled_frequencies, yarn_attention_factor
from .turns import apply_rotary, apply_rotary_complex, apply_rotary_real, rotary_factors
from .xpos import xpos_scale

__all__ = [
    "Layout",
    "Scaling",
    "apply_rotary",
    "apply_rotary_complex",
    "apply_rotary_real",
    "axial_angles",
    "decay_bound",
    "layout_permutation",
    "mean_partial_sum",
    "rotary_angles",
    "rotary_factors",
    "rotation_matrix",
    "scaled_angles",
    "scaled_frequencies",
    "xpos_scale",
    "yarn_attention_factor",
]
