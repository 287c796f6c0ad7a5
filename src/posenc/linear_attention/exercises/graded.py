"""For marks: when a state is smaller than a cache, and attention to what comes."""

from typing import Any

from posenc.kit.exercises.mistakes import Mistakes, case
from posenc.kit.exercises.tasks import ask_for_function

from .oracle import attend, close


def _first_length(
    r: int, d: int, *, state: int, cache: int, equal: bool = False
) -> int:
    """Return the smallest length whose cache is larger than the state, by trying."""
    length = 1
    while length * cache < state or (length * cache == state and not equal):
        length += 1
    return length


_SAVING_MISTAKES: Mistakes = [
    (
        "The normalizer z is missing: it has r numbers more.",
        lambda r, d: _first_length(r, d, state=r * d, cache=2 * d),
    ),
    (
        "The cache holds keys and values, so 2 d numbers for each token.",
        lambda r, d: _first_length(r, d, state=r * (d + 1), cache=d),
    ),
    (
        "At that length both are equally large. The state has to be strictly smaller.",
        lambda r, d: _first_length(r, d, state=r * (d + 1), cache=2 * d, equal=True),
    ),
    (
        "The cache holds keys and values as they are, with d numbers each. It does not "
        "hold features.",
        lambda r, d: _first_length(r, d, state=r * (d + 1), cache=r + d),
    ),
]


@ask_for_function(
    "How many numbers has S, how many has z? How many are added to the cache for each "
    "token?",
    "r d + r numbers against 2 L d.",
    "The smallest whole L with 2 L d > r (d + 1) is r (d + 1) // (2 d) + 1.",
    right=lambda r, d: _first_length(r, d, state=r * (d + 1), cache=2 * d),
    what="The length",
    problem="The length is wrong.",
    mistakes=_SAVING_MISTAKES,
    held=["any number of features", "strictly smaller"],
)
def saving_length(rng: Any) -> Any:
    """Smallest length for which the state holds fewer numbers than a cache."""
    drawn = rng.integers(2, 60, size=(3, 2)).tolist()
    return [
        (2, 1),
        (4, 4),
        (8, 3),
        (64, 64),
        (36, 8),
        *map(tuple, drawn),
        (700, 600),
        (40_000, 3),
        (4000, 700),
    ]


def _backward(q: Any, k: Any, v: Any, *, decay: float, **wrong: Any) -> Any:
    """Do the causal sum on the text read backwards, without a query's own key."""
    options = {"extra": -1, **wrong}
    return attend(q[::-1], k[::-1], v[::-1], decay=decay, **options)[::-1]


_BACKWARD_MISTAKES: Mistakes = [
    (
        "A query sees its own key, too. Here it sees those after it only.",
        lambda q, k, v, decay: _backward(q, k, v, decay=decay, extra=0),
    ),
    (
        "That looks back. Here a query sees the keys after it.",
        lambda q, k, v, decay: attend(q, k, v, decay=decay),
    ),
    (
        "That looks both ways.",
        lambda q, k, v, decay: attend(q, k, v, decay=decay, causal=False),
    ),
    (
        "The normalizer does not fade with the state, so the weights sum to less than "
        "one.",
        lambda q, k, v, decay: _backward(q, k, v, decay=decay, bottom_decay=1.0),
    ),
    (
        "The sums of the weights are missing: divide by them.",
        lambda q, k, v, decay: _backward(q, k, v, decay=decay, bottom=False),
    ),
    (
        "Nothing fades: the decay is ignored.",
        lambda q, k, v, decay: _backward(q, k, v, decay=1.0),
    ),
]


@ask_for_function(
    "The causal layer walks from the first token on. Where does this one begin?",
    "Begin with the last token. In which order does a step fade, read and add, if a "
    "query is not to see its own key?",
    "Fade state and normalizer, then read, then add the token. At the last token "
    "there is nothing to read.",
    right=_backward,
    what="The output",
    problem="The output of a token is wrong.",
    mistakes=_BACKWARD_MISTAKES,
    held=["the last token sees nothing", "any decay"],
    shown=["q", "k", "v"],
    close=close,
)
def backward_attention(rng: Any) -> Any:
    """Linear attention with a decay in which tokens see what comes after them."""
    cases = []
    for length, r, d, decay in [(2, 2, 2, 0.5), (3, 2, 3, 0.9), (6, 4, 2, 0.7)]:
        q, k = rng.uniform(0.2, 2, size=(2, length, r)).round(2)
        v = rng.normal(size=(length, d)).round(2)
        cases.append(case(q, k, v, decay=decay))
    return cases
