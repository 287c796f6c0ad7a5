"""The plans as tables: all settings of the runs, and those that nobody has done yet."""

from collections.abc import Iterable
from typing import Any

from posenc.core import data
from posenc.core.markdown import Markdown

from .encodings import ENCODINGS, Sizes
from .runs import (
    CORE_ENCODINGS,
    SEEDS,
    TASKS,
    TUNED_ON,
    TUNING_SEED,
    best_rates,
    full_plans,
    trained_encodings,
    tuning_plans,
)
from .sequences import (
    LEARNING_RATES,
    STRETCHES,
    TEST_ANSWERS,
    TEST_TEXTS,
    SequencePlan,
)
from .tasks import task_named
from .training import Plan

#: What a name of files begins with that is no task, in words.
_OTHERS = {
    "text": "text",
    "speech": "speech",
    "memory": "memory",
    "shift": "small heads",
}


def settings_table() -> Markdown:
    """Settings of the sequence tasks, read from plans, models and optimizers."""
    plans = [SequencePlan(task, CORE_ENCODINGS[0], SEEDS[0]) for task in TASKS]
    runs = [plan.start() for plan in plans]
    run, plan, sizes = runs[0], plans[0], plans[0].sizes
    defaults = run.optimizer.defaults
    (steps,) = {one.max_steps for one in plans}
    words = {
        "model": f"{sizes.num_layers} layers, {sizes.num_heads} heads of "
        f"{sizes.head_dim} numbers, {sizes.d_model} numbers per token; LayerNorm in "
        f"front of each part, GELU, {4 * sizes.d_model} hidden numbers, no dropout",
        "tokens": "; ".join(
            f"`{one.task}` {task_named(one.task).vocab_size}" for one in plans
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
    """Sizes of the encodings, read from their modules."""

    def built(name: str) -> Any:
        added, attentions = ENCODINGS[name].build(sizes)
        heads: Any = attentions[0]
        if name in ("cape", "convolutional"):
            return added
        return heads.bias if name == "t5" else heads.heads

    shaw, t5, rope = (built(name) for name in ("shaw", "t5", "rope"))
    convolution, maxima = built("convolutional").convolution, built("cape").maxima
    shift, jitter, scale = (
        maxima[f"max_{part}"] for part in ("global_shift", "local_shift", "scale")
    )
    return (
        f"Shaw clipped at {shaw.max_distance}; T5 {len(t5.table)} buckets up to "
        f"{t5.max_distance}; RoPE base {rope.base:,.0f}; convolution kernel "
        f"{convolution.direction.shape[2]}, {convolution.groups} groups; CAPE shift "
        f"{shift:g}, jitter {jitter:g}, scale {scale:g}"
    )


def missing_plans() -> list[Plan]:
    """Plans of the book whose results are not there yet."""
    done = data.load_folder("lab_runs")
    tuned = [one for one in done.values() if "task" in one["plan"]]
    plans = [*tuning_plans(), *full_plans(best_rates(tuned))]
    return [plan for plan in plans if plan.name not in done]


def missing_table() -> Markdown:
    """The runs that are missing, by task: encodings, and seeds of each."""
    missing = missing_plans()
    if not missing:
        return Markdown("Every run of the plans is there.")
    seeds: dict[str, dict[str, list[int]]] = {}
    for plan in missing:
        content = plan.as_data()
        kind = content.get("task") or _OTHERS[plan.name.partition("-")[0]]
        label = f"`{kind}`" if "task" in content else kind
        encoding = content.get("encoding", "")
        title = ENCODINGS[encoding].title if encoding else "all"
        seeds.setdefault(label, {}).setdefault(title, [])
        if content.get("seed") not in seeds[label][title]:
            seeds[label][title].append(content.get("seed", 0))
    rows = []
    for label, encodings in seeds.items():
        same: dict[str, list[str]] = {}
        for title, numbers in encodings.items():
            same.setdefault(_listed(map(str, sorted(numbers))), []).append(title)
        rows.append((label, "; ".join(f"{_all(t)} ({n})" for n, t in same.items())))
    return _table("task", "encodings and seeds", rows)


def _all(titles: list[str]) -> str:
    """Titles, some of which hold a comma; or that these are all."""
    every = [ENCODINGS[name].title for name in trained_encodings()]
    if {*every} <= {*titles}:
        titles = ["every encoding", *(title for title in titles if title not in every)]
    return " · ".join(titles)


def _betas(defaults: dict[str, Any]) -> str:
    return _listed(f"{beta:g}" for beta in defaults["betas"])


def _listed(words: Iterable[Any]) -> str:
    *first, last = [w if isinstance(w, str) else f"{w:g}" for w in words]
    return f"{', '.join(first)} and {last}" if first else last


def _table(first: str, second: str, rows: Iterable[tuple[str, str]]) -> Markdown:
    lines = [f"| {first} | {second} |", "|:--|:--|"]
    return Markdown("\n".join([*lines, *(f"| {a} | {b} |" for a, b in rows)]))
