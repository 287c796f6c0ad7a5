"""Content of the widget of the chapter on CAPE, computed by posenc."""

import numpy as np
from widget_page import real

from posenc.cape import augmented_positions
from posenc.cape.figures import crossings, moved, unit_draws
from posenc.cape.widgets import AugmentedTimeline

MAXIMA = ("max_global_shift", "max_local_shift", "max_scale")


def after(w):
    positions = np.arange(float(w.tokens))
    maxima = {name: getattr(w, name) for name in MAXIMA}
    places = moved(positions, unit_draws(w.draw, w.tokens), **maxima)
    if all(getattr(w, name) > (name == "max_scale") for name in MAXIMA):
        rng = np.random.default_rng(w.draw)  # what is switched off is not drawn
        own = augmented_positions(positions, rng=rng, **maxima)
        np.testing.assert_allclose(places, own, rtol=0, atol=1e-12)
    return positions, places


def theta(w):
    return 10_000.0 ** (-2 * w.pair / 16)


def augmented_timeline(w):
    positions, places = after(w)
    pairs = crossings(positions, places)
    numbers = {
        "before": positions - positions.mean(),
        "after": places,
        "sine": np.sin(theta(w) * places),
        "crossed": pairs,
    }
    return numbers, {
        "No pair has changed its order": not pairs,
        "none can": not pairs and w.max_local_shift <= 0.5,
        f"{len(pairs)} pair": bool(pairs),
    }


def token(w, row, column):
    at = min(row + column, w.tokens - 1)
    positions, places = after(w)
    others = [
        str(j if i == at else i)
        for i, j in crossings(positions, places)
        if at in (i, j)
    ]
    return (
        f"token {at}: ({real(at - (w.tokens - 1) / 2)} + shift ",
        f" = {real(places[at])}, sine {real(np.sin(theta(w) * places[at]))}",
        f"has swapped with {', '.join(others)}" if others else "",
    )


def table(w):
    positions, places = after(w)
    jitter = w.max_local_shift * unit_draws(w.draw, w.tokens).jitter
    columns = (positions - positions.mean(), jitter, places, np.sin(theta(w) * places))
    return [
        [str(n), *map(float, row)] for n, row in enumerate(zip(*columns, strict=True))
    ]


SHOWN = {AugmentedTimeline: augmented_timeline}
POINTED = {(AugmentedTimeline, 0): token}
TABLES = {AugmentedTimeline: table}
