"""Content of the widgets on rotary embedding, computed by posenc."""

import math

import numpy as np
from widget_page import Near, real

from posenc import rope
from posenc.kit.figures.text import signed_offset
from posenc.rope.figures import decay_curves, layout_scores, planes
from posenc.rope.widgets import DecayCurves, LayoutMixup, PlaneClocks, TurnedPair


def parts_of(w, m, n):
    """Score of the query at m with the key at n, plane by plane."""
    first = {"long": 1.0, "short": 0.8, "q": w.q_angle, "k": w.k_angle}
    pairs = [first, *w.further][: w.planes]
    q, k = (
        [p[size] * np.exp(1j * math.radians(p[angle])) for p in pairs]
        for size, angle in (("long", "q"), ("short", "k"))
    )
    rows = np.asarray([q, k]).view(float)
    places = math.radians(w.degrees) * np.asarray([m, n], dtype=float)
    angles = rope.rotary_angles(places, 8, base=16.0)[:, : w.planes]
    turned = rope.apply_rotary(rows, angles)
    return turned.prod(axis=0).reshape(-1, 2).sum(axis=1)


def turned_pair(w):
    parts = parts_of(w, w.m, w.n)
    listed = ", ".join(map(real, parts))
    numbers = {
        "q": w.q_angle + w.m * w.degrees,
        "k": w.k_angle + w.n * w.degrees,
        "parts": parts,
        "score": parts.sum(),
        "curve": [parts_of(w, 0, r).sum() for r in range(-12, 13)],
    }
    offset = signed_offset(w.n - w.m)
    return numbers, {
        f"Query at {w.m}, key at {w.n}: relative position {offset}, ": True,
        f"parts {listed}, score": w.planes > 1,
        f"score {real(parts.sum())}.": True,
    }


def state_of(w, method=None):
    return planes(
        w.head_dim,
        w.base,
        w.trained_len,
        method=method or w.method,
        scale=w.scale,
        distance=w.distance,
    )


def plane_clocks(w):
    state = state_of(w)
    slow, new = (state.seen < 2 * math.pi).sum(), state.new.sum()
    numbers = {
        "theta": state.theta,
        "angle": state.angles,
        "seen": state.seen,
        "fresh": state.new,
    }
    return numbers, {
        f"{slow} of {len(state.theta)} planes did not finish": True,
        f", {new} hand": new > 0,
    }


def clock(w, row, column):
    method, words = w.choices["method"][min(row, 3)]
    state = state_of(w, method)
    plane = min(column, len(state.theta) - 1)
    turns = state.angles[plane] / (2 * math.pi)
    rounds = "less than 0.01" if 0 < turns < 0.005 else f"{turns:,.2f}"
    return f"Plane {plane}, {words}: one round", f"it makes {rounds} rounds."


def clock_table(w):
    state = state_of(w)
    turns = (state.angles / (2 * math.pi)).tolist()
    rounds = ["less than 0.01" if 0 < n < 0.005 else n for n in turns]
    marks = [{True: "new", False: ...}[bool(new)] for new in state.new]
    return [
        [str(n), ..., ..., ..., turns, mark]
        for n, (turns, mark) in enumerate(zip(rounds, marks, strict=True))
    ]


def curves(w):
    return decay_curves(w.content, w.head_dim, float(w.base), 299)


def drawn_decay(w):
    result = {name: Near(curve, 6e-4) for name, curve in curves(w).items()}
    score = np.asarray(w.curves[f"{w.content},{w.head_dim},{w.base}"]["score"])
    return result, {
        f"it rises at {(np.diff(score) > 0).sum()} of 299 steps": True,
        f"largest at distance {score.argmax()}.": True,
    }


def at_distance(w, row, column):
    score = round(float(curves(w)["score"][row + column]), 3)
    return f"Distance {row + column}: score {real(score, 1)}, bound "


def layout_mixup(w):
    d, own = w.head_dim, {"trained": w.trained, "last": 8}
    target = w.runs if w.permuted else w.trained
    partners = [
        p ^ 1 if w.runs == "interleaved" else (p + d // 2) % d for p in range(d)
    ]
    meant = layout_scores(d, runs=w.trained, permuted=False, **own)
    got = layout_scores(d, runs=w.runs, permuted=w.permuted, **own)
    torn = np.abs(got - meant).max()
    numbers = {
        "order": rope.layout_permutation(d, source=w.trained, target=target),
        "partners": partners,
        "meant": Near(meant, 6e-5),
        "got": Near(got, 6e-5),
    }
    return numbers, {
        f"Pairs are torn apart: scores are off by up to {real(torn)}.": torn > 1e-9,
        "The wrong scores": torn > 1e-9,
    }


def place(w, row, column):
    at = min(row + column, w.head_dim - 1)
    partner = at ^ 1 if w.runs == "interleaved" else (at + w.head_dim // 2) % w.head_dim
    wrong = w.runs != w.trained and not w.permuted
    end = "not its partner." if wrong else "its own partner."
    return f"Place {at} holds ", f"together with place {partner}, ", end


SHOWN = {
    TurnedPair: turned_pair,
    PlaneClocks: plane_clocks,
    DecayCurves: drawn_decay,
    LayoutMixup: layout_mixup,
}
POINTED = {
    (PlaneClocks, 0): clock,
    (DecayCurves, 1): at_distance,
    (LayoutMixup, 0): place,
}
TABLES = {PlaneClocks: clock_table}
