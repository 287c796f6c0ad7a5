"""The widget as a still picture: table and staircase of one setting."""

from typing import Any

import numpy as np
from jaxtyping import Float
from matplotlib.figure import Figure

from posenc import t5
from posenc.core.arrays import relative_positions
from posenc.kit.figures.themes import choose, panels

from .matrices_of_buckets import bias_matrix, bucket_matrix
from .steps_of_buckets import staircase


def overview(
    *,
    q_len: int = 16,
    k_len: int = 16,
    num_buckets: int = 16,
    max_distance: int = 128,
    bidirectional: bool = True,
    bias: Float[np.ndarray, " {num_buckets}"] | None = None,
) -> Figure:
    """Table and staircase of one setting side by side: the widget as a still picture.

    Parameters
    ----------
    q_len, k_len : int
        Rows and columns of the table, in tokens.
    num_buckets, max_distance, bidirectional
        As in `posenc.t5.bucket_starts`.
    bias : float array of shape (num_buckets,), optional
        Scalar of each bucket; if given, the table shows it in place of the numbers.
    """
    setting: dict[str, Any] = {
        "num_buckets": num_buckets,
        "max_distance": max_distance,
        "bidirectional": bidirectional,
    }
    buckets = t5.relative_position_bucket(relative_positions(q_len, k_len), **setting)
    figure, (left, right) = panels(
        1,
        2,
        figsize=(9.6, 4.5),
        narrow_height=8.6,
        layout=choose("constrained", "compressed"),
        ratios=choose((11, 9), (1, 1)),
    )
    if bias is None:
        bucket_matrix(
            buckets, num_buckets=num_buckets, causal=not bidirectional, ax=left
        )
    else:
        limit = float(np.abs(bias[1:]).max())  # bucket 0 lies far below
        values = np.asarray(bias)[buckets]
        bias_matrix(values, limit=limit, causal=not bidirectional, ax=left)
    staircase(ax=right, **setting)
    return figure
