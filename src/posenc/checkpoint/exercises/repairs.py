"""Exercises 4 to 6: three mistakes of public loaders, to find and to mend."""

import math
from typing import Any

import numpy as np

from posenc.kit.exercises.mistakes import Case, Mistakes, Switches, case
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import converted, turning_layers, yarn_factor


def _computed(scaling: Any) -> float:
    return 0.1 * math.log(scaling["factor"]) + 1 if scaling["factor"] > 1 else 1.0


def _without(scaling: Any, *keys: str) -> Any:
    return {key: value for key, value in scaling.items() if key not in keys}


def _truthy(scaling: Any) -> float:
    given = scaling.get("attention_factor")
    rest = _without(scaling, "attention_factor")
    return float(given) if given and given != 1 else yarn_factor(rest)


def _one_for_absent(scaling: Any) -> float:
    absent = {"mscale": 1.0, "mscale_all_dim": 1.0}
    return yarn_factor(absent | dict(scaling))


def _quotient(scaling: Any, mscale: float, all_dim: float) -> float:
    given = scaling.get("attention_factor")
    grown = 0.1 * math.log(max(scaling["factor"], 1.0))
    return (mscale * grown + 1) / (all_dim * grown + 1) if given is None else given


def _zero_counts(scaling: Any) -> float:
    mscale, all_dim = scaling.get("mscale"), scaling.get("mscale_all_dim")
    absent = mscale is None or all_dim is None
    return _quotient(scaling, *((1.0, 0.0) if absent else (mscale, all_dim)))


_FACTOR_MISTAKES: Mistakes = [
    (
        "attention_factor is never read. A config that names it means just that "
        "number.",
        lambda s: yarn_factor(_without(s, "attention_factor")),
    ),
    (
        (
            "attention_factor is never read. A config that names it means just that "
            "number.",
            "mscale and mscale_all_dim are never read.",
        ),
        _computed,
    ),
    (
        "attention_factor is multiplied by the computed number. It replaces it.",
        lambda s: (
            (s.get("attention_factor", None) or 1.0)
            * yarn_factor(_without(s, "attention_factor"))
        ),
    ),
    (
        (
            "attention_factor is multiplied by the computed number. It replaces it.",
            "mscale and mscale_all_dim are never read.",
        ),
        lambda s: (s.get("attention_factor") or 1.0) * _computed(s),
    ),
    (
        "mscale and mscale_all_dim are never read: they count where both are there "
        "and not 0.",
        lambda s: yarn_factor(_without(s, "mscale", "mscale_all_dim")),
    ),
    (
        "An mscale_all_dim that is missing is taken for 1. Without both keys, mscale "
        "counts as 1 and nothing is divided.",
        _one_for_absent,
    ),
    (
        "An mscale without mscale_all_dim is counted. One of the two alone counts for "
        "nothing.",
        lambda s: _quotient(s, s.get("mscale") or 1, s.get("mscale_all_dim") or 0),
    ),
    (
        "An mscale_all_dim of 0 is put into the quotient. A 0 counts as absent: then "
        "both keys are passed over.",
        _zero_counts,
    ),
    (
        "An attention_factor of 1 is taken for one that is missing.",
        _truthy,
    ),
]


@ask_for_function(
    "Try {'factor': 64.0, 'attention_factor': 1.0}. What does the config want?",
    "Look for attention_factor first: if it is there and not None, it is the answer. "
    "Only then compute.",
    "With mscale and mscale_all_dim both there and not 0, the answer is a quotient: "
    "0.1 * mscale * log(factor) + 1 over the same of mscale_all_dim; else "
    "0.1 * log(factor) + 1.",
    right=yarn_factor,
    what="The factor",
    problem="The factor is not what the config means.",
    mistakes=_FACTOR_MISTAKES,
    one_of=True,
    held=["explicit factors", "both mscale keys", "neither"],
)
def repair_factor(rng: Any) -> Any:
    """Repair the factor of YaRN's queries and keys."""
    drawn = [
        {"factor": round(float(f), 1), "attention_factor": round(float(a), 2)}
        for f, a in rng.uniform((2, 0.5), (60, 2), size=(2, 2))
    ]
    configs = [
        {"factor": 64.0, "attention_factor": 1.0},
        {"factor": 4.0},
        {"factor": 1.0},
        {"factor": 40.0, "mscale": 1.0, "mscale_all_dim": 1.0},
        {"factor": 40.0, "mscale": 0.7, "mscale_all_dim": 0.4},
        {"factor": 8.0, "mscale": 0.7},
        {"factor": 8.0, "mscale": 0.7, "mscale_all_dim": 0},
        {"factor": 16.0, "attention_factor": None},
        {"factor": 16.0, "attention_factor": 0.88, "mscale": 1, "mscale_all_dim": 2},
        *drawn,
    ]
    return [Case((config,), trap=_trap(config)) for config in configs]


def _trap(config: Any) -> str:
    if None not in config.values():
        return ""
    return "A key may be None, as here: that counts as absent."


