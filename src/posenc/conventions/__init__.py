"""Detection of a function's conventions: pairs, sign, base, scaling, alignment.

Nonsense from a ported checkpoint is often right code under another convention.
``identify("rope.apply_rotary", function)`` calls the function on small inputs, and
names its convention and the call of `posenc` with the same results. In the shell,
``python -m posenc check rope.apply_rotary my_module:my_function`` does so.

The function is called in a process of its own where there can be one, as by
`posenc.exercises.check`. Its signature is that of the book; a foreign function gets it
from an adapter of two lines, such as this one for Llama of `transformers`::

    def rotary(x, positions):
        cos, sin = LlamaRotaryEmbedding(config)(x[None], positions[None])
        return apply_rotary_pos_emb(x[None, None], x[None, None], cos, sin)[0][0, 0]
"""

import inspect
import secrets
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from posenc.checkpoint import Checkpoint, chosen_layer
from posenc.core.checks import check_int, check_positive
from posenc.kit.exercises.attempt import Attempt, UnansweredError, WrongError
from posenc.kit.exercises.executor import start
from posenc.kit.exercises.values import with_article

from . import _positions, _scores, _sinusoids
from ._checkpoint import (
    ASKED,
    Conformity,
    compare_rotary,
    conformity,
)
from ._report import Finding, Identification
from ._rotary import SIGNATURE, identify_rotary
from ._search import Kind, search

__all__ = [
    "Conformity",
    "Finding",
    "Identification",
    "conforms",
    "identify",
    "signatures",
]

_KINDS: dict[str, Kind] = {
    "attention.attention_with_mask": _scores.ATTENTION,
    "attention.causal_mask": _positions.MASK,
    "sinusoidal.sinusoidal_encoding": _sinusoids.ENCODING,
    "sinusoidal.sinusoidal_table": _sinusoids.TABLE,
    "shaw.relative_position_index": _positions.SHAW,
    "t5.relative_position_bucket": _positions.T5_BUCKET,
    "t5.relative_position_bias": _positions.T5_BIAS,
    "swin.relative_position_index": _positions.SWIN,
    "alibi.alibi_slopes": _scores.SLOPES,
    "alibi.alibi_bias": _scores.BIAS,
    "alibi.linear_bias": _scores.LINEAR_BIAS,
}
_ROTARY = "rope.apply_rotary"


def signatures() -> dict[str, str]:
    """Return the ways in which `identify` calls a function, for each name it takes.

    Examples
    --------
    >>> signatures()["alibi.alibi_bias"]
    'alibi_bias(num_heads, q_len, k_len)'
    """
    return {name: kind.signature for name, kind in _KINDS.items()} | {
        _ROTARY: SIGNATURE
    }


def identify(
    name: str,
    function: Any,
    *,
    seed: int | None = None,
    time_limit: float = 10.0,
    isolate: bool = True,
) -> Identification:
    """Identify the convention that a function follows.

    Parameters
    ----------
    name : str
        Name of the function, such as ``"rope.apply_rotary"``; `signatures` lists all
        names, and how the function is called. It gets NumPy arrays, or torch tensors if
        it does not take those.
    function : function
        Any function, or an object that can be called, such as a module of torch. Of a
        class, an instance is made if that takes no arguments.
    seed, time_limit, isolate
        As for `posenc.exercises.check`.

    Returns
    -------
    Identification
        Shows itself in a notebook and in a terminal; true if a convention fits.

    Examples
    --------
    >>> import posenc
    >>> def halves(x, positions):
    ...     angles = posenc.rope.rotary_angles(positions, x.shape[-1], base=500_000.0)
    ...     return posenc.rope.apply_rotary(x, angles, layout="half")
    >>> identify("rope.apply_rotary", halves, seed=1)
    ≠ rope.apply_rotary: another convention than the book's
        layout: half: features i and i + 8 are a pair  ← not ours
        direction: counterclockwise: (1, 0) goes towards (0, 1)
        base: 500,000  ← not ours
        scaling: none: the first pair turns by 1 radian
        start: position 0 is not turned
        turned: all features
        The same in posenc:
            angles = posenc.rope.rotary_angles(positions, 16, base=500000)
            posenc.rope.apply_rotary(x, angles, layout="half")
        Random inputs of seed 1.
    """
    if name not in signatures():
        known = ", ".join(signatures())
        return Identification(str(name), "unknown", problem=f"There are: {known}.")

    def ask(attempt: Attempt, rng: Any) -> Identification:
        if name == _ROTARY:
            return identify_rotary(name, attempt, rng)
        return search(name, _KINDS[name], attempt, rng)

    return _call(name, function, ask, seed, time_limit, isolate)


