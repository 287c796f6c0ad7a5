r"""CAPE: absolute positions, moved about while training.

Companion of ``book/cape.md``. A network that sees every sequence shifted, jittered and
stretched at random cannot rely on where a token stands, only on which tokens stand near
which. The positions then go into `posenc.sinusoidal.sinusoidal_encoding`.

Axis names: ``seq_len`` = L, ``...`` = batch; each sequence is moved on its own.

References
----------
Likhomanenko et al. (2021), CAPE: Encoding Relative Positions with Continuous Augmented
Positional Embeddings, https://arxiv.org/abs/2106.03143; the order of the steps is that
of the listing in its appendix, which marks padding by NaN instead of a mask.
"""

from .positions import augmented_positions

__all__ = [
    "augmented_positions",
]
