"""Figures of the chapter on T5: the matrix of buckets, the staircase, the bias."""

from .made_up_bias import BIAS_COLORS, example_bias
from .opening_picture import opening
from .overviews import overview
from .steps_of_buckets import bucket_steps, staircase
from .tables import BUCKET_COLORS, bias_matrix, bucket_matrix

__all__ = [
    "BIAS_COLORS",
    "BUCKET_COLORS",
    "bias_matrix",
    "bucket_matrix",
    "bucket_steps",
    "example_bias",
    "opening",
    "overview",
    "staircase",
]
