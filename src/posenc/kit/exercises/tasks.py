"""Exercises as data: cases, the right answer, known mistakes; and one judge for them.

`ask_for_function` and `ask_for_value` register such an exercise. One that needs more is
a checker of its own, registered by `posenc.kit.exercises.registry.exercise`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .attempt import NO_RETURN, Attempt, Shown, WrongError, flat, is_blank
from .mistakes import Case, Mistakes, name_mistake, one_of, result_of
from .registry import register
from .values import snap

#: Cases of a task, smallest first; or those of each part, by what is reported of it.
Cases = (
    Iterable[Case | tuple[Any, ...]] | Mapping[str, Iterable[Case | tuple[Any, ...]]]
)


def close(received: Any, right: Any) -> Any:
    """Return True if entries agree: exactly if whole, else as float32 would."""
    if np.asarray(received).dtype.kind in "iub":
        return np.equal(received, right)
    return np.isclose(received, right, rtol=1e-5, atol=1e-6, equal_nan=True)


@dataclass(frozen=True)
class Failure:
    """The first case that an answer gets wrong, for the example of a report.

    Attributes
    ----------
    case : Case
        Arguments of the call.
    received, right : array or object
        What came out, and what should have.
    entry : tuple of int
        Index of the first entry that is wrong; ``()`` if the result is one number.
    call : str
        Code that repeats the call.
    part : str
        Part of the task that the case belongs to.
    seen : sequence of (Case, result)
        All cases, for what can be said about them together.
    """

    case: Case
    received: Any
    right: Any
    entry: tuple[int, ...]
    call: str
    part: str
    seen: Sequence[tuple[Case, Any]]

    @property
    def args(self) -> tuple[Any, ...]:
        """Positional arguments of the call."""
        return self.case.args

    @property
    def gives(self) -> str:
        """The wrong entry in words: ``gives 2, should be 3``."""
        got, want = np.asarray(self.received), np.asarray(self.right)
        return f"gives {_words(got[self.entry])}, should be {_words(want[self.entry])}"


def _words(value: Any) -> str:
    plain = value.tolist()
    return f"{plain:.6g}" if isinstance(plain, float) else str(plain)


def show_entry(failure: Failure) -> str:
    """Write an example of a report: the call, and the first entry that is wrong."""
    place = ", ".join(map(str, failure.entry))
    return f"{failure.call}{f'[{place}]' if place else ''}\n{failure.gives}"


@dataclass(frozen=True)
class _Seen:
    part: str
    case: Case
    received: Any
    right: Any


@dataclass(frozen=True)
class FunctionTask:
    """A task that asks for a function; called with an attempt, it judges it.

    The function is called with every case. The first case that is wrong is the example
    of the report, and the first known mistake that explains all cases is named.

    Parameters
    ----------
    cases : function
        Makes the `Cases` from a NumPy generator. Where they are in parts, the parts
        that hold are reported.
    right : function
        The oracle, with the answer's own arguments. Its results also say whether whole
        or real numbers are asked for, and of which shape.
    what : str
        Name of the result in a sentence: ``"The bias"``.
    problem : str or function of a Failure
        Property that fails. ``{part}`` stands for the part, ``{note}`` for the note of
        the case.
    mistakes : Mistakes
        Known mistakes. One is named if it gives all results of the answer.
    held : sequence of str
        What is reported if no case is wrong.
    properties : sequence of (str, function)
        What may hold even of wrong results, and a function of result and arguments that
        says whether it does. Reported if it holds of all cases.
    example : function of a Failure
        The wrong case in words.
    shown : sequence of str
        Words in place of the first arguments, where these are too long to be shown.
    close : function
        Tells which entries of two results agree.
    read : function of (attempt, answer, right), optional
        Reads a result that is no array.
    axes : str
        Names of the axes, for a result that has another shape: ``"(q_len, k_len)"``.
    first : function, optional
        Makes a case from a NumPy generator that is tried before all others, and shows
        how the answer is to be called.
    stepwise : bool, default False
        Judge each part before calling the next one's cases.
    one_of : bool, default False
        Name one of several mistakes only: the others are left to find.
    otherwise : function, optional
        Sentences for what cannot be known exactly, from all pairs of case and result;
        asked if no known mistake explains them.
    then : function of (attempt, rng), optional
        Judges what comparing results cannot.
    """

    cases: Callable[[Any], Cases]
    right: Callable[..., Any]
    what: str
    problem: str | Callable[[Failure], str] = "Not so: {part}."
    mistakes: Mistakes = ()
    held: Sequence[str] = ()
    properties: Sequence[tuple[str, Callable[..., Any]]] = ()
    example: Callable[[Failure], str] = show_entry
    shown: Sequence[str] = ()
    close: Callable[[Any, Any], Any] = close
    read: Callable[[Attempt, Any, Any], Any] | None = None
    axes: str = ""
    first: Callable[[Any], Case] | None = None
    stepwise: bool = False
    one_of: bool = False
    otherwise: Callable[[Sequence[tuple[Case, Any]]], tuple[str, ...]] | None = None
    then: Callable[[Attempt, Any], None] | None = None

    def __call__(self, attempt: Attempt, rng: Any) -> None:
        """Judge one attempt."""
        cases = self.cases(rng)
        listed = _listed(cases)
        first = self.first(rng) if self.first else listed[0][1]
        self._choose_style(attempt, first, [c for _, c in listed])
        if self.stepwise:
            for part in dict.fromkeys(part for part, _ in listed):
                self.judge(attempt, [pair for pair in listed if pair[0] == part])
        else:
            self.judge(attempt, listed)
        attempt.held += self.held
        if self.then is not None:
            self.then(attempt, rng)

    def all_cases(self, rng: Any) -> list[Case]:
        """Return all cases of the task, whatever part they belong to."""
        return [c for _, c in _listed(self.cases(rng))]

    def judge(self, attempt: Attempt, cases: Sequence[tuple[str, Case]]) -> None:
        """Call the answer with cases, each with its part, and reject wrong results."""
        results = []
        for part, c in cases:
            right = c.of(self.right)
            try:
                answer = attempt.ask(*c.args, **c.kwargs)
            except WrongError as wrong:
                if c.trap and attempt.stopped:
                    wrong.problem = wrong.problem.replace(NO_RETURN, ".")
                    wrong.mistakes = (c.trap,)
                raise
            read = self._read(attempt, answer, c, right, [c for _, c in cases])
            results.append(_Seen(part, c, read, right))
        attempt.held += [
            sentence
            for sentence, holds in self.properties
            if all(holds(s.received, *s.case.args, **s.case.kwargs) for s in results)
        ]
        wrong = [s for s in results if not self.same(s.received, s.right)]
        failing = {s.part for s in wrong}
        parts = dict.fromkeys(s.part for s in results if s.part)
        attempt.held += [part for part in parts if part not in failing]
        if wrong:
            self._reject(attempt, wrong[0], [*wrong, *results])

    def same(self, received: Any, other: Any) -> bool:
        """Return True if two results agree in every entry."""
        if isinstance(received, np.ndarray) and received.shape != np.shape(other):
            return False
        return bool(np.all(self.close(received, other)))

    def _choose_style(
        self, attempt: Attempt, first: Case, cases: Sequence[Case]
    ) -> None:
        """Choose the answer's style, arrays or tensors, if an array is passed."""
        values = (*first.args, *first.kwargs.values())
        if any(isinstance(value, np.ndarray) for value in values):
            styles = ("numpy", "torch")
            answer = attempt.choose_style(styles, *first.args, **first.kwargs)
            self._read(attempt, answer, first, first.of(self.right), cases)

    def _read(
        self, attempt: Attempt, answer: Any, c: Case, right: Any, cases: Sequence[Case]
    ) -> Any:
        if self.read is not None:
            return self.read(attempt, answer, right)
        try:
            return attempt.read_like(answer, right, self.what, self.axes)
        except WrongError as wrong:
            if isinstance(answer, np.ndarray) and answer.shape != np.shape(right):
                wrong.mistakes = self._mistakes_of_shape(attempt, answer, c, cases)
            raise

    def _mistakes_of_shape(
        self, attempt: Attempt, answer: Any, c: Case, cases: Sequence[Case]
    ) -> tuple[str, ...]:
        """Name the mistake that gives this result of a wrong shape, and all others."""
        if not self._named(attempt, [(c, answer)]):
            return ()
        try:
            others = [(o, np.asarray(attempt.ask(*o.args, **o.kwargs))) for o in cases]
        except WrongError:
            return ()
        return self._named(attempt, [(c, answer), *others])

    def _named(
        self, attempt: Attempt, pairs: Sequence[tuple[Case, Any]]
    ) -> tuple[str, ...]:
        """Name the first mistake that gives all results, as exactly as they are."""

        def same(received: Any, other: Any) -> bool:
            # Double tolerance, since near-right values were already snapped.
            return self.same(snap(received, other, 2 * attempt.precision), other)

        return name_mistake(pairs, self.mistakes, same)

    def _reject(self, attempt: Attempt, first: _Seen, results: Sequence[_Seen]) -> None:
        pairs = [(s.case, s.received) for s in results]
        wrong = np.argwhere(~np.asarray(self.close(first.received, first.right)))
        shown = [Shown(word) for word in self.shown]
        args = (*shown, *first.case.args[len(shown) :])
        failure = Failure(
            first.case,
            first.received,
            first.right,
            tuple(wrong[0].tolist()),
            attempt.call_text(*args, **first.case.kwargs),
            first.part,
            pairs,
        )
        problem = self.problem
        if not isinstance(problem, str):
            problem = problem(failure)
        named = self._named(attempt, pairs)
        if not named and self.otherwise is not None:
            named = self.otherwise(pairs)
        attempt.reject(
            problem.format(part=first.part, note=first.case.note),
            self.example(failure),
            one_of(named) if self.one_of else named,
        )


