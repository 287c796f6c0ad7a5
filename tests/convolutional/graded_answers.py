"""A right answer to each exercise for marks, in another style than its solution."""

import torch


def zeros_in_windows(seq_len, kernel, dilation):
    before = kernel // 2 * dilation
    after = (kernel - 1 - kernel // 2) * dilation
    outside = torch.ones(before + seq_len + after)
    outside[before : before + seq_len] = 0
    taps = torch.ones(1, 1, kernel)
    result = torch.nn.functional.conv1d(outside[None, None], taps, dilation=dilation)
    return result[0, 0].round().to(torch.int64)


def view_of_layers(frame, kernel, num_layers):
    wide = num_layers * (kernel - 1)
    first = frame - num_layers * (kernel // 2)
    return first, first + wide
