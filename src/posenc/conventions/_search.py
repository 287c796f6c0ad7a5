"""Find the convention that explains what a function returns, among all combinations."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc.kit.exercises.attempt import Attempt
from posenc.kit.exercises.values import snap

from ._report import Finding, Identification

Choice = dict[str, str]
Args = tuple[Any, ...]

#: Scores below are those of hidden keys, since no penalty of the inputs here is as
#: large.
_HIDDEN = -9000.0
_NEAR = 0.9  # share of the entries that must agree, for a convention to be called near


@dataclass(frozen=True)
class Trait:
    """A choice that conventions make, as keys of the options and their words.

    The first option is the book's.
    """

    name: str
    options: dict[str, str]


@dataclass(frozen=True)
class Kind:
    """Kind of function, with the ways in which it may differ.

    Attributes
    ----------
    signature : str
        Call of such a function.
    traits : tuple of Trait
        The choices.
    calls : function
        ``calls(rng)`` returns positional arguments of each call, small ones first.
    model : function
        ``model(choice, *args)`` returns the result of a function of this convention.
    use : function
        ``use(choice)`` returns the call of posenc that does the same, or "".
    skips : function
        ``skips(choice)`` returns names of traits that then mean nothing.
    scalable : bool
        True if the result may be a multiple of the model's.
    extend : function
        ``extend(kind, received)`` returns the kind, with options that are read off the
        function's results, such as the base.
    """

    signature: str
    traits: tuple[Trait, ...]
    calls: Callable[[Any], Iterable[Args]]
    model: Callable[..., Any]
    use: Callable[[Choice], str] = lambda choice: ""
    skips: Callable[[Choice], tuple[str, ...]] = lambda choice: ()
    scalable: bool = False
    extend: Callable[["Kind", list[tuple[Args, Any]]], "Kind"] = lambda kind, got: kind

    def choices(self) -> Iterator[Choice]:
        """Yield all combinations that differ, the book's first."""
        names = [trait.name for trait in self.traits]
        ours = {trait.name: next(iter(trait.options)) for trait in self.traits}
        for options in itertools.product(*(trait.options for trait in self.traits)):
            choice = dict(zip(names, options, strict=True))
            if all(choice[name] == ours[name] for name in self.skips(choice)):
                yield choice


def search(name: str, kind: Kind, attempt: Attempt, rng: Any) -> Identification:
    """Compare what the function returns with every combination of the kind's traits."""
    received: list[tuple[Args, Any]] = []
    for number, args in enumerate(kind.calls(rng)):
        fresh = tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)
        if number:
            value = attempt.ask(*fresh)
        else:
            value = attempt.choose_style(("numpy", "torch"), *fresh)
        received.append((args, _as_array(attempt, value, args)))
    hidden = _hide(received)
    if not attempt.precision:
        kind = kind.extend(kind, received)
    fits: list[tuple[Choice, float]] = []
    best: tuple[float, Choice, float] = 0.0, {}, 1.0
    for choice in kind.choices():
        share, factor = _agreement(kind, choice, received, attempt.precision)
        if share > best[0]:
            best = share, choice, factor
        if share == 1.0:
            fits.append((choice, factor))
            if not attempt.precision:  # else another one may fit as well
                break
    if len(fits) == 1:
        choice, factor = fits[0]
        findings = (*_findings(kind, choice, factor), *hidden)
        ours = all(finding.is_ours for finding in findings)
        use = kind.use(choice)
        if use and factor != 1.0:
            use = f"{factor:.6g} * {use}"
        return Identification(name, "same" if ours else "other", findings, use=use)
    if fits:
        return _too_coarse(name, kind, fits)
    share, choice, factor = best
    if share < _NEAR:
        return _nothing_near(name, kind, attempt, received)
    return Identification(
        name,
        "unclear",
        (*_findings(kind, choice, factor), *hidden),
        problem=f"Nothing fits exactly; {share:.0%} of the entries fit the nearest.",
        example=_difference(kind, choice, factor, attempt, received),
    )


def _hide(received: list[tuple[Args, Any]]) -> tuple[Finding, ...]:
    """Replace the number that stands for minus infinity, and report it."""
    lows = dict[float, None]()
    for _, array in received:
        low = np.isfinite(array) & (array < _HIDDEN)
        lows |= dict.fromkeys(np.unique(array[low]).tolist())
        array[low] = -np.inf
    if not lows:
        return ()
    text = f"hidden keys get {min(lows):.5g} in place of minus infinity"
    return (Finding("hidden", text, False),)


def _too_coarse(
    name: str, kind: Kind, fits: list[tuple[Choice, float]]
) -> Identification:
    """Report that several conventions look alike in half precision."""
    differ = [
        trait.name
        for trait in kind.traits
        if len({choice[trait.name] for choice, _ in fits}) > 1
    ]
    problem = (
        f"{len(fits)} conventions fit, since half precision is too coarse to tell "
        f"them apart ({', '.join(differ)}). Let it return float32."
    )
    return Identification(name, "unclear", problem=problem)


