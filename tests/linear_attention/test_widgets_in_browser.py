"""The widgets on linear attention on a static page, opened from the disk."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from widget_page import (
    VISIT,
    control,
    facts,
    pictures,
    readout,
    real,
    shown,
    table_rows,
    widget,
)

from posenc.linear_attention import figures, polynomial_lift
from posenc.linear_attention.widgets import (
    COORDINATES,
    DIRECTIONS,
    LENGTHS,
    MEASURED_LENGTHS,
    MEASURED_METHODS,
    QUANTITIES,
    SIZES,
    SLOPES,
    CausalState,
    KernelLift,
    MeasuredCost,
    ProductOrder,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDGETS = (KernelLift, ProductOrder, CausalState, partial(MeasuredCost, revealed=True))
LIFT, ORDERS, STATE, COST = range(4)

#: Sends a touch at a place of a canvas, in shares of its size; whether it was taken.
TOUCH = """(canvas, [x, y]) => {
  const box = canvas.getBoundingClientRect();
  const clientX = box.x + x * box.width, clientY = box.y + y * box.height;
  const touch = new Touch({ identifier: 1, target: canvas, clientX, clientY });
  const event = new TouchEvent("touchstart", { touches: [touch], cancelable: true });
  return !canvas.dispatchEvent(event);
}"""


def visit_all(page, which, visits):
    return zip(visits, widget(page, which).evaluate(VISIT, visits), strict=True)


def drag(page, canvas, start, end):
    """Drag with the mouse, from and to shares of the canvas's size."""
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    places = [
        (box["x"] + x * box["width"], box["y"] + y * box["height"])
        for x, y in (start, end)
    ]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=5)
    page.mouse.up()


class TestLift:
    def test_lift_products_and_view_are_posencs_over_a_grid(self, page):
        rng = np.random.default_rng(0)
        places = {"q1": 25, "q2": 25, "k1": 25, "k2": 25, "azimuth": 72}
        places["elevation"] = 19
        visits = [
            {key: int(rng.integers(count)) for key, count in places.items()}
            for _ in range(40)
        ]
        plane, cloud = figures.ellipse_plane(), figures.cloud()
        for visit, (drawn, words, said) in visit_all(page, LIFT, visits):
            q, k = (
                np.asarray([COORDINATES[visit[f"{name}{i}"]] for i in (1, 2)])
                for name in "qk"
            )
            lifted = polynomial_lift(np.concatenate([[q, k], cloud]))
            np.testing.assert_allclose(drawn["lifted"], lifted, atol=1e-12)
            assert drawn["square"] == pytest.approx((q @ k) ** 2, abs=1e-12)
            assert drawn["dotted"] == pytest.approx(lifted[0] @ lifted[1], abs=1e-12)
            np.testing.assert_array_equal(drawn["below"], lifted @ plane < 1)
            view = 5 * visit["azimuth"] - 180, 5 * visit["elevation"]
            seen = figures.project(lifted, *view)
            np.testing.assert_allclose(drawn["seen"], seen, atol=1e-12)
            square = real((q @ k) ** 2, 4)
            assert f"(q · k)² = ({real(q @ k)})² = {square}. " in words
            assert words.endswith(f"φ(q) · φ(k) = {square}.")
            assert ("q · k is negative" in said) == (round(q @ k, 9) < 0)
            assert "24 of 48 points" in said

    def test_keys_move_one_point_and_enter_takes_the_other(self, page):
        root = widget(page, LIFT)
        flat = root.locator("canvas").first
        flat.press("ArrowLeft")
        flat.press("ArrowUp")
        assert "q = (1.0, 0.6)" in facts(root)
        flat.press("Enter")
        assert readout(root).startswith(
            "k = (0.4, 1.0) is lifted to (0.16, 0.57, 1.00)"
        )
        for _ in range(5):
            flat.press("ArrowUp")
        assert "k = (0.4, 1.2)" in facts(root)  # not beyond the picture
        assert "q = (1.0, 0.6)" in facts(root)
        root.get_by_role("button", name="reset").press("Enter")
        assert "q = (1.1, 0.5)" in facts(root)

    def test_points_can_be_dragged(self, page):
        root = widget(page, LIFT)
        flat = root.locator("canvas").first
        side = flat.bounding_box()["width"]
        scale = (side / 2 - 20) / 1.5 / side

        def place(x, y):
            return 0.5 + scale * x, 0.5 - scale * y

        drag(page, flat, place(1.1, 0.5), place(-0.72, -0.31))
        assert "q = (−0.7, −0.3)" in facts(root)
        assert "k = (0.4, 1.0)" in facts(root)
        drag(page, flat, place(0.4, 1.0), (0.02, 0.5))
        assert "k = (−1.2, 0.0)" in facts(root)
        # Beside the points nothing is gripped, and a finger scrolls the page.
        drag(page, flat, place(1.2, 1.2), place(0, 0))
        assert "q = (−0.7, −0.3)" in facts(root)
        assert flat.evaluate(TOUCH, place(-0.7, -0.3))
        assert not flat.evaluate(TOUCH, place(1.2, 1.2))

    def test_the_cone_turns_by_keys_and_by_dragging(self, page):
        root = widget(page, LIFT)
        cone = root.locator("canvas").last
        seen = shown(root)["seen"]
        cone.press("ArrowRight")
        assert control(root, "azimuth").get_attribute("aria-valuetext") == "−40°"
        np.testing.assert_allclose(
            shown(root)["seen"],
            figures.project(np.asarray(shown(root)["lifted"]), -40, 15),
            atol=1e-12,
        )
        cone.press("ArrowLeft")
        assert shown(root)["seen"] == seen
        for _ in range(20):
            cone.press("ArrowUp")
        assert control(root, "elevation").get_attribute("aria-valuetext") == "90°"
        drag(page, cone, (0.3, 0.9), (0.6, 0.5))
        around = control(root, "azimuth").get_attribute("aria-valuetext")
        up = control(root, "elevation").get_attribute("aria-valuetext")
        assert int(around[:-1].replace("−", "-")) > -40
        assert int(up[:-1]) < 90

    def test_text_table_lists_every_point(self, page):
        root = widget(page, LIFT)
        cells = table_rows(root)
        assert [row[0] for row in cells[:3]] == ["q", "k", "point 1"]
        sides = ["inside, below"] * 24 + ["outside, above"] * 24
        assert [row[3] for row in cells[2:]] == sides

    def test_without_the_points_only_two_vectors_are_left(self, page):
        root = widget(page, LIFT)
        before = pictures(root)
        control(root, "cloud").press("Space")
        assert len(shown(root)["lifted"]) == 2
        assert "ellipse" not in facts(root)
        assert all(a != b for a, b in zip(pictures(root), before, strict=True))