@dataclass(frozen=True)
class ValueTask:
    """A task that asks for numbers found by hand; called with an attempt, it judges it.

    Parameters
    ----------
    right : array_like
        The numbers, whole or real.
    what : str
        Name of the answer in a sentence: ``"The list of slopes"``.
    entry : str
        What a dot is to be replaced by: ``"a number"``.
    line : function
        Says what is wrong with an entry, from its index and its value.
    mistakes : Mistakes
        Known wrong answers, as values or as functions without arguments.
    held : sequence of str
        What is reported of a right answer.
    close : function
        Tells which entries of two answers agree.
    order : function, optional
        Sort key of an index: which wrong entries come first. Else it is their order.
    slips : sequence of (index, value, str)
        Known wrong values of single entries, and what to tell. They are named whatever
        the other entries are, if no known mistake explains them all.
    read : function of (attempt, answer), optional
        Reads an answer that is no array of numbers: an array of objects.
    """

    right: Any
    what: str
    entry: str
    line: Callable[[Any, Any], str]
    mistakes: Mistakes = ()
    held: Sequence[str] = ()
    close: Callable[[Any, Any], Any] = close
    order: Callable[[Any], Any] | None = None
    slips: Sequence[tuple[Any, Any, str]] = ()
    read: Callable[[Attempt, Any], Any] | None = None

    def __call__(self, attempt: Attempt, rng: Any) -> None:
        """Judge one attempt."""
        answer = attempt.ask_for_list()
        if any(map(is_blank, flat(answer))):
            attempt.reject(
                f"Some entries are still dots: replace each with {self.entry}."
            )
        if self.read is not None:
            numbers = self.read(attempt, answer)
        else:
            numbers = attempt.read_like(answer, self.right, self.what)
        differ = ~self.close(numbers, self.right)
        indices = np.argwhere(differ).tolist()
        wrong = [i[0] if len(i) == 1 else tuple(i) for i in indices]
        if wrong:
            lines = [self.line(i, numbers[i]) for i in sorted(wrong, key=self.order)]
            attempt.reject(
                f"{len(wrong)} of {numbers.size} "
                f"{'is' if len(wrong) == 1 else 'are'} not right.",
                "\n".join(lines),
                self._named(numbers, differ),
            )
        attempt.held += self.held

    def same(self, received: Any, other: Any) -> bool:
        """Return True if two answers agree in every entry."""
        return bool(np.all(self.close(received, _like(received, other))))

    def all_mistakes(self) -> Iterator[tuple[str | tuple[str, ...], Any]]:
        """Yield the known mistakes, and right answers with one slip each."""
        yield from self.mistakes
        for index, value, sentence in self.slips:
            slipped = np.array(self.right)
            slipped[index] = value
            yield sentence, slipped.tolist()

    def _named(self, numbers: Any, differ: Any) -> tuple[str, ...]:
        """Name mistakes that explain all entries, single ones, or only wrong ones."""
        named = name_mistake([((), numbers)], self.mistakes, self.same)
        if named:
            return named
        slips = [
            sentence
            for index, value, sentence in self.slips
            if differ[index]
            and self.close(_like(numbers, numbers[index]), _like(numbers, value))
        ]
        return tuple(dict.fromkeys(slips)) or self._partly(numbers, differ)

    def _partly(self, numbers: Any, differ: Any) -> tuple[str, ...]:
        """Name the one mistake that gives all wrong entries, if the others are right.

        A value that several mistakes give says nothing about which of them was made.
        """
        named = set[str]()
        for sentence, mistaken in self.mistakes:
            sentences = (sentence,) if isinstance(sentence, str) else sentence
            value = _like(numbers, result_of(mistaken, Case(())))
            if len(sentences) == 1 and self.close(numbers, value)[differ].all():
                named.update(sentences)
        share = f"{int(differ.sum())} of {numbers.size} entries"
        return tuple(
            f"{sentence} (In {share}.)" for sentence in named if len(named) == 1
        )


