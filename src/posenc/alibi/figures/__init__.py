"""Figures of the chapter on ALiBi: slopes, reach, and the view of one head."""

from posenc.t5.figures import bias_matrix

from .far_keys import (
    against_t5,
    far_share,
    far_shares,
    needed_score,
    needed_scores,
    rounding,
    to_bfloat16,
    worst_far_share,
    worst_shares,
)
from .slopes import (
    DEEPEST,
    LAST_BUCKET,
    SHARES,
    head_view,
    learned_bias,
    measured_reach,
    opening,
    overview,
    prior,
    reaches,
    slope_dots,
)

__all__ = [
    "DEEPEST",
    "LAST_BUCKET",
    "SHARES",
    "against_t5",
    "bias_matrix",
    "far_share",
    "far_shares",
    "head_view",
    "learned_bias",
    "measured_reach",
    "needed_score",
    "needed_scores",
    "opening",
    "overview",
    "prior",
    "reaches",
    "rounding",
    "slope_dots",
    "to_bfloat16",
    "worst_far_share",
    "worst_shares",
]
