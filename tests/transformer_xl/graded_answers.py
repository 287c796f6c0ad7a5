"""A right answer to each exercise for marks, in another style than its solution."""

import torch


def layers_needed(position, target, segment_len, memory_len):
    reached = max(position - position % segment_len - memory_len, 0)
    if reached <= target:
        return 1
    return 1 + layers_needed(reached, target, segment_len, memory_len)


def delayed_memory(memory, hidden, memory_len, delay):
    rows = torch.cat([memory, hidden])
    end = max(len(rows) - delay, 0)
    return rows[max(end - memory_len, 0) : end]
