"""Content of the widget of the chapter on T5, computed by posenc."""

import numpy as np
from widget_page import Near, shades

from posenc import t5
from posenc.core.arrays import relative_positions
from posenc.kit.figures.text import signed_offset
from posenc.t5.figures import mpnet_head
from posenc.t5.widgets import BucketTable


def setting_of(w):
    names = ("num_buckets", "max_distance", "bidirectional")
    return {name: getattr(w, name) for name in names}


def bucket_table(w):
    setting = setting_of(w)
    diagonals = np.arange(1 - w.q_len, w.k_len)
    buckets = t5.relative_position_bucket(diagonals, **setting)
    starts = t5.bucket_starts(**setting)
    logarithmic = len(starts) - len(starts) // 2
    empty = (starts[1:] == starts[:-1]).sum()
    numbers = {"buckets": buckets, "bias": Near(mpnet_head(**setting), 0.005)}
    return numbers, {
        f"The last bucket begins at distance {starts[-1]}, ": True,
        "max distance itself": starts[-1] == w.max_distance,
        "Every logarithmic bucket holds": empty == 0,
        f"{empty} of the {logarithmic} logarithmic buckets": empty > 0,
        f"Bucket {w.num_buckets // 2} is never used": w.bidirectional,
        f"meets {len(np.unique(buckets))} of {w.num_buckets} buckets": True,
    }


def cell(w, row, column):
    q, k = min(row, w.q_len - 1), min(column, w.k_len - 1)
    bucket = t5.relative_position_bucket(np.asarray(k - q), **setting_of(w))
    hidden = k > q and not w.bidirectional
    offset = signed_offset(k - q)
    return (
        f"query {q}, key {k}: relative position {offset} → bucket {bucket}",
        "hidden by the causal mask" if hidden else "",
    )


def table(w):
    positions = relative_positions(w.q_len, w.k_len)
    buckets = t5.relative_position_bucket(positions, **setting_of(w)).ravel()
    counts = np.bincount(buckets, minlength=w.num_buckets)
    return [[str(n), ..., str(count)] for n, count in enumerate(counts)]


def matrix_pixels(w, width, height):
    size, cells = (width - 36) // 16, list(np.ndindex(w.q_len, w.k_len))
    places = [(36 + k * size, 36 + q * size) for q, k in cells]
    buckets = t5.relative_position_bucket(
        np.asarray([k - q for q, k in cells]), **setting_of(w)
    )
    return places, shades("viridis", buckets / (w.num_buckets - 1))


SHOWN = {BucketTable: bucket_table}
POINTED = {(BucketTable, 0): cell}
TABLES = {BucketTable: table}
PIXELS = {(BucketTable, 0): matrix_pixels}
