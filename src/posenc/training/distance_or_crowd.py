"""Distance or crowd: the cause of failures beyond the trained length.

A longer text has distances that no text of training had, and more keys in each softmax.
Here they come one by one:

- shift: a text of the trained length at the places where a long text ends;
- moved: a shorter text at later places, none of which is new;
- gap: the distances of a long text between its two parts, the keys of a short one;
- inside: the same gap in the middle of the first part;
- crowd: the keys of a long text, and no distance beyond those that each part of a text
  had in training;
- sharper: a long text, with all scores multiplied by a factor.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import torch
from torch.utils.hooks import RemovableHandle

from . import loop
from .encodings import (
    ENCODINGS,
    CausalAttention,
    ClampableDistances,
    StretchableAlibi,
)
from .model import Block, Transformer
from .tasks import FIRST_NUMBER, IGNORED, Batch, Task

if TYPE_CHECKING:
    from .sequences import SequenceRun

#: Places of filler.
Filler = Literal["shift", "gap", "inside"]
#: Tasks and encodings of which results hold these tests.
TESTED = frozenset(
    product(
        ("copy", "index"),
        ("sinusoidal", "shaw", "transformer_xl", "t5", "alibi", "rope"),
    )
) | {("copy", "shaw_clip_63"), ("copy", "t5_wide")}
#: Tasks and encodings of which results hold "moved". Other encodings are relative.
MOVED = ("copy", "sinusoidal"), ("index", "sinusoidal")
#: Lengths as multiples of the trained one.
STRETCHES = (2, 4, 8, 16)
#: Factors of all scores.
FACTORS = (1.5, 2.0, 2.5, 3.0)
#: Tokens that are read at a time.
_AT_ONCE = 8192


def tests(run: "SequenceRun") -> dict[str, Any]:
    """Return all these tests of a run.

    Returns
    -------
    dict
        ``"shift"``, ``"gap"`` and, of `copy`, ``"inside"``: by length, what
        `SequenceRun.test` gives, without the loss. ``"crowd"``: by length, what it
        gives; only of `copy`, and of encodings whose distances can be clamped.
        ``"sharper"``: by length (the trained and the longest one) and factor, the same.
        Of `MOVED`, those of `moved_copy_test` or `moved_index_test`.
    """
    name, train_len = run.plan.encoding, run.plan.sizes.train_len
    lengths = [train_len * n for n in STRETCHES]
    kinds: tuple[Filler, ...] = ("shift", "gap")
    if run.task.name == "copy":
        kinds = (*kinds, "inside")
    results: dict[str, Any] = {
        kind: {str(length): filler_test(run, name, length, kind) for length in lengths}
        for kind in kinds
    }
    if run.task.name == "copy" and f"{name}_clamped" in ENCODINGS:
        results["crowd"] = {str(n): crowd_test(run, name, n) for n in lengths}
    results["sharper"] = {str(length): {} for length in (train_len, lengths[-1])}
    for factor in FACTORS:
        with torch.inference_mode(), sharper(run.model, factor):
            for length, by_factor in results["sharper"].items():
                by_factor[f"{factor:g}"] = run.test(name, int(length))
    if (run.task.name, name) in MOVED:
        copies = run.task.name == "copy"
        results |= moved_copy_test(run) if copies else moved_index_test(run)
    return results


def filler_test(
    run: "SequenceRun", name: str, length: int, kind: Filler
) -> dict[str, float] | None:
    """Test on texts of the trained length with columns of filler in between.

    No token attends to the filler. In "gap" it stands in front of the first question,
    and moves questions and letters as far apart as in a text of `length` tokens. In
    "inside" as much of it stands in the middle of the part before that question. In
    "shift" it stands in front of all, so that the last token stands where it would in a
    text of `length` tokens; only absolute positions change.

    Parameters
    ----------
    run : SequenceRun
        A trained run.
    name : str
        The trained encoding, or one that changes it.
    length : int
        Tokens of the long text.
    kind : {"shift", "gap", "inside"}
        Where the filler stands.

    Returns
    -------
    dict or None
        Share of right answers, its standard error, and the number of answers; None
        where the length is undefined.

    Raises
    ------
    ValueError
        If the task has no two parts, or the encoding mixes neighboring columns.
    """
    if name == "convolutional":
        msg = f"name must be an encoding that filler cannot change, got {name!r}"
        raise ValueError(msg)
    if (ENCODINGS[name].bounded or run.task.bounded) and (
        length > run.plan.sizes.train_len
    ):
        return None
    short, long = run.trained_length, run.fitting(length)
    cut, far = (_first_question(run.task, n) for n in (short, long))
    if long > short and far == cut:
        msg = f"task must ask only in its second part, got {run.task.name!r}"
        raise ValueError(msg)
    filler = far - cut
    if kind == "shift":
        cut, filler = 0, long - short
    if kind == "inside":
        cut //= 2
    run.model.change_to(name)
    tested = _share_of_right(run, short, cut, filler)
    run.model.change_to(run.plan.encoding)
    return tested


def moved_copy_test(run: "SequenceRun") -> dict[str, dict[str, dict[str, float]]]:
    """Test on texts of `copy` that stand at later places, all of them trained ones.

    Each text has half as many tokens as the longest of training, whose second part
    begins behind half of its tokens.

    Parameters
    ----------
    run : SequenceRun
        A trained run of `copy`.

    Returns
    -------
    dict
        By length of the text, what `filler_test` gives. ``"unmoved"``: texts as in
        training. ``"moved"``: texts whose first part ends where the longest one of
        training ended. ``"moved_far"``: texts whose first part begins there, so that
        its letters are at places that only those of second parts had in training.
    """
    end = _first_question(run.task, run.trained_length)
    length = run.fitting(run.plan.sizes.train_len // 2)
    moves = {
        "unmoved": 0,
        "moved": end - _first_question(run.task, length),
        "moved_far": end,
    }
    return {
        kind: {str(length): _share_of_right(run, length, 0, places)}
        for kind, places in moves.items()
    }


def moved_index_test(run: "SequenceRun") -> dict[str, dict[str, dict[str, float]]]:
    """Test on texts of `index` that stand one place later, all at trained places.

    Each text has one token less than the longest of training.

    Parameters
    ----------
    run : SequenceRun
        A trained run of `index`.

    Returns
    -------
    dict
        ``"moved"``: by length of the text, what `filler_test` gives; an answer is right
        if it names the letter that stands as many places behind the start sign as the
        number says. ``"by_place"``: the same, but an answer is right if it names the
        letter at the place where that one stood in training; numbers at whose place
        the start sign now stands are left out.
    """
    from .sequences import shares

    length = run.fitting(run.plan.sizes.train_len - 1)
    by_sign: list[Any] = []
    by_place: list[Any] = []
    for batch, batch_answers in _answers(run, length, 0, 1):
        for tokens, targets, answers in zip(*batch[:2], batch_answers, strict=True):
            asks = targets != IGNORED
            by_sign.append((answers == targets)[asks])
            before = tokens[asks] - FIRST_NUMBER  # one less than the place asked for
            by_place.append((answers[asks] == tokens[before])[before > 0])
    return {
        "moved": {str(length): shares(by_sign)},
        "by_place": {str(length): shares(by_place)},
    }


def _share_of_right(
    run: "SequenceRun", length: int, cut: int, filler: int
) -> dict[str, float]:
    """Return right answers with `filler` hidden columns before token `cut`."""
    from .sequences import shares

    rights: list[Any] = []
    for batch, answers in _answers(run, length, cut, filler):
        right = answers == batch.targets
        rights += [r[s] for r, s in zip(right, batch.scored, strict=True)]
    return shares(rights)


def _answers(
    run: "SequenceRun", length: int, cut: int, filler: int
) -> Iterator[tuple[Batch, Any]]:
    """Draw texts, and answer them with so many hidden columns in front of `cut`."""
    hidden = torch.zeros(length + filler, dtype=torch.bool)
    hidden[cut : cut + filler] = True
    rng, left = np.random.default_rng([run.plan.seed, length, 3]), run.texts(length)
    run.model.hide(hidden.to(loop.DEVICE))
    while left > 0:
        size = min(max(_AT_ONCE // len(hidden), 1), left)
        batch = run.task.draw(rng, size, length)
        tokens = np.insert(batch.tokens, [cut] * filler, 0, axis=1)
        padded = torch.from_numpy(tokens).to(loop.DEVICE)
        with torch.inference_mode():
            answers = run.model(padded)[:, ~hidden].argmax(-1).cpu().numpy()
        yield batch, answers
        left -= size
    run.model.hide(None)


def crowd_test(run: "SequenceRun", name: str, length: int) -> dict[str, float] | None:
    """Test on long texts, in which no distance counts as more than one of training.

    Which distances were there in training depends on the part of the text: in front of
    the first question, no token had a key as far away as that question stood. So this
    is the limit.

    Parameters
    ----------
    run : SequenceRun
        A trained run.
    name : str
        The trained encoding, one whose distances can be clamped.
    length : int
        Tokens of the text.

    Returns
    -------
    dict or None
        As from `SequenceRun.test`.
    """
    farthest = _first_question(run.task, run.trained_length) - 1
    modules: list[Any] = [m for m in run.model.modules() if hasattr(m, "farthest")]
    before = [module.farthest for module in modules]
    for module in modules:
        module.farthest = farthest
    with torch.inference_mode():
        tested = run.test(f"{name}_clamped", length)
    for module, limit in zip(modules, before, strict=True):
        module.farthest = limit
    return tested


@contextmanager
def sharper(
    model: Transformer, factor: float, layers: Collection[int] | None = None
) -> Iterator[None]:
    """Multiply all scores of a model by a factor, for a while.

    A score is a sum of products, each of which has one factor from these modules.

    Parameters
    ----------
    model : Transformer
        Any of the laboratory.
    factor : float
        What scores are multiplied by.
    layers : collection of int, optional
        In which layers, counted from 0; in all unless given.
    """
    hooks: list[RemovableHandle] = []
    changed = [
        block for i, block in enumerate(model.blocks) if layers is None or i in layers
    ]
    for block in changed:
        assert isinstance(block, Block)
        attention: Any = block.attention
        if isinstance(attention, ClampableDistances):
            modules = [attention.key, attention.position]
        else:
            modules = [attention.query]
        hooks += [module.register_forward_hook(_times(factor)) for module in modules]
        if isinstance(attention, CausalAttention) and attention.bias is not None:
            hooks += _bias_times(factor, attention)
        if isinstance(heads := getattr(attention, "heads", None), StretchableAlibi):
            heads.sharpness = factor
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
        for module in model.modules():
            if isinstance(module, StretchableAlibi):
                module.sharpness = 1.0


def _times(factor: float) -> Callable[..., Any]:
    return lambda module, inputs, output: output * factor


def _bias_times(factor: float, attention: CausalAttention) -> list[RemovableHandle]:
    """Multiply the bias in this layer alone: all layers have the same module."""
    bias = attention.bias
    assert bias is not None
    here: list[RemovableHandle] = []

    def before(module: Any, inputs: Any) -> None:
        here.append(bias.register_forward_hook(_times(factor)))

    def after(module: Any, inputs: Any, output: Any) -> None:
        here.pop().remove()

    return [
        attention.register_forward_pre_hook(before),
        attention.register_forward_hook(after),
    ]


def _first_question(task: Task, length: int) -> int:
    """Return the place of the first question: the same in every text of a length."""
    targets = task.draw(np.random.default_rng(0), 1, length).targets
    return int((targets[0] != IGNORED).argmax())
