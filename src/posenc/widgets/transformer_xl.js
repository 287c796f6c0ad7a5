// What the three widgets of the chapter on Transformer-XL share: controls above, one
// picture, a status line, findings, and the same as text.
import { element, speaker, textTable, watch, watchPage } from "./kit.js";
import { explore, themeColors, tooltip } from "./canvas.js";

/**
 * `describe(model)` gives all that is shown, or null halfway between two settings;
 * `draw(state, { width, colors, choice })` draws it and tells in words what (for tests);
 * `words(state, choice)` is the status line, `facts(state)` lists [mark, sentence, color],
 * `rows(state)` fills the table under `head`. `at` and `step` find items as in explore.
 */
export function frame(model, el, parts) {
  const { traits, panel, canvas, describe, draw, words, facts, head, rows, at, step } = parts;
  const holder = element("div", { class: "pe-panel" }, canvas);
  const readout = element("p", { class: "pe-readout", role: "status" });
  const list = element("ul", { class: "pe-facts" });
  const table = textTable("The same as text", head, () => rows(state));
  el.classList.add("pe-widget");
  el.append(panel.node, holder, readout, list, table.node);
  const say = speaker(el), tip = tooltip(holder);
  let state = null, choice = null, colors = themeColors(el);

  function paint() {
    const width = holder.clientWidth;
    if (state && width) el.dataset.shown = draw(state, { width, colors, choice });
  }

  function update() {
    state = describe(model);
    if (!state) return;
    choice = null;
    tip.hide();
    paint(); // first: it reads the layout, the others change it
    panel.refresh();
    list.replaceChildren(...facts(state).map(([mark, sentence, color = "text"]) =>
      element("li", {}, element("span",
        { class: "pe-mark", "aria-hidden": "true", style: `color: var(--pe-${color})` },
        mark), sentence)));
    readout.textContent = words(state, null);
    table.refresh();
  }

  function choose(next, x, y) {
    if (!next && !choice) return;
    choice = next;
    readout.textContent = words(state, choice);
    tip.hide();
    if (choice && x !== undefined) tip.show(readout.textContent, x, y);
    paint();
  }

  explore(canvas, {
    at: (x, y) => at(state, x, y), step: (key) => step(state, key, choice), choose,
  });
  update();
  const changed = () => {
    update();
    if (state) say(facts(state).map(([, sentence]) => sentence).join(" "));
  };
  const moved = () => { colors = themeColors(el); paint(); };
  const stops = [watch(model, traits, changed), watchPage(el, moved)];
  return () => stops.forEach((stop) => stop());
}

/** The place in a grid that a key leads to from `place` ({ x, y }), as in the tables. */
export function gridStep(key, place, columns, rows) {
  if (key === "" || !place) return { x: place?.x ?? 0, y: place?.y ?? 0 };
  const moves = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
    Home: [-place.x, 0], End: [columns, 0], PageUp: [0, -place.y], PageDown: [0, rows] };
  if (!moves[key]) return undefined;
  const keep = (value, length) => Math.max(0, Math.min(value, length - 1));
  const [right, down] = moves[key];
  return { x: keep(place.x + right, columns), y: keep(place.y + down, rows) };
}
