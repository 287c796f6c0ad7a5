"""Content of the widgets on linear attention, computed by posenc."""

import numpy as np
from widget_page import Near, real

from posenc.core.data import load
from posenc.core.running_example import K, Q, V
from posenc.linear_attention import elu_plus_one, figures, polynomial_lift
from posenc.linear_attention.widgets import (
    CausalState,
    KernelLift,
    MeasuredCost,
    ProductOrder,
)


def kernel_lift(w):
    q, k = np.asarray([w.q1, w.q2]), np.asarray([w.k1, w.k2])
    cloud = figures.cloud() if w.cloud else np.empty((0, 2))
    lifted = polynomial_lift(np.concatenate([[q, k], cloud]))
    product = round(q @ k, 9)
    numbers = {
        "lifted": lifted,
        "square": product**2,
        "dotted": lifted[0] @ lifted[1],
        "below": lifted @ figures.ellipse_plane() < 1,
        "seen": figures.project(lifted, w.azimuth, w.elevation),
    }
    square = real(product**2, 4)
    return numbers, {
        f"(q · k)² = ({real(product)})² = {square}. ": True,
        f"φ(q) · φ(k) = {square}.": True,
        "q · k is negative": product < 0,
        "24 of 48 points": w.cloud,
    }


def product_order(w):
    L, d = w.seq_len, w.head_dim
    work, between = figures.multiplications(L, d), figures.numbers_between(L, d)
    more, less = ("first", "second") if d < L else ("second", "first")
    return {"work": work, "between": between}, {
        f"L = {L:,}, d = {d}: ": True,
        "both orders cost the same; this is the crossing.": d == L,
        f"the {more} order needs {max(work) // min(work):,} times the multiplications "
        f"of the {less}.": d != L,
    }


def shape(w, row, column):
    if row:
        return ""
    L, d = f"{w.seq_len:,}", f"{w.head_dim:,}"
    tall, flat = f"{L} × {d}", f"{d} × {L}"
    shapes = [
        ("Q", tall),
        ("Kᵀ", flat),
        ("Q Kᵀ", f"{L} × {L}"),
        ("V", tall),
        ("Q", tall),
    ]
    shapes += [("Kᵀ", flat), ("V", tall), ("Kᵀ V", f"{d} × {d}")]
    name, size = shapes[column]
    return f"{name} is {size}: "


def causal_state(w):
    step, t = figures.state_step(w.t, w.slope), w.t
    query, share = elu_plus_one(Q)[figures.ORDER[t]], step.weights[0]
    numbers = {name: getattr(step, name) for name in ("decayed", "added", "state")}
    numbers |= {"output": step.output, "mixed": step.output}
    numbers["weights"] = step.weights[: t + 1] * (query @ step.state[:, 4])
    return numbers, {
        f"After “{figures.WORDS[t]}” at position {t}: ": True,
        f"The row of weights has {t + 1} number": True,
        f"{100 * share:.{int(share < 0.01)}f}\u00a0% of the sum": True,
        "nothing is forgotten": w.slope == 0,
    }


def number_of_the_state(w, row, column):
    """Rows down: those of S as it was, then those of what is added to it."""
    if column > 3:
        return f"z, entry {row % 4 + 1}"
    at = f"S, row {row % 4 + 1}, column {column + 1}"
    if row < 4:
        return f"{at}, from before: "
    token = figures.ORDER[w.t]
    key, value = elu_plus_one(K)[token, row - 4], V[token, column]
    return f"New for {at}: {key:g} × {value:g} = {key * value:g}."


def measured_cost(w):
    rows = load("bench_linear_attention")["results"]["scaling"][w.direction]
    names = list(w.names) if w.all_methods else [*{w.one: 0, w.other: 0}]
    curves = {
        name: [rows[str(n)].get(name, {}).get(w.quantity, np.nan) for n in w.lengths]
        for name in names
    }
    numbers = {"curves": {n: Near(curve, rtol=6e-4) for n, curve in curves.items()}}
    numbers["at"] = w.lengths.index(w.seq_len)
    what = "time" if w.quantity == "ms" else "memory"
    cells = w.cells[w.direction][str(w.seq_len)]
    a, b = (cells.get(name, {}).get(w.quantity) for name in (w.one, w.other))
    sentences = {f"Length {w.seq_len:,}, {what}: {w.names[w.one]} ": True}
    sentences["not measured"] = a is None or b is None
    grown = {
        n: w.cells[w.direction][str(n)].get(w.one, {}).get(w.quantity)
        for n in w.lengths
    }
    last = max((i for i, n in enumerate(w.lengths) if grown[n] is not None), default=0)
    spans = [n for n in w.lengths[max(0, last - 3) : last] if grown[n]]
    if spans:
        few, many = spans[0], w.lengths[last]
        factor = (grown[many] / grown[few]) ** (1 / np.log2(many / few))
        sentences[
            f"from {few:,} to {many:,} tokens, {factor:.1f} times the {what} with each"
        ] = True
    if a and b and w.one != w.other:
        ratio = a / b
        digits = sum(ratio < limit for limit in (0.0995, 9.95, 99.5))
        sentences[f" {ratio:.{digits}f} times as "] = True
    return numbers, sentences


SHOWN = {
    KernelLift: kernel_lift,
    ProductOrder: product_order,
    CausalState: causal_state,
    MeasuredCost: measured_cost,
}
POINTED = {(ProductOrder, 0): shape, (CausalState, 0): number_of_the_state}
