"""Figures of the comparison: what they draw is what posenc computes."""

import math

import numpy as np
import pytest

from posenc.attention import attention_weights
from posenc.compare.figures import (
    EXAMPLES,
    all_scores,
    shown,
)

THREE = "dog bites man"
VIEWS = ("change", "scores", "weights")

#: Arguments with which tests/kit/test_every_figure.py draws; the rest has defaults.
ARGUMENTS = {
    "matrices": [{"text": THREE}, {"text": THREE, "view": "weights", "causal": True}],
    "matrix": [{"values": np.eye(3), "view": "weights", "ends": (0, 1)}],
}

#: Arguments, and what the drawing must hold: see `figure_rules`.
SHOWS = {
    "matrices": (
        {"text": THREE, "view": "change", "methods": ["t5", "rope"]},
        ["+0.0", "+1.0", "−2.0", "+2.0", "+0.0", "+1.0", "−1.0", "+2.0", "+0.0"],
    ),
}


class TestData:
    def test_the_running_example_has_the_numbers_of_the_chapters(self):
        change = shown(THREE, "change", causal=False)
        np.testing.assert_array_equal(change["t5"], [[0, 1, -2], [2, 0, 1], [-1, 2, 0]])
        np.testing.assert_array_equal(change["swin"], change["t5"])

    @pytest.mark.parametrize("text", EXAMPLES)
    def test_scores_equal_plain_loops(self, text):
        """Each method once more, a pair of words at a time, from its formula."""
        e, scores = EXAMPLES[text], all_scores(text)
        clip = len(e.learned["key_table"]) // 2
        d = e.x.shape[-1]

        def sine(place, feature, half=False):
            i, odd = (
                (feature % (d // 2), feature >= d // 2)
                if half
                else (feature // 2, feature % 2)
            )
            angle = place * 10_000 ** (-2 * i / d)
            return math.cos(angle) if odd else math.sin(angle)

        def turned(x, place):
            angles = [place * 10_000 ** (-2 * i / d) for i in range(d // 2)]
            z = (x[::2] + 1j * x[1::2]) * np.exp(1j * np.asarray(angles))
            return np.stack([z.real, z.imag], -1).ravel()

        for i, j in np.ndindex(e.length, e.length):
            q, k, r = e.x[i] @ e.w_q, e.x[j] @ e.w_k, j - i
            content = q @ k / e.root
            vector = e.learned["key_table"][max(-clip, min(r, clip)) + clip]
            far = e.learned["offsets"][r + e.length - 1]
            sines = np.asarray([sine(-r, f, half=True) for f in range(d)])
            u, v = e.learned["u"], e.learned["v"]
            place = sines @ e.learned["projection"]
            want = {
                "none": content,
                "shaw": q @ (k + vector) / e.root,
                "music_transformer": q @ (k + far) / e.root,
                "transformer_xl": ((q + u) @ k + (q + v) @ place) / e.root,
                "swin": content + e.learned["window"][-r + e.length - 1, 0],
                "alibi": content - e.slope * abs(r),
                "rope": turned(q, i) @ turned(k, j) / e.root,
            }
            for name, middle in (("sinusoidal", 0), ("cape", (e.length - 1) / 2)):
                at_i, at_j = (
                    e.x[n] + [sine(n - middle, f) for f in range(d)] for n in (i, j)
                )
                want[name] = (at_i @ e.w_q) @ (at_j @ e.w_k) / e.root
            at_i, at_j = (e.x[n] + e.learned["table"][n] for n in (i, j))
            want["learned"] = (at_i @ e.w_q) @ (at_j @ e.w_k) / e.root
            for name, value in want.items():
                assert scores[name][i, j] == pytest.approx(value, abs=1e-9), name

    @pytest.mark.parametrize("causal", [False, True])
    @pytest.mark.parametrize("text", EXAMPLES)
    def test_views(self, text, causal):
        scores = all_scores(text)
        seen = {view: shown(text, view, causal=causal) for view in VIEWS}
        length = EXAMPLES[text].length
        hidden = np.triu(np.ones((length, length), bool), 1) & causal
        for name, matrix in scores.items():
            np.testing.assert_array_equal(np.isnan(seen["scores"][name]), hidden)
            np.testing.assert_array_equal(
                seen["scores"][name][~hidden], matrix[~hidden]
            )
            change = (matrix - scores["none"])[~hidden]
            np.testing.assert_array_equal(seen["change"][name][~hidden], change)
            weights = attention_weights(matrix, np.eye(length), scale=1.0, mask=~hidden)
            weights[hidden] = np.nan
            np.testing.assert_allclose(seen["weights"][name], weights)