_LAYER_SENTENCES = {
    "interval wins": "An interval wins over a list: the list counts alone.",
    "name": "The list is read as its name says. In it 1 stands for a layer that turns, "
    "0 for one that does not.",
    "unread": "The list is never read: it wins over the interval.",
    "first": "It is the last layer of each group that does not turn, not the first.",
    "exchanged": "Without a list the last layer of each group turns and the others do "
    "not: it is the other way round.",
    "all": "Without a list every layer turns. The rule of the family counts then: "
    "every fourth one does not.",
    "four": "The interval is not always 4: no_rope_layer_interval gives it.",
}


def _layers(config: Any, mistakes: tuple[str, ...] = ()) -> list[bool]:
    """Return True for each layer that turns, with some mistakes."""
    listed, every = config.get("no_rope_layers"), config.get("no_rope_layer_interval")
    wins = "interval wins" in mistakes and every is not None
    if listed is not None and not wins and "unread" not in mistakes:
        return [(value == 1) != ("name" in mistakes) for value in listed]
    every = 4 if every is None or "four" in mistakes else every
    place = 0 if "first" in mistakes else every - 1
    still = [i % every == place for i in range(config["num_hidden_layers"])]
    if "all" in mistakes:
        return [True] * len(still)
    return [stays == ("exchanged" in mistakes) for stays in still]


@ask_for_function(
    "How many layers of SmolLM3 turn? Its authors write that every fourth does not.",
    "Try four layers without a list: which of 0, 1, 2 and 3 should not turn? Then try "
    "a list beside an interval: which of the two counts?",
    "With a list: 1 is a layer that turns. Without one: layer i does not turn where "
    "(i + 1) is a multiple of the interval, 4 if that is absent, too.",
    right=turning_layers,
    what="The list of layers",
    problem="A layer turns that should not, or the other way round.",
    mistakes=Switches(_layers, _LAYER_SENTENCES, at_once=2),
    one_of=True,
    held=["lists", "intervals", "neither"],
)
def repair_layers(rng: Any) -> Any:
    """Repair the list of the layers that turn."""
    drawn = rng.integers(0, 2, size=7).tolist()
    configs = [
        {"num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0]},
        {"num_hidden_layers": 8},
        {"num_hidden_layers": 6, "no_rope_layers": None, "no_rope_layer_interval": 3},
        {"num_hidden_layers": 5, "no_rope_layer_interval": 2},
        {
            "num_hidden_layers": 3,
            "no_rope_layers": [1, 0, 0],
            "no_rope_layer_interval": 2,
        },
        {"num_hidden_layers": 8, "no_rope_layers": [0, *drawn]},
    ]
    return [Case((config,), trap=_trap(config)) for config in configs]


def _whole(weight: Any, num_heads: int, rotary_dim: int) -> Any:
    return converted(weight, num_heads, len(weight) // num_heads)


def _back(weight: Any, num_heads: int, rotary_dim: int) -> Any:
    size, out = len(weight) // num_heads, np.zeros_like(weight)
    places = np.arange(len(weight))[:, None]
    order = converted(places, num_heads, rotary_dim)[:, 0]
    assert size * num_heads == len(weight)
    out[order] = weight
    return out


_CONVERSION_MISTAKES: Mistakes = [
    (
        "Whole heads are permuted. Features beyond rotary_dim form no pairs, and stay "
        "where they are.",
        _whole,
    ),
    (
        "The permutation goes back, from halves to neighbors.",
        _back,
    ),
    (
        "The heads are taken together: the permutation belongs to each head.",
        lambda w, h, r: converted(w, 1, min(h * r, len(w))),
    ),
    (
        "The first head alone is permuted. The same is due to each head.",
        lambda w, h, r: np.concatenate(
            [converted(w[: len(w) // h], 1, r), w[len(w) // h :]]
        ),
    ),
    ("Nothing is permuted.", lambda w, h, r: w),
    (
        "The last features of a head are permuted. It is the first ones that turn.",
        lambda w, h, r: np.concatenate(
            [
                np.concatenate(
                    [rows[: len(rows) - r], converted(rows[len(rows) - r :], 1, r)]
                )
                for rows in np.split(w, h)
            ]
        ),
    ),
]


def _show(failure: Failure) -> str:
    row = failure.entry[0]
    return f"{failure.call}\nrow {row} {failure.gives}"


@ask_for_function(
    "Give each row its own number, weight = np.arange(8)[:, None], and look where the "
    "rows of one head of eight go, with rotary_dim = 4.",
    "In GPT-NeoX a quarter of each head turns. Which rows may not move?",
    "Cut each head in two, [:, :rotary_dim] and [:, rotary_dim:]; permute the first "
    "part, and put the second after it.",
    right=converted,
    what="The weight",
    problem="A row is not where the half-split model looks for it.",
    mistakes=_CONVERSION_MISTAKES,
    held=["heads that turn whole", "heads that turn in part", "several heads"],
    example=_show,
    shown=["weight"],
)
def repair_conversion(rng: Any) -> Any:
    """Repair the conversion of a projection from neighbors to halves."""
    cases = []
    for heads, size, turned in [(1, 8, 4), (2, 6, 6), (3, 16, 8), (5, 60, 24)]:
        weight = np.round(rng.normal(size=(heads * size, 3)), 2)
        cases.append(case(weight, heads, turned))
    return cases
