"""Known mistakes: sentences for a learner, and functions that make them."""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any


@dataclass(frozen=True)
class Case:
    """Arguments of one call of an answer, with their special properties.

    Attributes
    ----------
    args, kwargs : tuple, mapping
        The arguments.
    note : str
        Words on them for the sentence that says which property fails.
    trap : str
        Sentence to show if the answer raises an error or returns None here.
    """

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    trap: str = ""

    def of(self, function: Callable[..., Any]) -> Any:
        """Return the result of a function for these arguments."""
        return function(*self.args, **self.kwargs)


def case(*args: Any, **kwargs: Any) -> Case:
    """Return a case with arguments as they are written in a call."""
    return Case(args, kwargs)


#: Sentences, one or several at once, and a function of the answer's own arguments that
#: makes these mistakes; for an exercise on a value, give the wrong value.
Mistakes = Iterable[tuple[str | tuple[str, ...], Any]]


@dataclass(frozen=True)
class Switches:
    """All combinations of a few mistakes, the smallest ones first.

    Parameters
    ----------
    function : function
        Takes the answer's arguments and ``mistakes``, a tuple of names.
    sentences : mapping of str to str
        What to tell a learner, by the name of the mistake.
    at_once : int, default 3
        Mistakes that are combined at most.
    """

    function: Callable[..., Any]
    sentences: Mapping[str, str]
    at_once: int = 3

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], Callable[..., Any]]]:
        for size in range(1, self.at_once + 1):
            for names in combinations(self.sentences, size):
                yield tuple(self.sentences[n] for n in names), self._making(names)

    def _making(self, names: tuple[str, ...]) -> Callable[..., Any]:
        def mistaken(*args: Any, **kwargs: Any) -> Any:
            return self.function(*args, mistakes=names, **kwargs)

        return mistaken


def name_mistake(
    received: Sequence[tuple[Case | tuple[Any, ...], Any]],
    mistakes: Mistakes,
    same: Callable[[Any, Any], bool] = operator.eq,
) -> tuple[str, ...]:
    """Name the first mistake, or first few at once, that explain all results.

    Parameters
    ----------
    received : sequence of (arguments, result)
        What the answer gave.
    mistakes : Mistakes
        Functions of the same arguments, each with one mistake in it or several.
    same : function, default ``==``
        Whether two results are the same.
    """
    pairs = [(c if isinstance(c, Case) else Case(c), result) for c, result in received]
    for sentence, mistaken in mistakes:
        if all(same(result, result_of(mistaken, c)) for c, result in pairs):
            return (sentence,) if isinstance(sentence, str) else sentence
    return ()


def result_of(mistaken: Any, case: Case) -> Any:
    """Return the result of a mistake for a case; a value is the result itself."""
    return case.of(mistaken) if callable(mistaken) else mistaken


def one_of(mistakes: tuple[str, ...]) -> tuple[str, ...]:
    """Name one of several mistakes and their number: something is left to find."""
    if len(mistakes) < 2:
        return mistakes
    return (f"{len(mistakes)} mistakes at once. One of them: {mistakes[0]}",)
