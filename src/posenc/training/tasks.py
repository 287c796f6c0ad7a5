"""Tasks that the laboratory makes itself: any length, any number, from a seed.

Every task is a sequence of tokens and a target for some of them. A causal model reads
the tokens up to a place and names the target of that place. The first token is a start
sign, the same for every sequence of a task, except where its absence is the question.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from posenc.core.checks import check_choice, check_int

#: Target of a place that asks nothing; torch's cross-entropy leaves it out.
IGNORED = -100


class Batch(NamedTuple):
    """Sequences of one length.

    Attributes
    ----------
    tokens, targets : int64 arrays of shape (batch, length)
        What is read, and what is to be said at each place, or `IGNORED`.
    scored : bool array of shape (batch, length)
        Which answers count as right or wrong. Elsewhere a target may be a matter of
        chance, such as the kind of the next opening bracket.
    floor : float
        The least mean cross-entropy that any model can reach, in nats.
    """

    tokens: Any
    targets: Any
    scored: Any
    floor: float


@dataclass(frozen=True)
class Task:
    """A task and how to draw it.

    Attributes
    ----------
    name, title : str
        Name on the command line, and what the model has to do.
    vocab_size : int
        Number of different tokens; targets are tokens too.
    shortest, longest : int
        Lengths of the sequences that the task can be put into.
    step : int
        Lengths are multiples of this.
    drawn_by : function
        ``drawn_by(rng, batch, length)`` gives a `Batch`.
    bounded : bool
        Whether longer sequences than those of training ask for unknown answers.
    max_steps : int
        Steps of training.
    """

    name: str
    title: str
    vocab_size: int
    shortest: int
    step: int
    drawn_by: Callable[[np.random.Generator, int, int], Batch]
    bounded: bool = False
    max_steps: int = 3000
    longest: int | None = None

    def draw(self, rng: np.random.Generator, batch: int, length: int) -> Batch:
        """Draw `batch` sequences of `length` tokens.

        Raises
        ------
        ValueError
            If the task does not fit into so few tokens, or in no such number.
        """
        check_int("batch", batch, minimum=1)
        check_int("length", length, minimum=self.shortest)
        if self.longest is not None and length > self.longest:
            msg = (
                f"length must be at most {self.longest}, got {length}: the letters of "
                f"{self.name!r} come once each; copy_repeated has no such limit"
            )
            raise ValueError(msg)
        if length % self.step:
            msg = f"length must be a multiple of {self.step}, got {length}"
            raise ValueError(msg)
        return self.drawn_by(rng, batch, length)


#: Letters of `index` and of `copy_repeated`, and of `copy`, where none comes twice.
_LETTERS, _UNIQUE = 16, 512
#: Questions of `index`, and positions it asks for: those that 64 tokens have.
_QUESTIONS, _ASKED = 16, 47
#: Token of `index` that asks for the letter at place 1, behind the start sign.
FIRST_NUMBER = _LETTERS
#: Kinds of brackets of `language`, and how deep they may nest.
KINDS, _DEPTH = 3, 6
#: Notes of a bar of `motif`; steps that its tune spans, and by which it may be moved.
BAR, _STEPS = 8, 8
#: Tokens of `count`, whose sequences have no meaning; it counts to 64.
_COUNTED = 64


def _draw_index(rng: np.random.Generator, batch: int, length: int) -> Batch:
    """Draw a start sign, letters, then numbers that ask for the letter of that place.

    Numbers ask for places 1 to 47 at any length: the model has seen each of them.
    """
    drawn = _draw_index_letter(rng, batch, length)
    drawn.tokens[:, 0] = _LETTERS + _ASKED
    return drawn


def _draw_index_letter(rng: np.random.Generator, batch: int, length: int) -> Batch:
    """Draw `index` with one more letter, which no question is about, as the sign."""
    letters = rng.integers(_LETTERS, size=(batch, length - _QUESTIONS))
    askable = min(_ASKED, letters.shape[1] - 1)
    asked = rng.integers(askable, size=(batch, _QUESTIONS))
    targets = np.full((batch, length), IGNORED)
    targets[:, -_QUESTIONS:] = np.take_along_axis(letters[:, 1:], asked, axis=1)
    return _certain(np.concatenate([letters, _LETTERS + asked], axis=1), targets)


def _draw_copy(rng: np.random.Generator, batch: int, length: int) -> Batch:
    """Draw a start sign, letters, a second sign, and the same letters again.

    No letter comes twice, so the one that was just read tells which one follows.
    """
    return _said_again(_some(rng, batch, _UNIQUE, length // 2 - 1), _UNIQUE)


def _draw_copy_repeated(rng: np.random.Generator, batch: int, length: int) -> Batch:
    """Draw `copy` with few letters: the longer the text, the more they repeat."""
    letters = rng.integers(_LETTERS, size=(batch, length // 2 - 1))
    return _said_again(letters, _LETTERS)


def _said_again(letters: Any, alphabet: int) -> Batch:
    start, again = (np.full((len(letters), 1), alphabet + sign) for sign in (0, 1))
    tokens = np.concatenate([start, letters, again, letters], axis=1)
    targets = np.full(tokens.shape, IGNORED)
    targets[:, tokens.shape[1] // 2 : -1] = letters
    return _certain(tokens, targets)


def _draw_language(rng: np.random.Generator, batch: int, length: int) -> Batch:
    """Draw a start sign, then endless nested brackets; every place asks for the next.

    Where a bracket may open or close, a fair coin decides, and every kind opens as
    often. The closing bracket must be of the kind that was opened last.
    """
    rows = np.arange(batch)
    stack, depth = np.zeros((batch, _DEPTH), int), np.zeros(batch, int)
    tokens, floors = np.empty((batch, length + 1), int), np.empty((batch, length + 1))
    tokens[:, 0] = 2 * KINDS
    for place in range(1, length + 1):
        free = (depth > 0) & (depth < _DEPTH)
        opens = np.where(free, rng.random(batch) < 0.5, depth == 0)
        kinds = rng.integers(KINDS, size=batch)
        # entropy: that of the coin, where there is one, and of the kind, if one opens
        chance = np.where(free, 0.5, depth == 0)
        floors[:, place] = free * np.log(2) + chance * np.log(KINDS)
        tokens[:, place] = np.where(opens, kinds, KINDS + stack[rows, depth - 1])
        stack[rows[opens], depth[opens]] = kinds[opens]
        depth += np.where(opens, 1, -1)
    targets = tokens[:, 1:]
    return Batch(tokens[:, :-1], targets, targets >= KINDS, float(floors[:, 1:].mean()))


def _draw_motif(rng: np.random.Generator, batch: int, length: int) -> Batch:
    """Draw a start sign, a bar of notes, and the same tune over and over, up or down.

    Notes are steps of a scale. The first note of a bar is random; it and the tune
    determine all others.
    """
    bars = -(-length // BAR)
    tune = rng.integers(_STEPS, size=(batch, 1, BAR))
    notes = tune + rng.integers(_STEPS, size=(batch, bars, 1))
    start = np.full((batch, 1), 2 * _STEPS - 1)
    tokens = np.concatenate([start, notes.reshape(batch, -1)], axis=1)[:, : length + 1]
    place = np.arange(length)  # it asks for the token behind it, note number `place`
    known = (place >= BAR) & (place % BAR > 0)
    return _certain(tokens[:, :-1], np.where(known, tokens[:, 1:], IGNORED))


def _draw_count(rng: np.random.Generator, batch: int, length: int) -> Batch:
    """Draw a start sign, then letters; each place asks how many tokens came before."""
    tokens = rng.integers(1, _LETTERS, size=(batch, length))
    tokens[:, 0] = 0
    return _certain(tokens, np.tile(np.arange(length), (batch, 1)))


def _some(rng: np.random.Generator, batch: int, total: int, number: int) -> Any:
    """Draw `wanted` different numbers below `total` for each of `batch` rows."""
    return rng.permuted(np.tile(np.arange(total), (batch, 1)), axis=1)[:, :number]


def _certain(tokens: Any, targets: Any) -> Batch:
    return Batch(tokens, targets, targets != IGNORED, 0.0)


TASKS = {
    task.name: task
    for task in (
        Task("copy", "say it again", _UNIQUE + 2, 4, 2, _draw_copy, longest=1024),
        Task(
            "copy_repeated",
            "say it again, with few letters",
            _LETTERS + 2,
            4,
            2,
            _draw_copy_repeated,
        ),
        Task(
            "index",
            "the letter at i",
            _LETTERS + _ASKED + 1,
            2 * _QUESTIONS,
            1,
            _draw_index,
        ),
        Task(
            "index_letter",
            "the letter at i, without a start sign",
            _LETTERS + _ASKED + 1,
            2 * _QUESTIONS,
            1,
            _draw_index_letter,
        ),
        Task(
            "motif",
            "the same tune from another note",
            2 * _STEPS,
            BAR + 2,
            1,
            _draw_motif,
        ),
        Task("language", "nested brackets", 2 * KINDS + 1, 2, 1, _draw_language),
        Task(
            "count",
            "how many tokens came before?",
            _COUNTED,
            1,
            1,
            _draw_count,
            bounded=True,
            max_steps=8000,
        ),
    )
}


def task_named(name: str) -> Task:
    """Return the task of that name, or raise a ValueError that lists them."""
    check_choice("task", name, tuple(TASKS))
    return TASKS[name]
