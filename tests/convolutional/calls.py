"""One right call of every public function and module, and values that are refused."""

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

CONVOLUTIONS = "convolutional_encoding grouped_convolution"
REFUSED = [
    ("*", {"groups": 3}, "groups must divide the 4 channels of x, got 3"),
    (CONVOLUTIONS, {"weight": np.ones((4, 4, 3))}, r"weight .* \(..., 4, 2, kernel"),
    (CONVOLUTIONS, {"weight": np.ones((1, 4, 2, 3))}, "must have exactly three axes"),
    (CONVOLUTIONS, {"weight": np.ones((4, 2, 0))}, "a kernel of at least 1, got shape"),
    (CONVOLUTIONS, {"x": np.ones((6, 4))}, "x must have exactly three axes"),
    ("convolutional_encoding", {"bias": np.ones(5)}, r"bias must have shape \(..., 4"),
    ("normalized_weight", {"length": np.ones(2)}, r"length must have shape \(..., 3\)"),
    ("normalized_weight", {"direction": np.ones(3)}, "direction must have shape"),
    ("*", {"mask": np.ones(5, bool)}, r"mask must broadcast to \(2, 6\) .* got shape"),
    ("*", {"mask": np.ones((2, 6, 1), bool)}, r"broadcast to \(2, 6\) .* got shape"),
]
