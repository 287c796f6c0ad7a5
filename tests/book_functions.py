"""The book's functions, as `posenc.conventions` calls those of others."""

import numpy as np

import posenc


def rotary(x, positions):
    angles = posenc.rope.rotary_angles(positions, x.shape[-1])
    return posenc.rope.apply_rotary(x, angles)


#: By each name that `identify` knows.
OWN = {
    "attention.attention_with_mask": lambda q, k, v, mask: (
        posenc.attention.scaled_dot_product_attention(q, k, v, mask=mask)
    ),
    "attention.causal_mask": posenc.attention.causal_mask,
    "sinusoidal.sinusoidal_encoding": posenc.sinusoidal.sinusoidal_encoding,
    "sinusoidal.sinusoidal_table": posenc.sinusoidal.sinusoidal_table,
    "shaw.relative_position_index": lambda q_len, k_len, k: (
        np.clip(np.arange(k_len) - np.arange(q_len)[:, None], -k, k) + k
    ),
    "t5.relative_position_bucket": lambda r, both, buckets, far: (
        posenc.t5.relative_position_bucket(
            r, bidirectional=both, num_buckets=buckets, max_distance=far
        )
    ),
    "t5.relative_position_bias": lambda table, q_len, k_len, both: (
        posenc.t5.relative_position_bias(table, q_len, k_len, bidirectional=both)
    ),
    "swin.relative_position_index": posenc.swin.relative_position_index,
    "alibi.alibi_slopes": posenc.alibi.alibi_slopes,
    "alibi.alibi_bias": posenc.alibi.alibi_bias,
    "alibi.linear_bias": lambda slopes, q_len, k_len: posenc.alibi.alibi_bias(
        len(slopes), q_len, k_len
    ),
    "rope.apply_rotary": rotary,
}
