// The life of every widget: controls, pictures, words, and how they hang together.
import { controls, element, speaker, textTable, watch, watchPage } from "./controls.js";
import { address } from "./address.js";
import { drag, explore, handle, themeColors, tooltip } from "./canvas.js";
import { passage, playButton } from "./motion.js";

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

/** Milliseconds that a change by hand takes to be drawn where it is smooth. */
const WAY = 350;

/** Below this width, in pixels, pictures stand in one column (kit.css). */
const NARROW = 600;

/** Parts that a simple view omits. */
const PLAIN = { facts: () => [], tables: [], above: [], below: [], after: [], layout: "stack",
  tips: false, between: false };

const LAYOUTS = { columns: "pe-panels", equal: "pe-panels pe-equal", stack: "pe-stack" };

/**
 * Builds a widget and keeps it in step with its model. What it shows is a function of the
 * values of its `traits` alone, and is drawn from that; so any state can be drawn at any
 * time, and `state.shown` (as JSON in `data-shown`) tells tests what is drawn.
 *
 * traits: names of the traits that readers change.
 * specs: controls (controls.js). A button may have `set`, the values that it sets, in place of
 *   `press`; the button "reset" needs neither: it sets what the traits were at first. A
 *   `play` goes through the values of its `key`, one every `ms` (in `way` of them, if given),
 *   as the slider of that key would, or by `values()` and `choose(value)` of its own.
 * state(model): all that is shown, or null halfway between two settings.
 * smooth: traits, numbers or lists of them, whose changes are animated. `state` is called for
 *   the values in between as well, with a stand-in for the model; `shown`, words, facts and
 *   tables are those of the end, at once.
 * mix(from, to, t): what is drawn on the way from one state to the next, where no number gives
 *   it; `pace` is the milliseconds that it takes.
 * pictures: each has a `canvas` (or a `node`) and `draw(state, frame)`, which may return
 *   its height. The frame has the `width` there is, the theme's `colors`, the `choice`, and
 *   `chosen`, its item if it is of the picture's `kind`; `widths` of all pictures, `heights`
 *   of those before, and whether the first two stand `beside` each other.
 *   Readers choose an item { kind, item } with `at(x, y)`, which finds one or null, and
 *   `step(key, item, state)`: the item that a key leads to, null, or undefined if nowhere.
 *   `press(item, state)` is called for clicks on one, for Enter and for space. A picture with
 *   `move(item, state)` chooses nothing: clicks and keys, starting at `now(state)`, move
 *   there at once. `title` stands above the picture; one that goes `across` has a row alone.
 * words(state, choice): the status line; with `wordsFirst` it stands before the pictures.
 * facts(state): sentences, or [mark, sentence, color].
 * tables: { title, head, rows(state) }, the same as text.
 * keep(choice, before, now): the choice after a change of the state; without it, none. A choice
 *   by click or by key then lasts until the next one, a click beside the items, Escape or reset.
 * spoken(state): what screen readers hear after a change.
 * layout: "columns" (wide and narrow), "equal" or "stack"; a single picture has all room.
 * buttonsFirst: true if the buttons follow the pictures at once, before words that may grow.
 * between: true if controls, words and facts follow the first picture in a single column; with
 *   `buttonsFirst` the buttons and the words come before the other controls.
 * above, below, after: parts { node, refresh(state) } before the pictures, after the words and
 *   after the facts.
 * tips: whether the words are shown beside the pointer, too.
 * links: what a link may set traits to that have no control, or more rules: tests of a value.
 * simple: what a widget that opens a chapter has in place of these: one idea, one gesture. It
 *   has no facts, tables or tips, and only the parts and controls that are given here.
 */
