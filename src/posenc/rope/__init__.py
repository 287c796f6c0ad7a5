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

from .angles import axial_angles, axial_angles_3d, multimodal_angles, rotary_angles
from .checkpoint_rules import (
    dynamic_ntk_frequencies,
    llama3_frequencies,
    longrope_attention_factor,
    longrope_frequencies,
    proportional_frequencies,
)
from .decay import decay_bound, mean_partial_sum, xpos_scale
from .layouts import Layout, layout_permutation, rotation_matrix
from .scaling import (
    Ramp,
    Scaling,
    scaled_angles,
    scaled_frequencies,
    yarn_attention_factor,
    yarn_frequencies,
)
from .turns import (
    apply_partial_rotary,
    apply_rotary,
    apply_rotary_complex,
    apply_rotary_real,
    rotary_factors,
)

__all__ = [
    "Layout",
    "Ramp",
    "Scaling",
    "apply_partial_rotary",
    "apply_rotary",
    "apply_rotary_complex",
    "apply_rotary_real",
    "axial_angles",
    "axial_angles_3d",
    "decay_bound",
    "dynamic_ntk_frequencies",
    "layout_permutation",
    "llama3_frequencies",
    "longrope_attention_factor",
    "longrope_frequencies",
    "mean_partial_sum",
    "multimodal_angles",
    "proportional_frequencies",
    "rotary_angles",
    "rotary_factors",
    "rotation_matrix",
    "scaled_angles",
    "scaled_frequencies",
    "xpos_scale",
    "yarn_attention_factor",
    "yarn_frequencies",
]
