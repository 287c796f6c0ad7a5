"""Figures of the chapter on ALiBi: slopes, reach, and the view of one head."""

from posenc.t5.figures import bias_matrix

from .bfloat16 import rounding, to_bfloat16
from .far_keys import (
    against_t5,
    far_share,
    far_shares,
    needed_score,
    needed_scores,
    worst_far_share,
    worst_shares,
)
from .head_weights import (
    SHARES,
    T5_SETTING,
    head_view,
    measured_reach,
    prior,
    t5_like_bias,
)
from .opening_picture import opening
from .slopes import reaches, slope_dots
from .widget_picture import DEEPEST, overview

__all__ = [
    "DEEPEST",
    "SHARES",
    "T5_SETTING",
    "against_t5",
    "bias_matrix",
    "far_share",
    "far_shares",
    "head_view",
    "measured_reach",
    "needed_score",
    "needed_scores",
    "opening",
    "overview",
    "prior",
    "reaches",
    "rounding",
    "slope_dots",
    "t5_like_bias",
    "to_bfloat16",
    "worst_far_share",
    "worst_shares",
]