class TestOrders:
    def test_costs_are_pythons_over_the_whole_grid(self, page):
        visits = [
            {"seq_len": i, "head_dim": j}
            for i, j in product(range(len(LENGTHS)), range(len(SIZES)))
        ]
        for visit, (drawn, words, said) in visit_all(page, ORDERS, visits):
            L, d = LENGTHS[visit["seq_len"]], SIZES[visit["head_dim"]]
            work, between = figures.multiplications(L, d), figures.numbers_between(L, d)
            assert drawn == {"work": list(work), "between": list(between)}
            assert words.startswith(f"L = {L:,}, d = {d}: ")
            if work[0] == work[1]:
                assert words.endswith(
                    "both orders cost the same; this is the crossing."
                )
            else:
                first, second = "first", "second"
                if work[0] < work[1]:
                    first, second = second, first
                ratio = max(work) // min(work)
                assert words.endswith(
                    f"the {first} order needs {ratio:,} times the multiplications of "
                    f"the {second}."
                )
            assert f"at L = d, here {d} tokens" in said

    def test_the_button_leads_to_the_crossing(self, page):
        root = widget(page, ORDERS)
        for size in ("Home", "End"):
            control(root, "head_dim").press(size)
            root.get_by_role("button", name="to the crossing").press("Enter")
            drawn = shown(root)
            assert drawn["work"][0] == drawn["work"][1]
            assert drawn["between"][0] == drawn["between"][1]

    def test_arrows_lead_from_matrix_to_matrix_and_bar_to_bar(self, page):
        root = widget(page, ORDERS)
        shapes, bars = root.locator("canvas").all()
        said = []
        shapes.press("Home")
        for _ in range(8):
            said.append(readout(root).split(" numbers")[0])
            shapes.press("ArrowRight")
        assert said == [
            f"{name} is {size}"
            for name, size in (
                ("Q", "1,024 × 64: 65,536"),
                ("Kᵀ", "64 × 1,024: 65,536"),
                ("Q Kᵀ", "1,024 × 1,024: 1,048,576"),
                ("V", "1,024 × 64: 65,536"),
                ("Q", "1,024 × 64: 65,536"),
                ("Kᵀ V", "64 × 64: 4,096"),
                ("Kᵀ", "64 × 1,024: 65,536"),
                ("V", "1,024 × 64: 65,536"),
            )
        ]
        bars.press("End")
        assert readout(root).startswith("4,096 numbers in Kᵀ V")


