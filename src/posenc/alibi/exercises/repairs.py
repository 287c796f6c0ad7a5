"""Exercise 7: the bias of a released checkpoint, with two mistakes to find."""

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

from posenc.kit.exercises.mistakes import case
from posenc.kit.exercises.tasks import Failure, ask_for_function

from .oracle import bias, causal, close, penalty, slopes, sorted_slopes

_SLOPES = (
    "The slopes are 2^(-8h/H) for every number of heads. The checkpoint was trained "
    "with those of the published recipe: for 12 heads, 8 slopes and 4 appended ones."
)
_SORTED = (
    "The slopes are right but in another order. Head 9 of the checkpoint expects the "
    "first appended one."
)
_FAR = (
    "The sign is turned: the farther a key, the more it gets. The bias is "
    "-slope * (query - key)."
)
_AFTER = (
    "Keys before the query get 0, and those after it the penalty: the two directions "
    "are exchanged."
)


def _bias(
    num_heads: int,
    q_len: int,
    k_len: int,
    q_offset: int,
    *,
    recipe: Callable[[int], list[float]] = slopes,
    rule: Callable[[int], float] = causal,
) -> Any:
    return bias(recipe(num_heads), q_len, k_len, q_offset, rule)


_RECIPES: dict[str, Callable[[int], list[float]]] = {
    _SLOPES: sorted_slopes,
    _SORTED: lambda num_heads: sorted(slopes(num_heads), reverse=True),
}
_RULES: dict[str, Callable[[int], float]] = {
    _FAR: penalty,
    _AFTER: lambda distance: -penalty(-distance),
}
_MISTAKES = [
    *((told, partial(_bias, recipe=recipe)) for told, recipe in _RECIPES.items()),
    *((told, partial(_bias, rule=rule)) for told, rule in _RULES.items()),
    *(  # the sign shows in the first example
        ((sign, order), partial(_bias, recipe=recipe, rule=rule))
        for (order, recipe), (sign, rule) in product(_RECIPES.items(), _RULES.items())
    ),
]


def _show(failure: Failure) -> str:
    h, i, j = failure.entry
    return (
        f"{failure.call}\nhead {h + 1} of {failure.args[0]}, query at "
        f"{failure.case.kwargs['q_offset'] + i}, key at {j}: {failure.gives}"
    )


@ask_for_function(
    "Look at a model with 8 heads first: print the bias of one head for six queries. "
    "Which key is favored?",
    "Then compare the slopes of 12 heads with those of `posenc.alibi.alibi_slopes`. "
    "For 8 heads they agree.",
    "Two lines are wrong: the slopes (append, do not interpolate) and the sign of the "
    "distance.",
    right=_bias,
    what="The bias",
    problem="A bias is not the one that the checkpoint was trained with.",
    example=_show,
    mistakes=_MISTAKES,
    one_of=True,
    held=["8 heads", "12 heads, in the published order", "cached queries"],
    close=close,
)
def repair_checkpoint(rng: Any) -> Any:
    """Find and repair two mistakes in the bias of a released checkpoint."""
    cases = [(8, 1, 1, 0), (8, 3, 3, 0), (12, 2, 2, 0), (12, 1, 6, 5), (3, 4, 6, 2)]
    cases += [(count, 3, 9, 6) for count in rng.integers(2, 20, size=2).tolist()]
    cases += [(4, 1, 700, 600), (2, 600, 1, 0), (2, 1, 3, 40_000)]
    return [case(*shape, q_offset=offset) for *shape, offset in cases]