export function createWidget({ model, el }, { simple, ...all }) {
  const isSimple = model.get("simple");
  const {
    traits, specs, state, smooth = [], mix = null, pace = WAY, pictures, words,
    facts = () => [], tables = [], spoken, layout = pictures.length > 1 ? "columns" : "stack",
    above = [], below = [], after = [], tips = true, wordsFirst = false, between = false,
    buttonsFirst = false,
    keep = null, links = {},
  } = isSimple ? { ...all, ...PLAIN, ...simple } : all;
  const initial = Object.fromEntries(traits.map((key) => [key, model.get(key)]));
  const players = [];
  // Jupyter's models have no name on a page, nor have openings.
  const linked = model.pageName && address(model, el,
    { specs, rules: links, initial, say: (text) => say(text) });
  const copy = linked ? [{ kind: "button", part: linked.button }] : [];
  const panel = controls(model, [...specs, ...copy].map((spec) => {
    if (spec.kind === "play") return { ...spec, part: player(spec) };
    if (spec.kind !== "button" || spec.press || spec.part) return spec;
    return { ...spec, press: () => (spec.label === "reset" ? reset() : setAll(model, spec.set)) };
  }));
  const frames = pictures.map(({ title, canvas, node, across }) => element("div",
    { class: across ? "pe-panel pe-across" : "pe-panel" },
    ...(title ? [element("div", { class: "pe-title" }, title)] : []), canvas ?? node));
  const panels = frames.filter((_, i) => !pictures[i].across);
  // A line that pointing changes speaks for itself; the speaker tells the others' changes.
  const role = pictures.some((picture) => picture.at && !picture.move) ? { role: "status" } : {};
  const readout = element("p", { class: "pe-readout", ...role });
  const list = element("ul", { class: "pe-facts" });
  const texts = tables.map(({ title = "The same as text", head, rows }) =>
    textTable(title, head, () => rows(now)));
  el.classList.add("pe-widget");
  el.classList.toggle("pe-simple", isSimple);
  const stack = element("div", { class: LAYOUTS[layout] }, ...frames);
  // Pictures first: on a phone the controls stand under the thumb, and hide nothing.
  el.append(...above.map((part) => part.node),
    ...(wordsFirst ? [readout, stack] : [stack, ...(buttonsFirst ? [panel.row] : []), readout]),
    panel.node,
    ...below.map((part) => part.node), list, ...after.map((part) => part.node),
    ...texts.map((text) => text.node));
  const say = speaker(el), boxes = frames.map(tooltip);
  const parts = [panel, ...texts, ...[...above, ...below, ...after].map((part) =>
    ({ refresh: () => part.refresh(now) }))];
  let now = null, seen = null, held = false;
  let choice = null, chosen = null; // what the words tell; what was clicked, or reached by keys
  let colors = themeColors(stack);

  function reset() {
    choice = chosen = null;
    setAll(model, initial);
    update();
  }

  function player(spec) {
    const slider = specs.find((one) => one.kind === "range" && one.key === spec.key);
    const { choose = (value) => model.set(spec.key, value) } = { ...slider, ...spec };
    players.push(playButton(el, model, { ...slider, ...spec, put: choose }));
    return players.at(-1);
  }

  // With `mix`, the number of changes: it passes from one to the next as the picture does.
  let changes = 0, before = null;
  const smoothNumbers = () => (mix ? [changes] : smooth.flatMap((key) => model.get(key)));
  /** What a model has whose smooth traits are these numbers. */
  function passing(values) {
    const rest = [...values], traits = Object.fromEntries(smooth.map((key) => {
      const now = model.get(key), part = rest.splice(0, [now].flat().length);
      return [key, Array.isArray(now) ? part : part[0]];
    }));
    return (key) => traits[key] ?? model.get(key);
  }

  /** Draws what is between two states, or the end of the way. */
  const way = passage(el, (values) => {
    const between = smoothNumbers().some((number, i) => number !== values[i]);
    seen = !between ? now : mix ? mix(before, now, Math.max(0, 1 + values[0] - changes))
      : state({ get: passing(values) });
    draw();
  });

  /** Puts controls, words and facts in their places; what is there already keeps its focus. */
  function arrange() {
    const narrow = stack.clientWidth < NARROW, place = narrow ? frames[0] : stack;
    const rest = narrow && !buttonsFirst ? [panel.node, readout] : [readout, panel.node];
    const next = [...(buttonsFirst ? [panel.row] : []), ...rest, list];
    if (place.nextSibling !== next[0]) place.after(...next);
  }

  function draw() {
    const widths = frames.map((frame) => frame.clientWidth);
    if (!seen || !widths[0]) return; // not on the page yet: watchPage will call again
    if (between) arrange();
    const beside = panels[0].offsetTop === panels.at(-1).offsetTop, heights = [];
    pictures.forEach((picture, i) => {
      const chosen = choice && choice.kind === picture.kind ? choice.item : null;
      heights.push(picture.draw(seen,
        { width: widths[i], widths, heights, beside, colors, choice, chosen }));
    });
  }

  /** Keeps the status line as high as it was, so that nothing below it moves up. */
  function keepHeight() {
    readout.style.minHeight = `${readout.offsetHeight}px`;
  }

  function update() {
    const next = state(model);
    if (!next) return;
    keepHeight();
    const kept = (one) => (keep && one ? keep(one, now, next) : null);
    [choice, chosen] = [kept(choice), kept(chosen)];
    now = next;
    [before, changes] = [seen, changes + 1];
    boxes.forEach((box) => box.hide());
    // First: it reads the layout, the others change it.
    const playing = players.find((one) => one.plays());
    const ms = playing ? playing.way ?? playing.ms : held || way.runs() ? 0 : pace;
    way.to(smoothNumbers(), ms, playing !== undefined && !playing.way);
    el.dataset.shown = JSON.stringify(now.shown);
    parts.forEach((part) => part.refresh());
    list.replaceChildren(...facts(now).map(bullet));
    readout.textContent = words(now, choice);
  }

  /** Tells of an item, or else of the one chosen. */
  function tell(item, i, x, y) {
    const next = item ?? chosen;
    if (JSON.stringify(next) === JSON.stringify(choice)) return;
    choice = next;
    keepHeight();
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
    const own = () => (choice && choice.kind === kind ? choice.item : null);
    explore(canvas, {
      at: (x, y) => wrap(at(x, y)),
      step: (key) => wrap(step(key, own(), now)),
      point: (item, x, y) => tell(item, i, x, y),
      choose: (item, x, y) => {
        chosen = item;
        tell(item, i, x, y);
      },
      press: press && (({ item }) => press(item, now)),
      brief: !keep,
    });
  });

  linked?.read();
  update();
  const sentences = () => [words(now, null), ...sentencesOf(facts(now))].join(" ");
  const changed = () => {
    update();
    if (now) say(spoken ? spoken(now) : sentences());
  };
  const moved = () => {
    colors = themeColors(stack);
    readout.style.minHeight = ""; // the words may need fewer lines now
    draw();
  };
  for (const name of ["pointerdown", "pointerup", "pointercancel"])
    el.addEventListener(name, () => { held = name === "pointerdown"; });
  if (linked) addEventListener("hashchange", linked.read);
  const stops = [() => removeEventListener("hashchange", linked?.read),
    watch(model, traits, changed), watchPage(el, moved), way.halt,
    ...players.map((one) => one.pause)];
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

