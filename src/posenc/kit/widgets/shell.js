// The life of every widget: controls, pictures, words, and how they hang together.
import { controls, element, speaker, textTable, watch, watchPage } from "./kit.js";
import { explore, handle, themeColors, tooltip } from "./canvas.js";

/** Whole numbers from … to. */
export const count = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Sets several traits of a model. */
export const setAll = (model, values) =>
  Object.entries(values).forEach(([key, value]) => model.set(key, value));

/** Number with digits and a real minus; no zero has one. */
export const real = (x, digits = 2) =>
  x.toFixed(digits).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");

/** Whole number with commas: 10,000. */
export const grouped = (n) => n.toLocaleString("en-US");

/** Options of a select from values that are their own words. */
export const plain = (values, words = grouped) => values.map((value) => [value, words(value)]);

const LAYOUTS = { columns: "pe-panels", equal: "pe-panels pe-equal", stack: "pe-stack" };

/**
 * Builds a widget and keeps it in step with its model. What it shows is a function of the
 * values of its `traits` alone, and is drawn from that; so any state can be drawn at any
 * time, and `state.shown` (as JSON in `data-shown`) tells tests what is drawn.
 *
 * traits: names of the traits that readers change.
 * specs: controls (kit.js). A button may have `set`, the values that it sets, in place of
 *   `press`; the button "reset" needs neither: it sets what the traits were at first.
 * state(model): all that is shown, or null halfway between two settings.
 * pictures: each has a `canvas` (or a `node`) and `draw(state, frame)`, which may return
 *   its height. The frame has the `width` there is, the theme's `colors`, the `choice`, and
 *   `chosen`, its item if it is of the picture's `kind`; `widths` of all pictures, `heights`
 *   of those before, and whether the first two stand `beside` each other.
 *   Readers choose an item { kind, item } with `at(x, y)`, which finds one or null, and
 *   `step(key, item, state)`: the item that a key leads to, null, or undefined if nowhere.
 *   `press(item, state)` is told of clicks on one, of Enter and of space. A picture with
 *   `move(item, state)` chooses nothing: clicks and keys, starting at `now(state)`, move
 *   there at once. `title` stands above the picture.
 * words(state, choice): the status line. facts(state): sentences, or [mark, sentence,
 *   color]. tables: { title, head, rows(state) }, the same as text.
 * spoken(state): what screen readers hear after a change.
 * layout: "columns" (wide and narrow), "equal" or "stack"; a single picture has all room.
 * above, below: parts { node, refresh(state) } before the pictures and after the words.
 * tips: whether the words are shown beside the pointer, too.
 */
export function shell({ model, el }, {
  traits, specs, state, pictures, words, facts = () => [], tables = [], spoken,
  layout = pictures.length > 1 ? "columns" : "stack", above = [], below = [], tips = true,
}) {
  const initial = Object.fromEntries(traits.map((key) => [key, model.get(key)]));
  const panel = controls(model, specs.map((spec) => {
    const values = spec.set ?? (spec.label === "reset" ? initial : null);
    return spec.kind !== "button" || spec.press ? spec
      : { ...spec, press: () => setAll(model, values) };
  }));
  const frames = pictures.map(({ title, canvas, node }) => element("div", { class: "pe-panel" },
    ...(title ? [element("div", { class: "pe-title" }, title)] : []), canvas ?? node));
  // A line that pointing changes speaks for itself; the speaker tells the others' changes.
  const role = pictures.some((picture) => picture.at && !picture.move) ? { role: "status" } : {};
  const readout = element("p", { class: "pe-readout", ...role });
  const list = element("ul", { class: "pe-facts" });
  const texts = tables.map(({ title = "The same as text", head, rows }) =>
    textTable(title, head, () => rows(now)));
  el.classList.add("pe-widget");
  el.append(panel.node, ...above.map((part) => part.node),
    element("div", { class: LAYOUTS[layout] }, ...frames), readout,
    ...below.map((part) => part.node), list, ...texts.map((text) => text.node));
  const say = speaker(el), boxes = frames.map(tooltip);
  const parts = [panel, ...texts, ...[...above, ...below].map((part) =>
    ({ refresh: () => part.refresh(now) }))];
  let now = null, drawn = null, choice = null, colors = themeColors(el);

  function draw() {
    const widths = frames.map((frame) => frame.clientWidth);
    if (!now || !widths[0]) return; // not on the page yet: watchPage will call again
    const beside = frames[0].offsetTop === frames.at(-1).offsetTop, heights = [];
    pictures.forEach((picture, i) => {
      const chosen = choice && choice.kind === picture.kind ? choice.item : null;
      heights.push(picture.draw(now,
        { width: widths[i], widths, heights, beside, colors, choice, chosen }));
    });
    if (drawn !== now) el.dataset.shown = JSON.stringify(now.shown);
    drawn = now;
  }

  function update() {
    const next = state(model);
    if (!next) return;
    now = next;
    choice = null;
    boxes.forEach((box) => box.hide());
    draw(); // first: it reads the layout, the others change it
    parts.forEach((part) => part.refresh());
    list.replaceChildren(...facts(now).map(bullet));
    readout.textContent = words(now, null);
  }

  function choose(next, i, x, y) {
    if (JSON.stringify(next) === JSON.stringify(choice)) return;
    choice = next;
    readout.textContent = words(now, choice);
    boxes.forEach((box) => box.hide());
    if (tips && choice && x !== undefined)
      boxes[i].show(readout.textContent, x, y + pictures[i].canvas.offsetTop);
    draw();
  }

  pictures.forEach(({ canvas, kind, at = () => null, step, press, move, now: place }, i) => {
    if (!step) return;
    if (move) return handle(canvas, at, (key) => step(key, place(now), now),
      (item) => move(item, now));
    const wrap = (item) => (item === null || item === undefined ? item : { kind, item });
    const chosen = () => (choice && choice.kind === kind ? choice.item : null);
    explore(canvas, {
      at: (x, y) => wrap(at(x, y)),
      step: (key) => wrap(step(key, chosen(), now)),
      choose: (next, x, y) => choose(next, i, x, y),
      press: press && (({ item }) => press(item, now)),
    });
  });

  update();
  const sentences = () => [words(now, null), ...sentencesOf(facts(now))].join(" ");
  const changed = () => {
    update();
    if (now) say(spoken ? spoken(now) : sentences());
  };
  const moved = () => { colors = themeColors(el); draw(); };
  const stops = [watch(model, traits, changed), watchPage(el, moved)];
  return () => stops.forEach((stop) => stop());
}

/** The words of facts, without their marks. */
export const sentencesOf = (facts) =>
  facts.map((fact) => (typeof fact === "string" ? fact : fact[1]));

function bullet(fact) {
  if (typeof fact === "string") return element("li", {}, fact);
  const [mark, sentence, color = "text"] = fact;
  const style = `color: var(--pe-${color})`;
  return element("li", {},
    element("span", { class: "pe-mark", "aria-hidden": "true", style }, mark), sentence);
}

/** Where a key leads in a row of items from first … last; undefined if nowhere. */
export function walk(key, item, first, last, start, stride = 1) {
  const from = item ?? start;
  const to = { "": from, ArrowLeft: from - 1, ArrowRight: from + 1, ArrowUp: from - stride,
    ArrowDown: from + stride, Home: first, End: last }[key];
  return to === undefined ? undefined : Math.max(first, Math.min(to, last));
}
