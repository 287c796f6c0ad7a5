"""Figures of the chapter on T5: buckets, biases, and their place in the network."""

from .encoder_and_decoder import place_in_network
from .matrices_of_buckets import BUCKET_COLORS, bias_matrix, bucket_matrix
from .opening_picture import opening
from .steps_of_buckets import bucket_steps, staircase
from .three_ways import three_ways
from .trained_bias import BIAS_COLORS, HEAD, mpnet_bias, mpnet_head, trained_heads
from .widget_picture import overview

__all__ = [
    "BIAS_COLORS",
    "BUCKET_COLORS",
    "HEAD",
    "bias_matrix",
    "bucket_matrix",
    "bucket_steps",
    "mpnet_bias",
    "mpnet_head",
    "opening",
    "overview",
    "place_in_network",
    "staircase",
    "three_ways",
    "trained_heads",
]
