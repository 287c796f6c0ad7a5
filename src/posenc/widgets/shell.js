// What many widgets share: controls, pictures, words, and how they hang together.
import { controls, element, speaker, textTable, watch, watchPage } from "./kit.js";
import { explore, themeColors, tooltip } from "./canvas.js";

/** Whole numbers from … to. */
export const count = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Sets several traits of a model. */
export const setAll = (model, values) =>
  Object.entries(values).forEach(([key, value]) => model.set(key, value));

/** Number with digits and a real minus; no zero has one. */
export const real = (x, digits = 2) =>
  x.toFixed(digits).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");

/**
 * Builds a widget. `state(model)` is all that is shown; each of `pictures` has a `kind`, a
 * `canvas`, `draw(state, { width, colors, chosen })`, `at(x, y)` and `step(key, item)`.
 * A choice is an item of one kind; pictures of that kind show it. `words(state, choice)`
 * is the status line, `facts(state)` are [mark, sentence, color], `table` the same as text.
 */
export function shell({ model, el }, { traits, specs, pictures, state, words, facts, table }) {
  const panel = controls(model, specs);
  const frames = pictures.map(({ canvas }) => element("div", { class: "pe-panel" }, canvas));
  const readout = element("p", { class: "pe-readout", role: "status" });
  const list = element("ul", { class: "pe-facts" });
  const text = textTable("The same as text", table.head, () => table.rows(now));
  el.classList.add("pe-widget");
  el.append(panel.node, element("div", { class: "pe-panels" }, ...frames), readout, list,
    text.node);
  const say = speaker(el), tips = frames.map(tooltip);
  let now = state(model), choice = null, colors = themeColors(el);

  function draw() {
    const widths = frames.map((frame) => frame.clientWidth);
    if (!widths[0]) return; // not on the page yet: watchPage will call again
    pictures.forEach((picture, i) => {
      const chosen = choice?.kind === picture.kind ? choice.item : null;
      picture.draw(now, { width: widths[i], colors, chosen });
    });
    el.dataset.shown = JSON.stringify(now.shown); // what is drawn, for tests
  }

  function update() {
    now = state(model);
    choice = null;
    tips.forEach((tip) => tip.hide());
    draw(); // first: it reads the layout, the others change it
    panel.refresh();
    list.replaceChildren(...facts(now).map(([mark, sentence, color = "text"]) =>
      element("li", {}, element("span",
        { class: "pe-mark", "aria-hidden": "true", style: `color: var(--pe-${color})` },
        mark), sentence)));
    readout.textContent = words(now, null);
    text.refresh();
  }

  function choose(next, tip, x, y) {
    if (next?.kind === choice?.kind && next?.item === choice?.item) return;
    choice = next;
    readout.textContent = words(now, choice);
    tips.forEach((other) => other.hide());
    if (choice && x !== undefined) tip.show(readout.textContent, x, y);
    draw();
  }

  pictures.forEach((picture, i) => {
    const { canvas, kind } = picture;
    const wrap = (item) => (item === null || item === undefined ? item : { kind, item });
    explore(canvas, {
      at: (x, y) => wrap(picture.at(x, y)),
      step: (key) => wrap(picture.step(key, choice?.kind === kind ? choice.item : null)),
      choose: (next, x, y) => choose(next, tips[i], x, y),
    });
  });

  update();
  const changed = () => {
    update();
    say([words(now, null), ...facts(now).map(([, sentence]) => sentence)].join(" "));
  };
  const moved = () => { colors = themeColors(el); draw(); };
  const stops = [watch(model, traits, changed), watchPage(el, moved)];
  return () => stops.forEach((stop) => stop());
}

/** Where a key leads in a row of items from first … last; undefined if nowhere. */
export function walk(key, item, first, last, start, stride = 1) {
  const from = item ?? start;
  const to = { "": from, ArrowLeft: from - 1, ArrowRight: from + 1, ArrowUp: from - stride,
    ArrowDown: from + stride, Home: first, End: last }[key];
  return to === undefined ? undefined : Math.max(first, Math.min(to, last));
}