def _as_array(attempt: Attempt, value: Any, args: Args) -> Any:
    array = np.asarray(value) if np.ndim(value) or np.isscalar(value) else None
    if array is None or array.dtype.kind not in "biuf":
        got = attempt.kind or type(value).__name__
        attempt.reject(
            f"The result must be an array of numbers, got {got}.",
            attempt.call_text(*args),
        )
    return array.astype(np.float64)


def _agreement(
    kind: Kind,
    choice: Choice,
    received: list[tuple[Args, Any]],
    precision: float,
) -> tuple[float, float]:
    """Return the share of entries that agree, and the factor for which they do.

    The largest results are compared first. They settle the factor, and that the share
    is below `_NEAR`, for which 0 stands.
    """
    total = sum(got.size for _, got in received)
    wrong, factor = 0, None
    for args, got in sorted(received, key=lambda pair: -pair[1].size):
        model = _fit_shape(np.asarray(kind.model(choice, *args), np.float64), got)
        if model is None:
            return 0.0, 1.0
        if factor is None:
            factor = _factor([(got, model)]) if kind.scalable else 1.0
        right = factor * model
        wrong += int((~_close(snap(got, right, precision), right)).sum())
        if wrong > (1 - _NEAR) * total:
            return 0.0, factor
    return 1 - wrong / max(total, 1), factor or 1.0


def _fit_shape(model: Any, got: Any) -> Any:
    """Return a model in the received shape, up to leading axes of length 1, or None."""
    if np.squeeze(model).shape != np.squeeze(got).shape:
        return None
    if got.ndim >= model.ndim and got.shape[got.ndim - model.ndim :] == model.shape:
        return model.reshape(got.shape)
    return None


def _factor(pairs: list[tuple[Any, Any]]) -> float:
    """Return the factor common to all entries: 1 unless another is clear."""
    ratios = [
        got[use] / model[use]
        for got, model in pairs
        for use in [np.isfinite(model) & np.isfinite(got) & (np.abs(model) > 1e-6)]
    ]
    ratio = np.concatenate(ratios) if ratios else np.ones(0)
    if not ratio.size:
        return 1.0
    middle = float(np.median(ratio))
    usable = np.isfinite(middle) and middle > 0 and not np.isclose(middle, 1, 1e-4)
    return float(f"{middle:.6g}") if usable else 1.0


def _close(got: Any, model: Any) -> Any:
    with np.errstate(invalid="ignore"):
        return np.isclose(got, model, rtol=1e-4, atol=1e-4, equal_nan=True)


def _findings(kind: Kind, choice: Choice, factor: float) -> tuple[Finding, ...]:
    skipped = kind.skips(choice)
    findings = [
        Finding(
            trait.name,
            trait.options[choice[trait.name]],
            choice[trait.name] == next(iter(trait.options)),
        )
        for trait in kind.traits
        if trait.name not in skipped
    ]
    if factor != 1.0:
        findings.append(Finding("factor", f"all multiplied by {factor:.6g}", False))
    return tuple(findings)


def _difference(
    kind: Kind, choice: Choice, factor: float, attempt: Attempt, received: Any
) -> str:
    """Return the smallest call where the nearest convention gives something else."""
    for args, got in received:
        model = _fit_shape(np.asarray(kind.model(choice, *args), np.float64), got)
        wrong = np.argwhere(~_close(got, factor * model))
        if wrong.size:
            place = tuple(wrong[0].tolist())
            value, expected = got[place], factor * model[place]
            where = str(list(place)) if place else ""
            return (
                f"{attempt.call_text(*args)}{where}\n"
                f"gives {value:.6g}; by that convention it would be {expected:.6g}"
            )
    return ""


def _nothing_near(
    name: str, kind: Kind, attempt: Attempt, received: list[tuple[Args, Any]]
) -> Identification:
    """Report where it first differs from the book's convention; name no other."""
    problem = "Unknown: it follows no convention that is known here."
    ours = next(kind.choices())
    for args, got in received:
        model = _fit_shape(np.asarray(kind.model(ours, *args), np.float64), got)
        if model is None:
            continue
        wrong = np.argwhere(~_close(snap(got, model, attempt.precision), model))
        if wrong.size:
            place = tuple(wrong[0].tolist())
            where = str(list(place)) if place else ""
            example = (
                f"{attempt.call_text(*args)}{where}\n"
                f"gives {got[place]:.6g}; in the book's convention it is "
                f"{model[place]:.6g}"
            )
            problem += " It differs from the book's first at:"
            return Identification(name, "unclear", problem=problem, example=example)
    args, got = received[-1]
    shapes = {
        np.asarray(kind.model(choice, *args)).shape: None for choice in kind.choices()
    }
    listed = " or ".join(map(str, shapes))
    example = f"{attempt.call_text(*args)}\nhas shape {got.shape}; known: {listed}"
    return Identification(name, "unclear", problem=problem, example=example)
