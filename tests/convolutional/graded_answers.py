"""Right answers to the exercises for marks, in loops and in torch or NumPy."""

import torch


def zeros_loops(seq_len, kernel, dilation):
    counts = []
    for t in range(seq_len):
        window = [t + (tap - kernel // 2) * dilation for tap in range(kernel)]
        counts.append(sum(frame < 0 or frame >= seq_len for frame in window))
    return counts


def zeros_torch(seq_len, kernel, dilation):
    before = kernel // 2 * dilation
    after = (kernel - 1 - kernel // 2) * dilation
    outside = torch.ones(before + seq_len + after)
    outside[before : before + seq_len] = 0
    taps = torch.ones(1, 1, kernel)
    found = torch.nn.functional.conv1d(outside[None, None], taps, dilation=dilation)
    return found[0, 0].round().to(torch.int64)


def view_loops(frame, kernel, num_layers):
    seen = {frame}
    for _ in range(num_layers):
        seen = {f + tap - kernel // 2 for f in seen for tap in range(kernel)}
    return [min(seen), max(seen)]


def view_formula(frame, kernel, num_layers):
    wide = num_layers * (kernel - 1)
    first = frame - num_layers * (kernel // 2)
    return first, first + wide


RIGHT = {
    "convolutional.zeros_in_windows": [zeros_loops, zeros_torch],
    "convolutional.view_of_layers": [view_loops, view_formula],
}
WRONG = {
    "convolutional.zeros_in_windows": [(lambda n, k, d: [0] * n, "another number")],
    "convolutional.view_of_layers": [(lambda f, k, n: (f, f), "elsewhere")],
}
