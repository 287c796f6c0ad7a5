"""Figures of the chapter on T5: buckets, biases, and their place in the network."""

from .biases import (
    BIAS_COLORS,
    HEAD,
    bias_matrix,
    mpnet_bias,
    mpnet_head,
    opening,
    overview,
    place_in_network,
    trained_heads,
)
from .buckets import BUCKET_COLORS, bucket_matrix, bucket_steps, staircase, three_ways

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
