"""The running example: three tokens, d = 4, the same small numbers in every chapter.

"dog bites man" and "man bites dog" hold the same words; only their order tells who is
hurt. The numbers below are chosen so that queries, keys and scores are small whole
numbers that a reader can check by hand, and so that every score, divided by
sqrt(d) = 2, is whole again: ``Q @ K.T / 2`` is ``[[0, 2, 4], [0, 1, 2], [2, 1, 0]]``.
"""

import numpy as np

TOKENS = ("dog", "bites", "man")

#: Token embeddings, one row per token: shape (seq_len, d_model) = (3, 4).
X = np.asarray(
    [
        [0.0, 2.0, 0.0, 0.0],  # dog
        [0.0, 1.0, 0.0, 2.0],  # bites
        [0.0, 0.0, 2.0, 2.0],  # man
    ]
)

#: Projections, applied from the right (Q = X W_Q): shape (d_model, head_dim) = (4, 4).
W_Q = np.asarray(
    [
        [0.0, 1.0, 0.0, 0.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 0.0],
    ]
)
W_K = np.asarray(
    [
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0, 0.0],
        [1.0, 1.0, 0.0, 0.0],
    ]
)
#: The identity: an output row is then a mixture of the embeddings themselves.
W_V = np.eye(4)

#: Queries, keys and values: shape (seq_len, head_dim) = (3, 4).
Q = X @ W_Q
K = X @ W_K
V = X @ W_V