def conforms(
    checkpoint: Checkpoint,
    function: Any,
    *,
    layer: int | None = None,
    seed: int | None = None,
    time_limit: float = 10.0,
    isolate: bool = True,
) -> Conformity:
    """Check a function against a checkpoint's configuration.

    Parameters
    ----------
    checkpoint : posenc.checkpoint.Checkpoint
        From `posenc.checkpoint.describe`.
    function : function
        It is called by `signatures` for the method of the layer. One that turns gets a
        head of the layer's size; in latent attention, the part that turns.
    layer : int, optional
        Number of the layer; if not given the first that turns.
    seed, time_limit, isolate
        As in `identify`.

    Returns
    -------
    Conformity
        True if all that was compared agrees with the configuration.

    Raises
    ------
    TypeError, ValueError
        If there is no such layer, or its method cannot be read off a function.

    Examples
    --------
    >>> import posenc
    >>> from posenc.checkpoint import describe
    >>> glm = describe({"model_type": "glm4", "head_dim": 16})
    >>> def port(x, positions):  # passes over partial_rotary_factor
    ...     angles = posenc.rope.rotary_angles(positions, x.shape[-1])
    ...     return posenc.rope.apply_rotary(x, angles)
    >>> print(conforms(glm, port, seed=1)["turned"])
    16 of 16 features, not 8
    """
    chosen = chosen_layer(checkpoint, layer)
    asked = ASKED.get(chosen.method)
    if asked is None:
        msg = (
            f"layer {chosen.number} must have one of the methods {', '.join(ASKED)}, "
            f"got {chosen.method!r}: what is learned cannot be told from a function"
        )
        raise ValueError(msg)

    def ask(attempt: Attempt, rng: Any) -> Identification:
        if asked == _ROTARY:
            return compare_rotary(asked, chosen, attempt, rng)
        return search(asked, _KINDS[asked], attempt, rng)

    identification = _call(asked, function, ask, seed, time_limit, isolate)
    return conformity(identification, chosen)


def _call(
    name: str,
    function: Any,
    ask: Callable[[Attempt, Any], Identification],
    seed: int | None,
    time_limit: float,
    isolate: bool,
) -> Identification:
    """Return what `ask` finds of a function, which runs in a process of its own."""
    function, note = _instance(function)
    if not callable(function) or inspect.isclass(function):
        kind = with_article(type(function).__name__)
        problem = note or f"It must be a function, got {kind}."
        return Identification(name, "failed", problem=problem)
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    check_int("seed", seed, below=2**63)
    check_positive("time_limit", time_limit, remedy="it is in seconds")
    executor = start(function, time_limit, isolate)
    attempt = Attempt(executor, _name(function))
    rng = np.random.default_rng(seed)
    try:
        identification = ask(attempt, rng)
    except WrongError as wrong:
        problem = f"{wrong.problem}\nIt is called as {signatures()[name]}."
        identification = Identification(
            name, "failed", problem=problem, example=wrong.example
        )
    except UnansweredError:
        identification = Identification(name, "failed", problem="It returns nothing.")
    finally:
        executor.close()
    return _with_notes(identification, attempt, seed, note)


def _instance(function: Any) -> tuple[Any, str]:
    """Return an instance of a class that needs no arguments, or `function`; a note."""
    if not inspect.isclass(function):
        return function, ""
    name = function.__name__
    try:
        made = function()
    except Exception as error:
        words = traceback.format_exception_only(error)[-1].strip()
        return function, (
            f"{name} is a class, and {name}() raises {words}\nGive an instance of it, "
            "or a function that makes one and calls it."
        )
    if not callable(made):
        return function, (
            f"{name} is a class whose instances cannot be called. Give a function that "
            "makes one and calls the right method."
        )
    return made, f"{name} is a class: {name}() was made and called."


def _with_notes(
    identification: Identification, attempt: Attempt, seed: int, note: str
) -> Identification:
    return Identification(
        identification.name,
        identification.status,
        identification.findings,
        identification.problem,
        identification.example,
        identification.use,
        (*identification.notes, *filter(None, [note]), *attempt.all_notes()),
        seed,
    )


def _name(function: Any) -> str:
    own = function.__name__ if inspect.isroutine(function) else ""
    return own if own.isidentifier() else "f"
