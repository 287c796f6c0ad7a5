"""The widget of the chapter on CAPE on a static page, in a real browser."""

import numpy as np
import pytest
from widget_page import control, readout, widget

from posenc.cape import augmented_positions
from posenc.cape.figures import crossings, moved, unit_draws
from posenc.cape.widgets import CHOICES, DRAWS, MOST_TOKENS, THETAS, AugmentedTimeline

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (AugmentedTimeline, AugmentedTimeline)
LINE, WAVE = range(2)

#: Brings the controls to each setting and returns what is drawn and said.
VISIT = """async (root, visits) => {
  const put = async (key, value, type) => {
    const input = root.querySelector(`[data-key=${key}]`);
    if (input.tagName === "SELECT") input.selectedIndex = value;
    else input.value = value;
    input.dispatchEvent(new Event(type, { bubbles: true }));
    await Promise.resolve();
  };
  const again = [...root.querySelectorAll("button")]
    .find((button) => button.textContent === "draw again");
  const found = [];
  for (const visit of visits) {
    for (const key of ["max_global_shift", "max_local_shift", "max_scale"])
      await put(key, visit[key], "input");
    await put("tokens", visit.tokens - 4, "input");
    await put("pair", visit.pair, "change");
    found.push([JSON.parse(root.dataset.shown),
      root.querySelector(".pe-facts").textContent]);
    again.click();
    await Promise.resolve();
  }
  return found;
}"""


def visits():
    """Every choice of every maximum, and every draw several times."""
    rng = np.random.default_rng(0)
    return [
        {
            **{name: int(rng.integers(len(c))) for name, c in CHOICES.items()},
            "tokens": int(rng.integers(4, MOST_TOKENS + 1)),
            "pair": int(rng.integers(len(THETAS))),
        }
        for _ in range(10 * DRAWS)
    ]


class TestNumbers:
    def test_they_are_posencs_for_all_draws_and_settings(self, page):
        found = widget(page).evaluate(VISIT, visits())
        for number, (visit, (drawn, said)) in enumerate(
            zip(visits(), found, strict=True)
        ):
            maxima = {name: c[visit[name]] for name, c in CHOICES.items()}
            seed, count = number % DRAWS, visit["tokens"]
            positions = np.arange(float(count))
            after = moved(positions, unit_draws(seed, count), **maxima)
            off = [name for name in CHOICES if visit[name] == 0]
            if not off:  # what is switched off is not drawn
                rng = np.random.default_rng(seed)
                own = augmented_positions(positions, rng=rng, **maxima)
                np.testing.assert_allclose(after, own, rtol=0, atol=1e-12)
            np.testing.assert_allclose(drawn["after"], after, rtol=0, atol=1e-12)
            np.testing.assert_array_equal(drawn["before"], positions - positions.mean())
            sine = np.sin(THETAS[visit["pair"]] * after)
            np.testing.assert_allclose(drawn["sine"], sine, rtol=0, atol=1e-12)
            pairs = crossings(positions, after)
            assert drawn["crossed"] == [[i, j] for i, j in pairs]
            if not pairs:
                assert "No pair has changed its order" in said
                must = maxima["max_local_shift"] <= 0.5
                assert ("none can" in said) == must
            elif len(pairs) == 1:
                first, second = pairs[0]
                words = "1 pair of tokens has changed their order (×): "
                assert f"{words}{first} and {second}." in said
            else:
                assert f"{len(pairs)} pairs of tokens have changed their order" in said

    def test_text_table_holds_every_token(self, page):
        root = widget(page)
        root.locator("summary").press("Enter")
        rows = root.locator("tbody tr")
        rows.first.wait_for()
        cells = [
            [float(cell.replace("−", "-")) for cell in row.split("\t")]
            for row in rows.all_inner_texts()
        ]
        draws, positions = unit_draws(0, 8), np.arange(8.0)
        after = moved(
            positions,
            draws,
            max_global_shift=3.0,
            max_local_shift=0.5,
            max_scale=1.5,
        )
        want = [positions, positions - 3.5, 0.5 * draws.jitter, after, np.sin(after)]
        np.testing.assert_allclose(np.asarray(cells).T, want, rtol=0, atol=0.0006)


class TestKeyboard:
    @pytest.mark.parametrize("which", [LINE, WAVE])
    def test_arrows_lead_from_token_to_token(self, page, which):
        root = widget(page)
        canvas = root.locator("canvas").nth(which)
        canvas.press("ArrowRight")
        canvas.press("ArrowRight")
        draws = unit_draws(0, 8)
        after = 1.5**draws.scale * (-1.5 + 3 * draws.shift + 0.5 * draws.jitter[2])
        assert readout(root).startswith("token 2: (−1.50 + shift ")
        assert f"= {after:.2f}".replace("-", "−") in readout(root)
        canvas.press("End")
        assert readout(root).startswith("token 7: (3.50 + shift ")

    def test_a_crossing_is_told_at_its_tokens(self, page):
        root = widget(page)
        control(root, "max_local_shift").press("End")
        draws = unit_draws(0, 8)
        after = moved(np.arange(8.0), draws, max_local_shift=2.0)
        first, second = crossings(np.arange(8.0), after)[0]
        canvas = root.locator("canvas").nth(LINE)
        for _ in range(first):
            canvas.press("ArrowRight")
        canvas.press("Home") if first == 0 else None
        assert f"has swapped with {second}" in readout(root)