/**
 * What lets a picture change the trait `key`: mouse and finger drag it to the one of `values`
 * whose number `indexAt(x, y)` tells, arrow keys go one on, Page keys eight. A finger that starts
 * where `grip(x, y)` is not null does not scroll the page.
 */
export function moving(model, canvas, key, values, indexAt, grip = () => null) {
  const last = values.length - 1;
  function put(index) {
    model.set(key, values[Math.max(0, Math.min(Math.round(index), last))]);
    model.save_changes();
  }
  const go = (x, y) => put(indexAt(x, y));
  let held = null; // what the finger is on, before the picture changes
  function start(x, y) {
    held = grip(x, y);
    go(x, y);
    return true;
  }
  drag(canvas, { start, hold: () => held, move: (_, x, y) => go(x, y) });
  const step = (pressed, now) => ({ PageUp: now + 8, PageDown: now - 8 }[pressed] ??
    (pressed ? walk(pressed, now, 0, last, now, -1) : undefined));
  return { step, move: put, now: () => values.indexOf(model.get(key)) };
}

/** Where a key leads in a row of items from first … last; undefined if nowhere. */
export function walk(key, item, first, last, start, stride = 1) {
  const from = item ?? start;
  const to = { "": from, ArrowLeft: from - 1, ArrowRight: from + 1, ArrowUp: from - stride,
    ArrowDown: from + stride, Home: first, End: last }[key];
  return to === undefined ? undefined : Math.max(first, Math.min(to, last));
}
