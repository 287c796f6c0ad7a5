"""Content of the widgets of the chapter on Transformer-XL, computed by posenc."""

import numpy as np

from posenc.transformer_xl.figures import (
    MEMORY_LEN,
    STEPS,
    WORDS,
    example_terms,
    first_reached,
    shift_step,
)
from posenc.transformer_xl.widgets import FourTerms, SegmentReach, ShiftSteps


def segment_reach(w):
    sizes = {"segment_len": w.segment_len, "memory_len": w.memory_len}
    first = [
        first_reached(w.position, num_layers=n, **sizes)
        for n in range(w.num_layers + 1)
    ]
    return {"first": first}, {
        "goes back to the beginning": first[-1] == 0,
        f"Nothing before token {first[-1]} can change": first[-1] > 0,
    }


def shift_steps(w):
    rows = shift_step(w.method, w.step, w.q_len, w.k_len)
    cells = [[cell.name for cell in row] for row in rows]
    letter, distance = (
        "abcde"[w.followed // w.k_len],
        w.k_len - 1 - w.followed % w.k_len,
    )
    followed = f"{letter}{distance}"
    line = w.method == "view" and w.step == 1
    places = [
        f"number {j + w.q_len - 1} in memory" if line else f"row {i}, column {j}"
        for i, row in enumerate(cells)
        for j, cell in enumerate(row)
        if cell == followed
    ]
    last = w.step == len(STEPS[w.method]) - 1
    return {"cells": cells}, {
        "Every diagonal": last,
        "skew of the Music Transformer": last and w.q_len == w.k_len > 1,
        f"{followed}, query {letter} times distance {distance}: "
        f"{places and places[0]}": bool(places),
    }


def weights_of(w):
    used = (w.use_a, w.use_b, w.use_u, w.use_v)
    terms = np.asarray(example_terms())
    scores = sum(use * term for use, term in zip(used, terms, strict=True))
    weights = np.where(np.tril(np.ones(scores.shape), MEMORY_LEN), np.exp(scores), 0)
    return weights / weights.sum(axis=1, keepdims=True)


def four_terms(w):
    sentences = {"term c is 0": not w.use_u, "term d is 0": not w.use_v}
    return {"weights": weights_of(w)}, sentences


def pair(w, row, column):
    q, k = min(row, 5), column
    if k > q + MEMORY_LEN:
        return f"looks at “{WORDS[k]}” (key {k}), which comes later"
    return (
        f"“{WORDS[q + MEMORY_LEN]}” looks at “{WORDS[k]}” (key {k}), distance "
        f"{q + MEMORY_LEN - k}: ",
        f"weight {100 * weights_of(w)[q, k]:.1f} %",
    )


def term_table(w):
    terms = np.stack([np.asarray(term) for term in example_terms()])
    past = np.tril(np.ones(terms[0].shape, bool), MEMORY_LEN)
    return [[..., ..., *row.tolist()] for row in terms[:, past].T]


SHOWN = {SegmentReach: segment_reach, ShiftSteps: shift_steps, FourTerms: four_terms}
POINTED = {(FourTerms, 0): pair}
TABLES = {FourTerms: term_table}