class TestState:
    def test_steps_are_posencs_over_the_whole_grid(self, page):
        visits = [
            {"t": t, "slope": i} for t, i in product(range(6), range(len(SLOPES)))
        ]
        for visit, (drawn, words, said) in visit_all(page, STATE, visits):
            t, slope = visit["t"], sorted(SLOPES)[visit["slope"]]
            step = figures.state_step(t, slope)
            for name in ("decayed", "added", "state", "output"):
                np.testing.assert_allclose(
                    drawn[name], getattr(step, name), atol=1e-12, err_msg=name
                )
            np.testing.assert_allclose(drawn["mixed"], step.output, atol=1e-12)
            weights = np.asarray(drawn["weights"])
            assert weights.shape == (t + 1,)
            shares = step.weights[: t + 1]
            np.testing.assert_allclose(weights / weights.sum(), shares, atol=1e-12)
            assert words.startswith(f"After “{figures.WORDS[t]}” at position {t}: ")
            assert f"The row of weights has {t + 1} number" in said
            assert f"{100 * step.weights[0]:.0f} % of the sum" in said
            assert ("nothing is forgotten" in said) == (slope == 0)

    def test_buttons_step_forth_and_back(self, page):
        root = widget(page, STATE)
        before = pictures(root)
        forth = root.get_by_role("button", name="step ▶")
        back = root.get_by_role("button", name="◀ back")
        forth.press("Enter")
        assert readout(root).startswith("After “man” at position 3")
        back.press("Enter")
        assert pictures(root) == before
        for _ in range(9):
            back.press("Enter")
        assert readout(root).startswith("After “dog” at position 0")
        assert np.count_nonzero(shown(root)["decayed"]) == 0
        for _ in range(9):
            forth.press("Enter")
        assert readout(root).startswith("After “dog” at position 5")

    def test_less_motion_goes_to_the_end_at_once(self, page):
        root = widget(page, STATE)
        root.get_by_role("button", name="to the end").press("Enter")
        assert readout(root).startswith("After “dog” at position 5")

    def test_play_goes_token_by_token_and_can_be_stopped(self, open_page, address):
        page = open_page(address)
        page.clock.install()
        page.emulate_media(reduced_motion="no-preference")
        page.reload()
        root = widget(page, STATE)
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        root.get_by_role("button", name="play").press("Enter")
        page.clock.run_for(900)  # the first step is at once
        assert readout(root).startswith("After “man” at position 3")
        root.get_by_role("button", name="pause").press("Enter")
        page.clock.run_for(5000)
        assert readout(root).startswith("After “man” at position 3")
        root.get_by_role("button", name="play").press("Enter")
        page.clock.run_for(5000)
        assert readout(root).startswith("After “dog” at position 5")
        root.get_by_role("button", name="play").press("Enter")
        assert readout(root).startswith("After “dog” at position 0")
        control(root, "t").press("ArrowRight")  # by hand: the play stops
        page.clock.run_for(5000)
        assert readout(root).startswith("After “bites” at position 1")

    def test_cells_tell_their_sums(self, page):
        root = widget(page, STATE)
        control(root, "slope").press("Home")
        state = root.locator("canvas").first
        state.press("ArrowRight")  # from the first number of the sum
        assert readout(root) == "S, row 1, column 2: 5 + 0 = 5."
        for _ in range(4):
            state.press("ArrowUp")
        assert readout(root) == "New for S, row 1, column 2: 5 × 0 = 0."
        state.press("End")
        state.press("PageDown")
        assert readout(root) == "z, entry 4: 5 + 1 = 6."

    def test_keys_tell_their_weights(self, page):
        root = widget(page, STATE)
        weights = root.locator("canvas").last
        weights.press("Home")
        step = figures.state_step(2, 0.25)
        share = round(100 * step.weights[0])
        assert readout(root).startswith(
            "Key “dog” at 0, 2 back: e^(−0.25·2) × 14 = 8.49"
        )
        assert readout(root).endswith(f"which is {share} % of the sum.")
        weights.press("End")
        assert readout(root) == "“dog” at position 5 is not read yet."


