"""The widgets on rotary embedding on a static page, opened from the disk."""

import math
from functools import partial
from itertools import product

import numpy as np
import pytest
from widget_page import (
    VISIT,
    control,
    pictures,
    readout,
    real,
    shown,
    table_rows,
    widget,
)

from posenc import rope
from posenc.rope.figures import METHODS, planes
from posenc.rope.widgets import (
    BASES,
    DECAY_SIZES,
    DISTANCES,
    LAYOUT_SIZES,
    LAYOUTS,
    SCALES,
    SIZES,
    SPEEDS,
    TRAINED,
    DecayCurves,
    LayoutMixup,
    PlaneClocks,
    TurnedPair,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (TurnedPair, PlaneClocks, partial(DecayCurves, revealed=True), LayoutMixup)
PLANE, CLOCKS, DECAY, LAYOUT = range(4)


class TestPlane:
    def test_scores_are_posencs_over_a_grid(self, page):
        rng = np.random.default_rng(0)
        visits = [
            {
                "m": int(rng.integers(25)),
                "n": int(rng.integers(25)),
                "degrees": place,
                "q_angle": int(rng.integers(24)),
                "k_angle": int(rng.integers(24)),
            }
            for place in range(len(SPEEDS))
            for _ in range(6)
        ]
        found = widget(page, PLANE).evaluate(VISIT, visits)
        for visit, (drawn, words, _) in zip(visits, found, strict=True):
            step = math.radians(SPEEDS[visit["degrees"]])
            start = np.radians([15 * visit["q_angle"], 15 * visit["k_angle"]])
            pair = np.stack([np.cos(start), np.sin(start)], axis=-1)
            pair = pair * np.asarray([[1.0], [0.8]])
            q, k = pair[:1], np.tile(pair[1:], (25, 1))
            offsets = np.arange(-12, 13)[:, None] * step
            curve = rope.apply_rotary(k, offsets) @ q[0]
            np.testing.assert_allclose(drawn["curve"], curve, atol=1e-9)
            angles = np.asarray([[visit["m"]], [visit["n"]]]) * step
            turned = rope.apply_rotary(pair, angles)
            score = float(turned[0] @ turned[1])
            assert drawn["score"] == pytest.approx(score)
            hands = np.radians([drawn["q"], drawn["k"]])
            tips = np.stack([np.cos(hands), 0.8 * np.sin(hands)], axis=-1)
            want = (
                turned / np.asarray([[1, 1], [0.8, 1]]) * np.asarray([[1, 0.8], [1, 1]])
            )
            np.testing.assert_allclose(tips, want, atol=1e-9)
            assert f"Query at {visit['m']}, key at {visit['n']}: " in words
            assert words.endswith(f"score {real(score)}.")

    def test_sums_over_planes_are_posencs(self, page):
        rng = np.random.default_rng(3)
        visits = [
            {
                "m": int(rng.integers(25)),
                "n": int(rng.integers(25)),
                "degrees": int(rng.integers(len(SPEEDS))),
                "k_angle": int(rng.integers(24)),
                "planes": planes,
            }
            for planes in (0, 1, 2) * 6
        ]
        further = TurnedPair().further
        for visit, (drawn, words, facts) in zip(
            visits, widget(page, PLANE).evaluate(VISIT, visits), strict=True
        ):
            count = (1, 2, 4)[visit["planes"]]
            key = 0.8 * np.exp(1j * math.radians(15 * visit["k_angle"]))
            pairs = [
                (np.exp(1j * math.pi / 6), key),
                *(
                    (
                        np.exp(1j * math.radians(p["q"])),
                        p["short"] * np.exp(1j * math.radians(p["k"])),
                    )
                    for p in further
                ),
            ]
            q, k = np.asarray(pairs).T
            rows = np.stack([q, k]).view(float).reshape(2, 8)
            places = np.asarray([[visit["m"]], [visit["n"]]])
            places = places * math.radians(SPEEDS[visit["degrees"]])
            angles = rope.rotary_angles(places[:, 0], 8, base=16.0)
            turned = rope.apply_rotary(rows, angles)
            parts = turned.prod(axis=0).reshape(4, 2).sum(axis=1)[:count]
            np.testing.assert_allclose(drawn["parts"], parts, atol=1e-9)
            assert drawn["score"] == pytest.approx(parts.sum(), abs=1e-9)
            r = visit["n"] - visit["m"]
            if abs(r) <= 12:
                assert drawn["curve"][r + 12] == pytest.approx(drawn["score"])
            listed = ", ".join(real(part) for part in parts)
            assert (f"parts {listed}, score" in words) == (count > 1)
            assert ("in plane 0" in facts) == (count > 1)

    def test_every_part_stays_while_the_pair_slides(self, page):
        root = widget(page, PLANE)
        control(root, "planes").select_option("4")
        start, picture = shown(root), pictures(root)
        root.locator("[data-play]").press("Enter")
        end = shown(root)
        assert readout(root).startswith("Query at 22, key at 24")
        assert end["q"] - start["q"] == 21 * 30
        np.testing.assert_allclose(end["parts"], start["parts"], atol=1e-9)
        assert end["score"] == pytest.approx(start["score"])
        assert pictures(root)[1] != picture[1]
        root.locator("canvas").first.press("ArrowDown")  # the key alone
        apart = np.abs(np.subtract(shown(root)["parts"], start["parts"]))
        assert (apart > 0.005).all()

    def test_the_first_of_four_planes_is_dragged(self, page):
        root = widget(page, PLANE)
        one = root.locator("canvas").nth(1).bounding_box()
        control(root, "planes").select_option("4")
        canvas = root.locator("canvas").nth(1)
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        assert box["height"] > one["height"]
        before = shown(root)
        x, y, size = 85, 16 + 85, 65  # of the first plane
        angle = math.radians(60)
        page.mouse.move(
            box["x"] + x + size * math.cos(angle), box["y"] + y - size * math.sin(angle)
        )
        page.mouse.down()
        page.mouse.move(box["x"] + x + size, box["y"] + y, steps=4)
        page.mouse.up()
        after = shown(root)
        assert after["q"] == 360  # turned by 30 degrees from 330
        assert after["parts"][0] != pytest.approx(before["parts"][0])
        assert after["parts"][1:] == before["parts"][1:]

    def test_keys_move_both_or_the_key_alone(self, page):
        root = widget(page, PLANE)
        canvas = root.locator("canvas").first
        score = shown(root)["score"]
        before = pictures(root)
        for _ in range(5):
            canvas.press("ArrowRight")
        assert readout(root).startswith("Query at 6, key at 8: relative position +2")
        assert shown(root)["score"] == pytest.approx(score)
        assert pictures(root)[0] != before[0]
        canvas.press("ArrowUp")
        assert readout(root).startswith("Query at 6, key at 9: relative position +3")
        assert shown(root)["score"] != pytest.approx(score)
        for key in ["ArrowDown"] * 30 + ["ArrowLeft"] * 30:  # not beyond the ruler
            canvas.press(key)
        assert readout(root).startswith("Query at 6, key at 0")

    def test_markers_are_dragged_along_the_text(self, page):
        root = widget(page, PLANE)
        canvas = root.locator("canvas").first
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()

        def drag(start, end, height):
            unit = (box["width"] - 36) / 24
            x = [box["x"] + 18 + place * unit for place in (start, end)]
            page.mouse.move(x[0], box["y"] + height)
            page.mouse.down()
            page.mouse.move(x[1], box["y"] + height, steps=6)
            page.mouse.up()

        drag(3, 8.3, 50)  # the key
        assert readout(root).startswith("Query at 1, key at 8")
        drag(1, 5, 50)
        assert readout(root).startswith("Query at 5, key at 8")
        drag(6, 16, 20)  # the bracket between them: both
        assert readout(root).startswith("Query at 15, key at 18")
        drag(16, 30, 20)  # not out of the text
        assert readout(root).startswith("Query at 21, key at 24")
        drag(3, 9, 50)  # nobody is there
        assert readout(root).startswith("Query at 21, key at 24")

    def test_both_slide_along_the_text_at_one_score(self, page):
        root = widget(page, PLANE)
        score = shown(root)["score"]
        play = root.locator("[data-play]")
        play.press("Enter")
        assert readout(root).startswith("Query at 22, key at 24")
        assert shown(root)["score"] == pytest.approx(score)
        for _ in range(3):
            root.locator("canvas").first.press("ArrowDown")
        play.press("Enter")  # the key stands before the query now
        assert readout(root).startswith("Query at 24, key at 23")
        play.press("Enter")
        assert readout(root).startswith("Query at 1, key at 0")

    def test_an_arrow_is_dragged_by_its_tip(self, page):
        root = widget(page, PLANE)
        canvas = root.locator("canvas").nth(1)
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        center = box["width"] / 2
        size = center - 26

        def point(length, degrees):
            angle = math.radians(degrees)
            x, y = math.cos(angle), math.sin(angle)
            across = center + length * size * x
            return box["x"] + across, box["y"] + center - length * size * y

        # The key, of length 0.8, starts at 90 and is turned by 3 times 30 degrees.
        page.mouse.move(*point(0.8, 180))
        page.mouse.down()
        page.mouse.move(*point(0.8, 203), steps=4)  # 23 on: nearer to 30 than to 15
        assert shown(root)["k"] == 210
        assert shown(root)["q"] == 60
        page.mouse.up()
        page.mouse.move(*point(1, 60))
        page.mouse.down()
        page.mouse.move(*point(0.5, -30), steps=8)  # past 0: from 30 to 300
        page.mouse.up()
        assert shown(root)["q"] == 330
        page.mouse.move(*point(0.2, 270))  # no arrow is near, none is held
        page.mouse.down()
        page.mouse.move(*point(0.9, 270))
        assert shown(root)["q"] == 330
        assert shown(root)["k"] == 210

    def test_buttons_move_both_and_reset(self, page):
        root = widget(page, PLANE)
        before, score = pictures(root), shown(root)["score"]
        root.get_by_role("button", name="move both +1").press("Enter")
        assert shown(root)["score"] == pytest.approx(score)
        assert readout(root).startswith("Query at 2, key at 4")
        root.get_by_role("button", name="move both −1").press("Enter")
        assert pictures(root) == before
        control(root, "k_angle").press("End")
        changed = [a != b for a, b in zip(pictures(root), before, strict=True)]
        assert changed == [False, True, True]  # on the ruler there are no angles
        root.get_by_role("button", name="reset").press("Enter")
        assert pictures(root) == before


class TestClocks:
    def test_planes_are_posencs_over_a_grid(self, page):
        rng = np.random.default_rng(1)
        settings = list(
            product(range(len(SIZES)), range(len(BASES)), range(len(METHODS)))
        )
        visits = [
            {
                "head_dim": d,
                "base": b,
                "method": method,
                "trained_len": int(rng.integers(len(TRAINED))),
                "scale": int(rng.integers(len(SCALES))),
                "distance": int(rng.integers(len(DISTANCES))),
            }
            for d, b, method in settings
            for _ in range(3)
        ]
        found = widget(page, CLOCKS).evaluate(VISIT, visits)
        for visit, (drawn, _, facts) in zip(visits, found, strict=True):
            state = planes(
                SIZES[visit["head_dim"]],
                BASES[visit["base"]],
                TRAINED[visit["trained_len"]],
                method=list(METHODS)[visit["method"]],
                scale=SCALES[visit["scale"]],
                distance=DISTANCES[visit["distance"]],
            )
            np.testing.assert_allclose(drawn["theta"], state.theta, rtol=1e-9)
            np.testing.assert_allclose(drawn["angle"], state.angles, rtol=1e-9)
            np.testing.assert_allclose(drawn["seen"], state.seen, rtol=1e-9)
            assert drawn["fresh"] == state.new.tolist()
            slow = int((state.seen < 2 * math.pi).sum())
            assert f"{slow} of {len(state.theta)} planes did not finish" in facts
            count = int(state.new.sum())
            assert (f", {count} hand" in facts) == (count > 0)

    def test_counts_of_the_exercise(self, page):
        root = widget(page, CLOCKS)
        (first, second) = root.evaluate(
            VISIT, [{"head_dim": 3, "base": 1, "trained_len": 1}, {"base": 2}]
        )
        assert "11 of 32 planes" in first[2]
        assert "17 of 32 planes" in second[2]

    def test_arrows_lead_from_clock_to_clock(self, page):
        root = widget(page, CLOCKS)
        dials = root.locator("canvas").first
        before = pictures(root)
        dials.press("Home")
        assert readout(root).startswith("Plane 0: one round takes 6.3 tokens")
        dials.press("ArrowRight")
        assert readout(root).startswith("Plane 1: ")
        dials.press("End")
        words = readout(root)
        assert words.startswith("Plane 15: ")
        assert words.endswith("% of the dial; the hand points beyond.")
        assert all(a != b for a, b in zip(pictures(root), before, strict=True))
        dials.press("Escape")
        assert pictures(root) == before

    def test_text_table_says_the_same(self, page):
        root = widget(page, CLOCKS)
        cells = table_rows(root)
        state = planes(32, 10_000.0, 2048, distance=4096)
        assert [int(row[0]) for row in cells] == list(range(16))
        assert [row[5] == "new" for row in cells] == state.new.tolist()
        rounds = [real(angle / (2 * math.pi)) for angle in state.angles]
        assert [row[4] for row in cells] == rounds


class TestDecay:
    def test_curves_and_words_are_those_of_the_tables(self, page):
        root, tables = widget(page, DECAY), DecayCurves()
        contents = [name for name, _ in tables.choices["content"]]
        visits = [
            {"content": c, "head_dim": d, "base": b}
            for c, d, b in product(range(3), range(len(DECAY_SIZES)), range(2))
        ]
        for visit, (drawn, _, facts) in zip(
            visits, root.evaluate(VISIT, visits), strict=True
        ):
            d, b = DECAY_SIZES[visit["head_dim"]], (10_000, 500_000)[visit["base"]]
            table = tables.curves[f"{contents[visit['content']]},{d},{b}"]
            assert drawn.pop("guesses") == 5 * [table["score"][0]]
            assert drawn == {**table, "mean": tables.means[f"{d},{b}"]}
            rises = int((np.diff(table["score"]) > 0).sum())
            assert f"it rises at {rises} of 299 steps" in facts
            assert f"largest at distance {int(np.argmax(table['score']))}." in facts

    def test_arrows_lead_from_distance_to_distance(self, page):
        root = widget(page, DECAY)
        before = pictures(root)
        right = root.locator("canvas").last
        right.press("End")
        right.press("ArrowLeft")
        table = DecayCurves()
        score = table.curves["ones,128,10000"]["score"][298]
        assert readout(root).startswith(f"Distance 298: score {real(score, 1)}, bound ")
        assert all(a != b for a, b in zip(pictures(root), before, strict=True))


class TestLayouts:
    def test_partners_orders_and_scores(self, page):
        root, tables = widget(page, LAYOUT), LayoutMixup()
        names = LAYOUTS
        visits = [
            {"trained": a, "runs": b, "head_dim": d, "permuted": permuted}
            for a, b, d, permuted in product(
                range(2), range(2), range(2), (True, False)
            )
        ]
        for visit, (drawn, _, facts) in zip(
            visits, root.evaluate(VISIT, visits), strict=True
        ):
            a, b = names[visit["trained"]], names[visit["runs"]]
            d, permuted = LAYOUT_SIZES[visit["head_dim"]], visit["permuted"]
            target = b if permuted else a
            order = rope.layout_permutation(d, source=a, target=target).tolist()
            assert drawn["order"] == order
            partners = [
                p ^ 1 if b == "interleaved" else (p + d // 2) % d for p in range(d)
            ]
            assert drawn["partners"] == partners
            assert drawn["meant"] == tables.scores[f"{d},{a},{a},false"]
            flag = str(permuted).lower()
            assert drawn["got"] == tables.scores[f"{d},{a},{b},{flag}"]
            torn = np.abs(np.subtract(drawn["got"], drawn["meant"])).max()
            assert ("Pairs are torn apart" in facts) == (torn > 0)
            assert ("The wrong scores" in facts) == (torn > 0)
            if torn:
                assert f"off by up to {real(torn)}." in facts

    def test_places_tell_their_partners(self, page):
        root = widget(page, LAYOUT)
        lanes = root.locator("canvas").first
        lanes.press("Home")
        words = "Place 0 holds x₀. The code turns it together with place 1, x₁: "
        assert readout(root) == words + "not its partner."
        lanes.press("ArrowRight")
        assert readout(root).startswith("Place 1 holds x₁.")
        control(root, "permuted").press("Space")
        lanes.press("Home")
        assert readout(root).endswith("with place 1, y₀: its own partner.")
        curve = root.locator("canvas").last
        curve.press("ArrowRight")
        assert readout(root).startswith("Relative position +1: score ")


@pytest.mark.parametrize("which", range(4))
class TestEveryWidget:
    def test_hovering_tells_and_leaving_forgets(self, page, which):
        root = widget(page, which)
        before, words = pictures(root), readout(root)
        canvas = root.locator("canvas").last
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"])
        assert readout(root) != words
        tip = root.locator(".pe-tip").last
        assert tip.inner_text() == readout(root)
        assert pictures(root) != before
        page.mouse.move(1, 1)
        assert pictures(root) == before
        assert readout(root) == words
        assert tip.is_hidden()
