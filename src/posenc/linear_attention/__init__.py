r"""Linear attention: a kernel instead of the softmax, with rotation and decay.

Companion of ``book/linear_attention.md``. Softmax attention weighs value j with
:math:`\exp(q_i \cdot k_j)` over the sum of all of them. With a kernel
:math:`\varphi(q_i) \cdot \varphi(k_j)` in place of the exponential, the sum over the
keys can be done once for all queries:

.. math:: o_i &= \frac{\sum_j \varphi(q_i)\, \varphi(k_j)^\top v_j}
                     {\sum_j \varphi(q_i)\, \varphi(k_j)^\top}
              = \frac{\varphi(q_i)\, S}{\varphi(q_i) \cdot z}, \\
    S &= \sum_j \varphi(k_j)^\top v_j,\quad z = \sum_j \varphi(k_j)

Position enters by rotating the features in the numerator, by a state that decays in the
causal sums, :math:`S_t = \lambda S_{t-1} + \varphi(k_t)^\top v_t`, or by any bias of
the offset, as a Toeplitz matrix. `quadratic_form`, `recurrent_form` and `chunked_form`
compute the same; `linear_attention` picks the fast one.

Axis names: ``q_len`` = Q, ``k_len`` = K, ``seq_len`` = L where both are equal,
``head_dim`` = D, ``value_dim`` = E, ``...`` = batch and heads; r features.

References
----------
Katharopoulos et al. (2020), Transformers are RNNs, https://arxiv.org/abs/2006.16236,
sec. 3.2 to 3.4.
Su et al. (2021), RoFormer, https://arxiv.org/abs/2104.09864, eq. 19 (the rotation).
Luo et al. (2021), Stable, Fast and Accurate: Kernelized Attention with Relative
Positional Encoding, https://arxiv.org/abs/2106.12566 (the Toeplitz matrix).
"""

from posenc.rope import Layout

from .attention import linear_attention, linear_attention_weights, quadratic_form
from .causal_forms import (
    chunked_form,
    linear_attention_with_state,
    recurrent_form,
)
from .feature_maps import (
    FeatureMap,
    elu_plus_one,
    orthogonal_projection,
    polynomial_lift,
    positive_random_features,
)
from .state import State
from .toeplitz import toeplitz_linear_attention, toeplitz_linear_attention_full

__all__ = [
    "FeatureMap",
    "Layout",
    "State",
    "chunked_form",
    "elu_plus_one",
    "linear_attention",
    "linear_attention_weights",
    "linear_attention_with_state",
    "orthogonal_projection",
    "polynomial_lift",
    "positive_random_features",
    "quadratic_form",
    "recurrent_form",
    "toeplitz_linear_attention",
    "toeplitz_linear_attention_full",
]
