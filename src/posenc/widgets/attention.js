// The widget of the chapter on attention: words to shuffle, heat maps before and after.
import { controls, element, speaker, textTable, watch, watchPage } from "./kit.js";
import { colorTable, explore, themeColors, tooltip } from "./canvas.js";
import { heatPair } from "./attention_heat.js";
import {
  describeCell, describeShuffle, originalCell, SHUFFLE_TRAITS, shuffleFindings, shuffleRows,
} from "./attention_sentence.js";
import { wordRow } from "./attention_words.js";

const SIDES = ["before", "after"];

function render({ model, el }) {
  const { weight, output, limit } = model.get("colors");
  const shades = { weight: colorTable(weight), output: colorTable(output) };
  const sentences = model.get("sentences").map((text) => [text, text]);
  const choose = (sentence) => {
    model.set("sentence", sentence);
    model.set("order", sentence.split(" ").map((_, n, all) => all.length - 1 - n));
  };
  const panel = controls(model, [
    { kind: "select", key: "sentence", label: "sentence", options: sentences, choose },
    { kind: "checkbox", key: "encoding", label: "add a position encoding" },
    { kind: "checkbox", key: "causal", label: "causal mask" },
  ]);
  const words = wordRow((order) => { model.set("order", order); model.save_changes(); });
  const maps = SIDES.map((side) => heatPair(`Attention weights and outputs ${side} the ` +
    "shuffle, queries down, keys across. Arrow keys move from cell to cell."));
  const frames = maps.map(({ canvas }, i) => element("div", { class: "pe-panel" },
    element("p", { style: "margin: 0 0 0.3rem; font-weight: 600" }, SIDES[i]), canvas));
  // The two pictures are of one kind, so that they get the same width.
  const pair = element("div", { class: "pe-panels" }, ...frames);
  const equal = element("style", {},
    "@container (min-width: 600px) { .pe-widget .pe-pair { grid-template-columns: 1fr 1fr; } }");
  pair.classList.add("pe-pair");
  const readout = element("p", { class: "pe-readout", role: "status" });
  const facts = element("ul", { class: "pe-facts" });
  const head = ["word", "place before", "place after", "output before", "output after", "output is"];
  const table = textTable("The same as text", head, () => shuffleRows(state));
  el.classList.add("pe-widget");
  el.append(equal, panel.node, words.node, pair, readout, facts, table.node);
  const say = speaker(el), tips = frames.map(tooltip);
  let state = null, choice = null, colors = themeColors(el);

  /** The chosen pair of words in one picture. */
  function selectedIn(side) {
    if (!choice) return null;
    const { q, k } = originalCell(state, choice);
    if (side === "before") return { q, k };
    return { q: state.placeOf(q), k: k < state.length ? state.placeOf(k) : k };
  }

  function draw() {
    const widths = frames.map((frame) => frame.clientWidth);
    if (!state || !widths[0]) return; // not on the page yet: watchPage will call again
    const hidden = (q, k) => state.causal && k > q;
    SIDES.forEach((side, i) => maps[i].draw({
      ...state[side], shades, limit, colors, hidden, width: widths[i],
      names: i ? state.order.map((n) => state.names[n]) : state.names,
      marks: i ? state.kept.map((same) => (same ? "✓" : "≠")) : [],
      selected: selectedIn(side),
    }));
    const shown = SIDES.map((side) => [state[side].weights, state[side].outputs]);
    el.dataset.numbers = JSON.stringify(shown); // what is drawn, for tests
  }

  function update() {
    state = describeShuffle(model);
    if (!state) return;
    choice = null;
    tips.forEach((tip) => tip.hide());
    draw(); // first: it reads the layout, the others change it
    panel.refresh();
    words.refresh(state);
    facts.replaceChildren(...shuffleFindings(state).map(([mark, sentence]) =>
      element("li", {},
        element("span", { class: "pe-mark", "aria-hidden": "true" }, mark), sentence)));
    readout.textContent = describeCell(state, null);
    table.refresh();
  }

  function point(cell, tip, x, y) {
    if (cell?.side === choice?.side && cell?.q === choice?.q && cell?.k === choice?.k) return;
    choice = cell;
    readout.textContent = describeCell(state, choice);
    tips.forEach((other) => other.hide());
    // A tip is placed in its frame, below the line that says before or after.
    if (choice && x !== undefined) tip.show(readout.textContent, x, y + 24);
    draw();
  }

  maps.forEach((map, i) => {
    const here = (cell) => cell && { ...cell, side: SIDES[i] };
    explore(map.canvas, {
      at: (x, y) => here(map.at(x, y)),
      step: (key) => here(map.step(key, choice?.side === SIDES[i] ? choice : null)),
      choose: (cell, x, y) => point(cell, tips[i], x, y),
    });
  });

  update();
  const changed = () => {
    update();
    if (!state) return;
    const order = state.order.map((n) => state.names[n]).join(" ");
    say([order + ".", ...shuffleFindings(state).map(([, sentence]) => sentence)].join(" "));
  };
  const moved = () => { colors = themeColors(el); draw(); };
  const stops = [watch(model, SHUFFLE_TRAITS, changed), watchPage(el, moved)];
  return () => stops.forEach((stop) => stop());
}

export default { render };