class TestCost:
    def test_curves_are_the_cells_of_every_setting(self, page):
        cells = MeasuredCost().cells
        visits = [
            {"direction": d, "quantity": q, "log_axes": log, "all_methods": every}
            for d, q, log, every in product(
                range(2), range(2), (False, True), (False, True)
            )
        ]
        for visit, (drawn, words, _) in visit_all(page, COST, visits):
            direction = DIRECTIONS[visit["direction"]]
            what = QUANTITIES[visit["quantity"]]
            names = ["softmax", "linear_causal"]
            if visit["all_methods"]:
                names = list(MEASURED_METHODS)
            wanted = {
                name: [
                    cells[direction][str(n)].get(name, {}).get(what)
                    for n in MEASURED_LENGTHS
                ]
                for name in names
            }
            assert drawn["curves"] == wanted
            assert words.startswith(
                "Length 4,096, time" if what == "ms" else "Length 4,096, memory"
            )

    def test_the_cursor_reads_values_and_their_ratio(self, page):
        root = widget(page, COST)
        curves = root.locator("canvas").first
        cells = MeasuredCost().cells["forward"]
        curves.press("Home")
        for length in MEASURED_LENGTHS:
            row = cells[str(length)]
            a, b = row["softmax"]["ms"], row["linear_causal"]["ms"]
            words = readout(root)
            assert words.startswith(f"Length {length:,}, time: softmax, fused ")
            ratio = max(a, b) / min(a, b)
            digits = 2 if ratio < 9.95 else 1
            assert f"{ratio:.{digits}f}" in words
            assert words.endswith("as much." if a >= b else "of that.")
            curves.press("ArrowRight")
        assert readout(root).startswith(f"Length {MEASURED_LENGTHS[-1]:,}, ")

    def test_a_click_moves_the_cursor(self, page):
        root = widget(page, COST)
        curves = root.locator("canvas").first
        curves.scroll_into_view_if_needed()
        box = curves.bounding_box()
        curves.click(position={"x": box["width"] - 26, "y": 150})
        assert shown(root)["at"] == len(MEASURED_LENGTHS) - 1
        curves.click(position={"x": 58, "y": 150})
        assert shown(root)["at"] == 0

    def test_what_was_not_measured_is_said(self, page):
        root = widget(page, COST)
        control(root, "one").select_option(label=figures.METHODS["softmax_matrix"])
        root.locator("canvas").first.press("End")
        assert "L × L matrix not measured" in readout(root)
        assert "no comparison here" in readout(root)
        control(root, "other").select_option(label=figures.METHODS["softmax_matrix"])
        assert readout(root).endswith("L × L matrix not measured.")

    def test_bars_tell_the_methods(self, page):
        root = widget(page, COST)
        bars = root.locator("canvas").last
        bars.press("Home")
        for i, words in enumerate(MEASURED_METHODS.values()):
            assert readout(root).startswith(f"{words} at 4,096: "), i
            bars.press("ArrowRight")

    def test_facts_say_how_it_grows(self, page):
        root = widget(page, COST)
        cells = MeasuredCost().cells["forward"]
        before, last = (cells[str(n)] for n in MEASURED_LENGTHS[-2:])
        for name in ("softmax", "linear_causal"):
            ratio = last[name]["ms"] / before[name]["ms"]
            assert f"{figures.METHODS[name]}: from " in facts(root)
            assert f"tokens, {ratio:.1f} times the time." in facts(root)


#: Where an item is on the last canvas of each widget, in shares of its size.
ITEMS = {LIFT: None, ORDERS: (0.5, 0.2), STATE: (0.3, 0.3), COST: (0.5, 0.3)}


def item_place(root, which):
    """For the lift, that of φ(k), as Python sees it."""
    if ITEMS[which]:
        return ITEMS[which]
    right, up, _ = shown(root)["seen"][1]
    unit, rim = 1 / (1.7**2 * 2**0.5 + 0.7), 1.7**2 / 2**0.5
    middle = rim * (np.cos(np.radians(15)) + np.sin(np.radians(15))) / 2
    return 0.5 + unit * right, (0.45 - unit * (up - middle)) / 0.9


@pytest.mark.parametrize("which", range(4))
class TestEveryWidget:
    def test_hovering_tells_and_leaving_forgets(self, page, which):
        root = widget(page, which)
        before, words = pictures(root), readout(root)
        canvas = root.locator("canvas").last
        canvas.scroll_into_view_if_needed()
        box, (x, y) = canvas.bounding_box(), item_place(root, which)
        page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
        assert readout(root) != words
        tip = root.locator(".pe-tip").last
        assert tip.inner_text() == readout(root)
        assert pictures(root) != before
        page.mouse.move(1, 1)
        assert pictures(root) == before
        assert readout(root) == words
        assert tip.is_hidden()
