"""Content of the widgets of the comparison, computed by posenc."""

import numpy as np
from widget_page import Near, real

from posenc.compare.figures import EXAMPLES, KINDS, TITLES, shifted_scores, shown
from posenc.compare.widgets import MethodMatrices, ShiftedSentence
from posenc.kit.figures.text import signed

WORDS = ["dog", "bites", "man"]


def method_matrices(w):
    every = shown(w.text, w.view, causal=w.causal)
    return {name: Near(every[name], 6e-6) for name in w.methods}, {}


def cell(w, row, column):
    words = EXAMPLES[w.text].words
    q, k = (min(n, len(words) - 1) for n in (row, column))
    start = f"query “{words[q]}” {q}, key “{words[k]}” {k}: "
    every = shown(w.text, w.view, causal=w.causal)
    if w.causal and k > q:
        return start + "hidden by the causal mask"
    if w.view != "change":
        return start
    numbers = {name: every[name][q, k] for name in w.methods if name != "none"}
    near = {n: signed(x, 2)[:-1] if abs(x) > 0.006 else "" for n, x in numbers.items()}
    return start, *(f"{TITLES[name]} {words}" for name, words in near.items())


def matrix_table(w):
    words, every = EXAMPLES[w.text].words, shown(w.text, w.view, causal=w.causal)
    return [
        [f"{a} {q} → {b} {k}", *(float(every[name][q, k]) for name in w.methods)]
        for q, a in enumerate(words)
        for k, b in enumerate(words)
    ]


def words_of(w):
    return WORDS[:: -1 if w.swapped else 1]


def shifted_sentence(w):
    now = {n: shifted_scores(n, w.shift, swapped=w.swapped) for n in w.methods}
    words = words_of(w)
    numbers = {
        "shift": w.shift,
        "words": words,
        "scores": {name: Near(scores, 6e-5) for name, scores in now.items()},
    }
    places = ", ".join(str(w.shift + n) for n in range(3))
    changed = ", ".join(
        f"{TITLES[name]} {'9 of 9' if name == 'sinusoidal' else 'none'}" for name in now
    )
    pairs = []
    for name in w.methods:
        usual, turned = (
            shifted_scores(name, w.shift, swapped=swapped) for swapped in (False, True)
        )
        pairs.append(f"{TITLES[name]} {real(usual[0, 2])} and {real(turned[2, 0])}")
    most = np.abs(
        shifted_scores("sinusoidal", w.shift, swapped=w.swapped)
        - shifted_scores("sinusoidal", 0, swapped=w.swapped)
    ).max()
    return numbers, {
        f"“{' '.join(words)}”, moved from 0, 1, 2 to {places}. Scores that changed: "
        f"{changed}.": w.shift > 0,
        f"sinusoids by up to {real(most)}": w.shift > 0 and "sinusoidal" in now,
        f"in “man bites dog”: {', '.join(pairs)}.": True,
    }


def score(w, row, column):
    q, k = (min(n, 2) for n in (row, column))
    words = words_of(w)
    scores = {n: shifted_scores(n, w.shift, swapped=w.swapped) for n in w.methods}
    return (
        f"query “{words[q]}” {w.shift + q}, key “{words[k]}” {w.shift + k}: ",
        *(f"{TITLES[name]} {real(found[q, k])}" for name, found in scores.items()),
    )


def score_table(w):
    words, at = words_of(w), w.shift
    scores = [shifted_scores(n, at, swapped=w.swapped) for n in KINDS]
    return [
        [
            f"{q} {at + i} → {k} {at + j}",
            *(float(x[i, j]) for x in scores),
        ]
        for i, q in enumerate(words)
        for j, k in enumerate(words)
    ]


SHOWN = {MethodMatrices: method_matrices, ShiftedSentence: shifted_sentence}
POINTED = {(MethodMatrices, 0): cell, (ShiftedSentence, 1): score}
TABLES = {MethodMatrices: matrix_table, ShiftedSentence: score_table}
