"""Cost of Transformer-XL's shift. ``python benchmarks/transformer_xl.py [--quick]``.

The shift itself is a view and moves nothing, so the bound is a plain sum of the content
scores and unshifted position scores. Over length, for one head and as many memories as
queries: both ways to shift end in the same sum, in place and with the position part
made first. Their peaks are measured one process each; their times in turn, in one
process with one thread, and every repeat is kept.
"""

from typing import Any

import torch
from record import Work, in_turn, main, peer, round_robin, show

from posenc.core.arrays import add_to
from posenc.transformer_xl import (
    attention_scores,
    relative_shift,
    relative_shift_padded,
)

HEADS, Q_LEN, K_LEN, HEAD_DIM, SEED = 8, 512, 1024, 64, 0
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)
REPEATS = 11


def scores(length: int) -> Work:
    """Return all four terms for `length` keys and half as many queries."""
    torch.manual_seed(SEED)
    q = torch.randn(1, 1, length // 2, HEAD_DIM, requires_grad=True)
    k, r = torch.randn(2, 1, 1, length, HEAD_DIM, requires_grad=True)
    u, v = torch.randn(2, 1, HEAD_DIM, requires_grad=True)
    return lambda: attention_scores(q, k, r[0], u, v)


def scores_padded(length: int) -> Work:
    """Make the same sum in place, with a position part that padding shifts: a copy."""
    torch.manual_seed(SEED)
    q = torch.randn(1, 1, length // 2, HEAD_DIM, requires_grad=True)
    k, r = torch.randn(2, 1, 1, length, HEAD_DIM, requires_grad=True)
    u, v = torch.randn(2, 1, 1, HEAD_DIM, requires_grad=True)

    def work() -> Any:
        position = relative_shift_padded((q + v) @ r.mT)
        return add_to((q + u) @ k.mT, position)

    return work


MAKERS = {"view": scores, "padded": scores_padded}


def with_gradients(work: Work) -> Work:
    """Return the same work with its gradients."""
    return lambda: work().sum().backward()


def times_over_length() -> dict[str, Any]:
    """Return milliseconds of every repeat by direction, length and way to shift."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    milliseconds: dict[str, Any] = {"forward": {}, "backward": {}}
    for direction, rows in milliseconds.items():
        torch.set_grad_enabled(direction == "backward")
        for length in LENGTHS:
            works = {name: make(length) for name, make in MAKERS.items()}
            if direction == "backward":
                works = {name: with_gradients(work) for name, work in works.items()}
            rows[length] = in_turn(works, repeats=REPEATS)
            print(f"  {direction} {length}: {rows[length]}", flush=True)
    torch.set_grad_enabled(False)
    torch.set_num_threads(threads)
    return milliseconds


def measure() -> dict[str, Any]:
    """Time the shift alone and in the sum of both parts of the scores."""
    torch.manual_seed(SEED)
    content, position = torch.randn(2, 1, HEADS, Q_LEN, K_LEN)
    candidates: dict[str, Work] = {
        "plain_sum": lambda: content + position,
        "sum_with_view": lambda: content + relative_shift(position),
        "sum_with_padding": lambda: content + relative_shift_padded(position),
        "view_alone": lambda: relative_shift(position),
        "padding_alone": lambda: relative_shift_padded(position),
    }
    if xlnet := peer("transformers.models.xlnet.modeling_xlnet"):
        shift = xlnet.XLNetRelativeAttention.rel_shift_bnij
        # XLNet counts distances from both ends: its scores have Q_LEN more columns.
        wide = torch.randn(1, HEADS, Q_LEN, K_LEN + Q_LEN)
        candidates["transformers_xlnet"] = lambda: shift(wide, klen=K_LEN)
    times = round_robin(candidates, repeats=25)
    show(f"shift of {HEADS} × {Q_LEN} × {K_LEN}", times, bound="plain_sum")
    shape = {"num_heads": HEADS, "q_len": Q_LEN, "k_len": K_LEN, "head_dim": HEAD_DIM}
    results = {"settings": shape, "milliseconds": times}
    return results | {"over_length": times_over_length()}


if __name__ == "__main__":
    main(
        __file__, __doc__, measure, MAKERS, LENGTHS, longest={}, seed=SEED, timed=False
    )
