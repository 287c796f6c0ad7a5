"""All settings of the runs as a table."""

from collections.abc import Iterable
from typing import Any

from posenc.core.markdown import Markdown

from .encodings import ENCODINGS, Sizes
from .runs import (
    PAGE,
    SEEDS,
    TASKS,
    TUNED_ON,
    TUNING_SEED,
)
from .sequences import (
    LEARNING_RATES,
    STRETCHES,
    TEST_ANSWERS,
    TEST_TEXTS,
    SequencePlan,
)
from .tasks import task_named


def settings_table() -> Markdown:
    """Tabulate the sequence tasks' settings, read from plans, models and optimizers."""
    plans = [SequencePlan(task, PAGE[0], SEEDS[0]) for task in TASKS]
    runs = [plan.start() for plan in plans]
    run, plan, sizes = runs[0], plans[0], plans[0].sizes
    defaults = run.optimizer.defaults
    (steps,) = {each.max_steps for each in plans}
    words = {
        "model": f"{sizes.num_layers} layers, {sizes.num_heads} heads of "
        f"{sizes.head_dim} numbers, {sizes.d_model} numbers per token; LayerNorm in "
        f"front of each part, GELU, {4 * sizes.d_model} hidden numbers, no dropout",
        "tokens": "; ".join(
            f"`{each.task}` {task_named(each.task).vocab_size}" for each in plans
        ),
        "steps": f"{steps:,} of {plan.batch} texts each, the same for all",
        "lengths": "drawn anew at each step, up to "
        f"{sizes.train_len}, from "
        + ", ".join(f"{task_named(t).shortest} (`{t}`)" for t in TASKS),
        "optimizer": f"{type(run.optimizer).__name__}, betas {_betas(defaults)}, "
        f"weight decay {defaults['weight_decay']:g}; gradients clipped at norm "
        f"{run.clipped:g}",
        "learning rate": f"rises for {run.warmup} steps, then falls in a straight line "
        f"to 0; its height: the best of {_listed(LEARNING_RATES)} for each encoding, "
        f"the smallest mean loss on {_listed(f'`{t}`' for t in TUNED_ON)}",
        "seeds": f"{TUNING_SEED} for the learning rates alone; "
        f"{_listed(map(str, SEEDS))} for results",
        "test": f"at {_listed(f'{sizes.train_len * n:,}' for n in STRETCHES)} tokens, "
        f"on texts that no evaluation has seen: {TEST_ANSWERS:,} answers and "
        f"{TEST_TEXTS} texts or more",
        "encodings": _parts(sizes),
    }
    return _table("setting", "", words.items())


def _parts(sizes: Sizes) -> str:
    """Return the sizes of the encodings, read from their modules."""

    def built(name: str) -> Any:
        added, attentions = ENCODINGS[name].build(sizes)
        heads: Any = attentions[0]
        if name == "convolutional":
            return added
        return heads.bias if name == "t5" else heads.heads

    shaw, t5, rope = (built(name) for name in ("shaw", "t5", "rope"))
    convolution = built("convolutional").convolution
    return (
        f"Shaw clipped at {shaw.max_distance}; T5 {len(t5.table)} buckets up to "
        f"{t5.max_distance}; RoPE base {rope.base:,.0f}; convolution kernel "
        f"{convolution.direction.shape[2]}, {convolution.groups} groups"
    )


def _betas(defaults: dict[str, Any]) -> str:
    return _listed(f"{beta:g}" for beta in defaults["betas"])


def _listed(words: Iterable[Any]) -> str:
    *first, last = [w if isinstance(w, str) else f"{w:g}" for w in words]
    return f"{', '.join(first)} and {last}" if first else last


def _table(first: str, second: str, rows: Iterable[tuple[str, str]]) -> Markdown:
    lines = [f"| {first} | {second} |", "|:--|:--|"]
    return Markdown("\n".join([*lines, *(f"| {a} | {b} |" for a, b in rows)]))