def _like(received: Any, value: Any) -> Any:
    """Return a known answer as an array; of objects if the received ones are."""
    words = np.asarray(received).dtype == object
    return np.asarray(value, dtype=object if words else None)


def _listed(cases: Cases) -> list[tuple[str, Case]]:
    """Return each case with its part."""
    parts = cases if isinstance(cases, Mapping) else {"": cases}
    return [
        (part, c if isinstance(c, Case) else Case(c))
        for part, some in parts.items()
        for c in some
    ]


def ask_for_function(
    *hints: str, uses: tuple[str, ...] = (), **fields: Any
) -> Callable[[Callable[[Any], Cases]], FunctionTask]:
    """Register a task that asks for a function, by the function that makes its cases.

    Name and statement of the exercise are the name and the docstring of that function.

    Parameters
    ----------
    *hints : str
        From a nudge to nearly the answer.
    uses : tuple of str
        Functions of the book's that an answer may call; grading refuses the others.
    **fields
        Those of a `FunctionTask`.
    """

    def made(cases: Callable[[Any], Cases]) -> FunctionTask:
        task = FunctionTask(cases, **fields)
        register(cases, task, hints, "function", task.mistakes, uses)
        return task

    return made


def ask_for_value(
    *hints: str, **fields: Any
) -> Callable[[Callable[[], Any]], ValueTask]:
    """Register a task that asks for numbers, by the function that returns them.

    Name and statement of the exercise are the name and the docstring of that function.

    Parameters
    ----------
    *hints : str
        From a nudge to nearly the answer.
    **fields
        Those of a `ValueTask`.
    """

    def made(right: Callable[[], Any]) -> ValueTask:
        task = ValueTask(right(), **fields)
        register(right, task, hints, "value", [*task.all_mistakes()])
        return task

    return made
