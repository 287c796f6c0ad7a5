"""One right call of every public function and module: what tests of all of them use."""

import numpy as np

X = np.linspace(-1.0, 1.0, 48).reshape(2, 6, 4)
MASK = np.asarray([[True, True, True, True, False, False]])
WEIGHT = np.linspace(-1.0, 1.0, 24).reshape(4, 2, 3)

FUNCTIONS = {
    "convolutional_encoding": {
        "x": X,
        "weight": WEIGHT,
        "bias": np.ones(4),
        "groups": 2,
        "mask": MASK,
    },
    "grouped_convolution": {"x": X, "weight": WEIGHT, "groups": 2},
    "normalized_weight": {"direction": WEIGHT, "length": np.ones(3)},
    "gelu": {"x": X},
}
MODULES = {
    "ConvolutionalEncoding": (
        {"channels": 4, "kernel_size": 3, "groups": 2},
        {"x": X, "mask": MASK},
    ),
}
