"""Sections of the first edition by the part of their address behind ``#``.

A link to a section whose heading has changed since still leads to what became of it:
the section carries its old id besides its own. Sections that are gone are not listed:
their links lead to the top of the page.
"""

import re
from typing import Any

from docutils import nodes

#: What headings say of sections that may be skipped; an id without it is one, too.
MARK = re.compile(r"-(optional|skip-on-first-reading)$")

SKETCH = "from-a-sketch-with-nn-conv1d-to-the-published-layer"
#: By page, old ids and those of today, without `MARK`.
MOVED = {
    "alibi": {
        "a-staircase-beside-a-line": "beside-t5-s-staircase",
        "both-directions": "both-directions-alibi-in-an-encoder",
        "in-a-decoder": "how-does-alibi-work-with-a-kv-cache",
        "the-running-example": "by-hand-dog-bites-man",
    },
    "attention": {
        "attention-is-three-matrix-products": (
            "attention-is-a-handful-of-matrix-products"
        ),
        "the-code": "by-hand-dog-bites-man",
    },
    "cape": {
        "positions-that-move": "part-1-positions-that-move-cape",
        "cape-swap": "when-do-tokens-keep-their-order",
        "without-any-encoding-what-an-encoder-cannot-know": (
            "what-an-encoder-cannot-know"
        ),
        "cape-paths": "ctc-from-scratch",
    },
    "compare": {"which-one-do-i-take": "which-encoding-do-i-take"},
    "convolutional": {
        "what-it-cannot-do": "what-it-cannot-show",
        "equation-conv-wn2": "weight-normalization-from-zero",
        "what-the-source-says-and-what-is-true": SKETCH,
        "conv-padding": SKETCH,
        "conv-transpose": SKETCH,
        "conv-inside": SKETCH,
        "conv-missing-norm": SKETCH,
        "conv-return": SKETCH,
    },
    "linear_attention": {
        "which-product-first": "part-one-which-product-first",
        "the-code": "in-the-wild",
        "which-map-three-answers-measured": "which-map",
        "now-put-position-in": "part-two-position-in-the-state",
        "linear-fourier": "any-bias-of-the-offset-by-fourier-transform",
        "the-running-example": "by-hand-dog-bites-man",
        "where-it-is-worse": "what-a-state-cannot-hold",
    },
    "music_transformer": {
        "what-it-saves-the-paper-s-table": "what-it-saves-and-what-not",
        "what-it-costs": "what-it-saves-and-what-not",
    },
    "rope": {
        "one-requirement": "is-turning-the-only-solution-xpos",
        "which-features-form-a-pair": (
            "which-features-form-a-pair-interleaved-or-rotate-half"
        ),
        "a-program-that-does-not-run": "rope-program",
        "what-distance-does-to-the-score": "does-the-score-decay-with-distance",
        "longer-than-in-training": "rope-context",
        "in-practice-where-tokens-stand": "in-practice",
    },
    "rotation": {"the-code": "what-it-costs"},
    "shaw": {
        "three-ways-to-the-same-scores": "three-ways-without-loops",
        "shaw-where": "what-others-got-wrong",
    },
    "sinusoidal": {
        "slower-and-slower": "an-irrational-period",
        "sines-need-cosines": "why-both-sine-and-cosine",
        "the-code": "the-formula-and-its-heat-map",
        "the-pictures-that-people-print": "two-orders-two-rules",
        "no-two-positions-alike": "an-irrational-period",
        "sinusoidal-closes": "an-irrational-period",
        "is-the-maximal-length-1-and-10-001-look-the-same": (
            "is-10000-or-2-10000-63-000-the-longest-text"
        ),
        "angles-need-many-digits": "sinusoidal-accuracy",
    },
    "swin": {
        "swin-opposite": "the-other-sign",
        "the-width-not-the-height": "the-wrong-side-of-the-window",
        "shifted-windows-in-short": "shifted-windows",
    },
    "t5": {
        "the-code": "why-whole-numbers",
        "from-buckets-to-the-bias": "from-the-table-to-the-bias-matrix",
        "in-a-decoder": "how-does-the-bias-work-with-a-kv-cache",
    },
    "teaching": {
        "what-may-be-handed-in": "what-happens-to-bad-submissions",
        "a-class-with-nothing-but-this-site": "a-class-without-a-hub",
    },
    "transformer_xl": {
        "why-is-this-linear": "count-the-distances",
        "the-code": "the-relative-shift",
        "what-it-costs": "what-the-shift-costs",
    },
}


def add_ids(app: Any, doctree: nodes.document) -> None:
    """Give sections their old ids, behind their own."""
    sections = [*doctree.findall(nodes.section)]
    by_id = {name: section for section in sections for name in section["ids"]}
    own = [(MARK.sub("", name), name) for name in by_id]
    moved = MOVED.get(app.env.docname.removeprefix("book/"), {})
    for old, new in [*own, *moved.items()]:
        if new in by_id and old not in by_id:
            by_id[old] = by_id[new]
            by_id[old]["ids"].append(old)


def setup(app: Any) -> None:
    """Register the ids with Sphinx."""
    app.connect("doctree-read", add_ids)
