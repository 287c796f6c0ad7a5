// The widget of the chapter on Shaw's vectors: controls, table, vectors of a query.
import { controls, element, speaker, textTable, watch, watchPage } from "./kit.js";
import { colorTable, explore, themeColors, tooltip } from "./canvas.js";
import { labelMatrix } from "./shaw_matrix.js";
import { vectorsOfQuery } from "./shaw_pictures.js";
import {
  asText, describe, describeChoice, findings, shadeOf, sizeOf, textRows, TRAITS,
} from "./shaw_state.js";

function settings(model) {
  const get = (key) => model.get(key);
  const set = (values) => Object.entries(values).forEach(([k, v]) => model.set(k, v));
  const initial = Object.fromEntries(TRAITS.map((key) => [key, get(key)]));
  const upTo = (n) => Array.from({ length: n }, (_, i) => i);
  const keepQuery = (size) => {
    if (get("query") >= size) model.set("query", size - 1);
  };
  const change = (key, value) => {
    model.set(key, value);
    keepQuery(sizeOf(model));
  };
  const word = (node) => String(node);
  const views = [["sentence", "a sentence"], ["tree", "a syntax tree"], ["molecule", "a molecule"]];
  return controls(model, [
    { kind: "select", key: "view", label: "input", options: views,
      choose: (value) => change("view", value) },
    { kind: "range", key: "query", label: "query", values: () => upTo(sizeOf(model)), text: word },
    { kind: "range", key: "length", label: "words",
      values: () => upTo(get("words").length).map((i) => i + 1),
      choose: (value) => change("length", value) },
    { kind: "range", key: "max_distance", label: "clip k",
      values: () => upTo(Object.keys(get("indices")).length) },
    { kind: "button", label: "five words, nothing clipped",
      press: () => set({ view: "sentence", length: 5, max_distance: 4, query: 3 }) },
    { kind: "button", label: "ten words, k = 3",
      press: () => set({ view: "sentence", length: 10, max_distance: 3, query: 5 }) },
    { kind: "button", label: "reset", press: () => set(initial) },
  ]);
}

function render({ model, el }) {
  const tables = model.get("colors");
  const shades = { index: colorTable(tables.index), label: colorTable(tables.label) };
  const panel = settings(model);
  const matrix = labelMatrix(
    "Table of rows or labels, queries down, keys across. Arrow keys move from cell to cell.");
  const picture = vectorsOfQuery(
    "Vectors of one query. Arrow keys move from key to key.");
  const frames = [matrix, picture].map(({ canvas }) => element("div", { class: "pe-panel" }, canvas));
  const readout = element("p", { class: "pe-readout", role: "status" });
  const facts = element("ul", { class: "pe-facts" });
  const head = ["key", "relative position", "row or label", "vector or meaning"];
  const table = textTable("The vectors of this query as text", head, () => textRows(state));
  el.classList.add("pe-widget");
  el.append(panel.node, element("div", { class: "pe-panels" }, ...frames), readout, facts, table.node);
  const say = speaker(el), tips = frames.map(tooltip);
  let state = null, choice = null, colors = themeColors(el);

  function draw() {
    const [left, right] = frames.map((frame) => frame.clientWidth);
    if (!state || !left) return; // not on the page yet: watchPage will call again
    const paint = (row) => shadeOf(state, shades, row);
    matrix.draw(state, { width: left, colors, choice, paint });
    const query = choice?.q ?? state.query;
    picture.draw(state, { width: right, colors, choice: ofPicture(), paint, query });
    el.dataset.index = asText(state); // what is drawn, for tests
  }

  /** The choice as the right picture sees it: a key, or a row of the table. */
  function ofPicture() {
    return choice && (choice.k === undefined ? { row: choice.row } : { k: choice.k });
  }

  function update() {
    state = describe(model);
    choice = null;
    tips.forEach((tip) => tip.hide());
    draw();
    panel.refresh();
    facts.replaceChildren(...findings(state).map(([mark, sentence]) => element("li", {},
      element("span", { class: "pe-mark", "aria-hidden": "true" }, mark), sentence)));
    readout.textContent = describeChoice(state, null);
    table.refresh();
  }

  function choose(item, tip, x, y) {
    const row = item && (item.row ?? state.cell(item.q, item.k));
    const next = item && { ...item, row };
    if (next?.q === choice?.q && next?.k === choice?.k && next?.row === choice?.row) return;
    choice = next;
    readout.textContent = describeChoice(state, choice);
    tips.forEach((other) => other.hide());
    if (choice && x !== undefined) tip.show(readout.textContent, x, y);
    draw();
  }

  const ofQuery = (item) => item && (item.k === undefined ? item : { q: state.query, k: item.k });
  explore(matrix.canvas, {
    at: matrix.at,
    step: (key) => matrix.step(key, choice?.q >= 0 ? choice : null, state.query),
    choose: (item, x, y) => choose(item, tips[0], x, y),
  });
  explore(picture.canvas, {
    at: (x, y) => ofQuery(picture.at(x, y)),
    step(key) {
      const now = choice?.k ?? state.query, last = state.size - 1;
      const to = { "": now, ArrowUp: now - 1, ArrowLeft: now - 1, ArrowDown: now + 1,
        ArrowRight: now + 1, Home: 0, End: last }[key];
      return to === undefined ? undefined : ofQuery({ k: Math.max(0, Math.min(to, last)) });
    },
    choose: (item, x, y) => choose(item, tips[1], x, y),
  });

  update();
  const changed = () => {
    update();
    say(findings(state).map(([, sentence]) => sentence).join(" "));
  };
  const moved = () => { colors = themeColors(el); draw(); };
  const stops = [watch(model, TRAITS, changed), watchPage(el, moved)];
  return () => stops.forEach((stop) => stop());
}

export default { render };
