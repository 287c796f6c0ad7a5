"""The widget of the chapter on T5: table of buckets, staircase, bias."""

from .bucket_table import BucketTable

__all__ = ["BucketTable"]
